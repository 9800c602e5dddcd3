#include <memory>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/span_text.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/sqlite/store.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

struct Options {
    PolicyOption policy;
    std::string attempts_older_than{"30d"};
    bool dry_run{};
};

Span span_of(const std::string& text) {
    const Result<Span, SpanFault> span = parse_span(text);
    if (!span) {
        throw Failure{Exit::wrong_use,
                      "--attempts-older-than: '" + escaped(text) + "' is no span, as 30d is"};
    }
    return *span;
}

void print(Context& context, const sqlite::PurgeReport& report, bool dry_run) {
    if (context.json) {
        context.out << json_line(boost::json::object{{"dry_run", dry_run},
                                                     {"looked_at", report.looked_at},
                                                     {"purged", report.purged},
                                                     {"tombstones", report.tombstones},
                                                     {"marked_unknown", report.marked_unknown},
                                                     {"unreadable", report.unreadable},
                                                     {"attempts", report.attempts}})
                    << '\n';
        return;
    }
    context.out << (dry_run ? "would purge " : "purged ") << report.purged << ", "
                << (dry_run ? "drop " : "dropped ") << "the answers of " << report.tombstones
                << ", mark" << (dry_run ? " " : "ed ") << report.marked_unknown
                << " abandoned ones unknown; looked at " << report.looked_at << '\n';
    if (report.attempts != 0) {
        context.out << "took " << report.attempts << " calls out of the log of attempts\n";
    }
}

Exit purge(Context& context, const Options& options) {
    const std::uint64_t due = sqlite::Reader{existing_file(context)}.stats(context.now).due;
    sqlite::Store store = store_for_writing(context, options.policy.book());

    sqlite::PurgeOptions how;
    how.attempts_older_than = span_of(options.attempts_older_than);
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
    command
        .add_option("--attempts-older-than", options->attempts_older_than,
                    "Take calls out of the log of attempts that are older than this")
        ->capture_default_str()
        ->type_name("SPAN");
    options->policy.add_to(command);
}

}  // namespace counterfoil::cli
