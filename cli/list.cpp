#include <algorithm>
#include <limits>
#include <memory>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/words.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

struct Options {
    std::string tenant;
    std::string operation;
    std::string key_prefix;
    std::string state;
    std::string from;
    std::string before;
    bool lapsed{};
    int limit{100};
};

sqlite::ReceiptFilter filter_of(const Options& options, Instant now) {
    sqlite::ReceiptFilter filter{.key_prefix = options.key_prefix};
    if (!options.tenant.empty()) filter.tenant = tenant_of(options.tenant);
    if (!options.operation.empty()) filter.operation = operation_of(options.operation);
    if (!options.state.empty()) filter.state = options.state;
    if (!options.from.empty()) filter.created_from = instant_of(options.from, now);
    if (!options.before.empty()) filter.created_before = instant_of(options.before, now);
    if (options.lapsed) filter.lapsed_at = now;
    return filter;
}

std::optional<int> status_of(const State& state) {
    if (const auto* completed = std::get_if<state::Completed>(&state)) {
        return completed->answer.status;
    }
    if (const auto* tombstone = std::get_if<state::Tombstone>(&state)) {
        return tombstone->ended.status;
    }
    return std::nullopt;
}

void add_row(Table& table, const Receipt& receipt, const Context& context) {
    const std::optional<int> status = status_of(receipt.state);
    table.add({escaped(receipt.scope.tenant.text()), escaped(receipt.scope.operation.text()),
               escaped(receipt.scope.key.text()), coloured_state(word(receipt.state), context),
               status ? std::to_string(*status) : "", std::to_string(receipt.attempt),
               to_rfc3339(receipt.created_at), age(receipt.created_at, context.now)});
}

/// Prints receipts as they come, page by page.
class Listing {
public:
    explicit Listing(Context& context) : context_{context} {}

    void print(const std::vector<sqlite::ListedReceipt>& page) {
        for (const sqlite::ListedReceipt& listed : page) {
            if (!listed.receipt) {
                ++unreadable_;
                context_.err << "counterfoil: row " << listed.row << ": " << listed.fault << '\n';
            } else if (context_.json) {
                context_.out << json_line(to_json(*listed.receipt, Bodies::hidden)) << '\n';
            } else {
                add_row(table_, *listed.receipt, context_);
            }
        }
        if (!context_.json) table_.print(context_);
    }

    [[nodiscard]] int unreadable() const { return unreadable_; }

private:
    Context& context_;
    Table table_{{"TENANT", "OPERATION", "KEY", "STATE", "STATUS", "ATTEMPT", "CREATED", "AGE"}};
    int unreadable_{};
};

Exit list(Context& context, const Options& options) {
    constexpr int page_size = 100;
    sqlite::Reader reader{existing_file(context)};
    const sqlite::ReceiptFilter filter = filter_of(options, context.now);
    Listing listing{context};
    int left = options.limit == 0 ? std::numeric_limits<int>::max() : options.limit;
    std::optional<std::int64_t> below;
    for (bool more = true; more && left > 0 && context.out.good();) {
        const int wanted = std::min(left, page_size);
        const std::vector<sqlite::ListedReceipt> page = reader.list(filter, below, wanted);
        listing.print(page);
        more = static_cast<int>(page.size()) == wanted;
        if (!page.empty()) below = page.back().row;
        if (options.limit != 0) left -= wanted;
    }
    if (left == 0 && !reader.list(filter, below, 1).empty()) {
        context.err << "counterfoil: there are more; --limit 0 lists all\n";
    }
    if (listing.unreadable() == 0) return Exit::done;
    throw Failure{Exit::corrupt, std::to_string(listing.unreadable()) +
                                     " receipts can't be read; `counterfoil verify` names them"};
}

}  // namespace

void add_list(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command =
        program.add("list", "List receipts, the newest first",
                    "counterfoil --db orders.db list --state unknown",
                    [options](Context& context) { return list(context, *options); });
    command.add_option("--tenant,-t", options->tenant, "Only of this tenant");
    command.add_option("--operation,-o", options->operation, "Only of this operation");
    command.add_option("--key-prefix", options->key_prefix, "Only keys that begin so");
    command.add_option("--state", options->state, "Only in this state")
        ->check(CLI::IsMember({"in_progress", "completed", "unknown", "tombstone"}));
    command.add_option("--from", options->from, "Only created at or after this instant")
        ->type_name("INSTANT");
    command.add_option("--before", options->before, "Only created before this instant")
        ->type_name("INSTANT");
    command.add_flag("--lapsed", options->lapsed, "Only in progress with their lease over");
    command.add_option("--limit", options->limit, "At most so many; 0 for all")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
}

}  // namespace counterfoil::cli
