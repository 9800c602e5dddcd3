#include <memory>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/sqlite/store.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

struct Options {
    PolicyOption policy;
    bool dry_run{};
};

void print(Context& context, const sqlite::PurgeReport& report, bool dry_run) {
    if (context.json) {
        context.out << json_line(boost::json::object{{"dry_run", dry_run},
                                                     {"looked_at", report.looked_at},
                                                     {"purged", report.purged},
                                                     {"tombstones", report.tombstones},
                                                     {"marked_unknown", report.marked_unknown},
                                                     {"unreadable", report.unreadable}})
                    << '\n';
        return;
    }
    context.out << (dry_run ? "would purge " : "purged ") << report.purged << ", "
                << (dry_run ? "drop " : "dropped ") << "the answers of " << report.tombstones
                << ", mark" << (dry_run ? " " : "ed ") << report.marked_unknown
                << " abandoned ones unknown; looked at " << report.looked_at << '\n';
}

Exit purge(Context& context, const Options& options) {
    const std::filesystem::path file = existing_file(context);
    // A file that isn't ours is not to become so by a purge.
    const std::uint64_t due = sqlite::Reader{file}.stats(context.now).due;
    sqlite::Settings settings;
    settings.access = sqlite::FileAccess::as_it_is;
    sqlite::Store store{file, {.policies = options.policy.book()}, settings};

    sqlite::PurgeOptions how;
    how.mode = options.dry_run ? sqlite::PurgeMode::dry_run : sqlite::PurgeMode::write;
    if (context.watched) {
        how.progress = [&](const sqlite::PurgeReport& so_far) {
            context.err << '\r' << so_far.looked_at << " of about " << due << std::flush;
            return true;
        };
    }
    const sqlite::PurgeReport report = store.purge(how);
    if (context.watched) context.err << '\n';
    print(context, report, options.dry_run);
    if (report.unreadable == 0) return Exit::done;
    throw Failure{Exit::corrupt, std::to_string(report.unreadable) +
                                     " receipts can't be read and were left as they are; "
                                     "`counterfoil verify` names them"};
}

}  // namespace

void add_purge(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command =
        program.add("purge", "Forget what is due: drop old answers, then the receipts themselves",
                    "counterfoil --db orders.db purge --dry-run",
                    [options](Context& context) { return purge(context, *options); });
    command.add_flag("--dry-run", options->dry_run, "Count what would be done");
    options->policy.add_to(command);
}

}  // namespace counterfoil::cli
