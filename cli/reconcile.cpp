#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/provider_log.hpp>
#include <counterfoil/reconcile.hpp>
#include <counterfoil/span_text.hpp>
#include <counterfoil/sqlite/reader.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

namespace json = boost::json;

struct Options {
    std::string log;
    std::string form;
    std::string tenant;
    std::string operation;
    std::vector<std::string> steps;
    std::string grace{"5m"};
    std::string from;
    MoneyPointers pointers;
    std::vector<std::string> succeeded{"succeeded", "captured", "charged", "paid"};
};

LogForm form_of(const Options& options, std::string_view text) {
    if (options.form == "csv") return LogForm::csv;
    if (options.form == "jsonl") return LogForm::json_lines;
    return guess_log_form(text);
}

Span grace_of(const std::string& text) {
    const Result<Span, SpanFault> span = parse_span(text);
    if (!span) {
        throw Failure{Exit::wrong_use, "--grace: '" + escaped(text) + "' is no span, as 5m is"};
    }
    return *span;
}

ComparisonFilter filter_of(const Options& options, Instant now) {
    ComparisonFilter filter;
    if (!options.tenant.empty()) filter.tenant = tenant_of(options.tenant);
    if (!options.operation.empty()) filter.operation = operation_of(options.operation);
    if (!options.from.empty()) filter.from = instant_of(options.from, now);
    return filter;
}

/// Calls `each` with every receipt of the file.
template <class Each>
void for_each_receipt(const Context& context, const Each& each) {
    constexpr int page_size = 500;
    sqlite::Reader reader{existing_file(context)};
    std::optional<std::int64_t> below;
    for (bool more = true; more;) {
        const std::vector<sqlite::ListedReceipt> page = reader.list({}, below, page_size);
        for (const sqlite::ListedReceipt& listed : page) {
            below = listed.row;
            if (!listed.receipt) {
                throw Failure{Exit::corrupt,
                              "row " + std::to_string(listed.row) + ": " + listed.fault};
            }
            each(*listed.receipt);
        }
        more = page.size() == page_size;
    }
}

/// The steps that a receipt may have been charged for: --step is about --operation.
std::vector<std::string> steps_of(const Options& options, const Scope& scope) {
    const std::string& operation = scope.operation.text();
    const bool is_asked_for = options.operation.empty() || options.operation == operation;
    return options.steps.empty() || !is_asked_for ? std::vector{operation} : options.steps;
}

/// The effects of all receipts, but for those that can't come to be told: what is not asked for and
/// has no line in the log.
std::vector<OurEffect> effects(const Context& context, const Options& options,
                               const ComparisonFilter& filter,
                               const std::vector<ProviderEntry>& log) {
    std::unordered_set<std::string_view> in_log;
    for (const ProviderEntry& entry : log) in_log.insert(entry.key);
    std::vector<OurEffect> all;
    for_each_receipt(context, [&](const Receipt& receipt) {
        for (const std::string& step : steps_of(options, receipt.scope)) {
            Comparison alone;
            alone.ours = effect_of(receipt, step, options.pointers);
            if (in_log.contains(alone.ours->key) || selects(filter, alone)) {
                all.push_back(*std::move(alone.ours));
            }
        }
    });
    return all;
}

std::string joined(const std::vector<Difference>& differs) {
    std::string text;
    for (const Difference one : differs) {
        if (!text.empty()) text += ", ";
        text += word(one);
    }
    return text;
}

json::object money_of(const Money& money) {
    json::object object;
    if (money.amount) object["amount"] = json_text(*money.amount);
    if (money.currency) object["currency"] = json_text(*money.currency);
    return object;
}

json::object to_json(const char* group, const Comparison& one) {
    json::object object{{"group", group}, {"downstream_key", json_text(one.key)}};
    if (one.ours) {
        json::object ours = money_of(one.ours->money);
        ours["tenant"] = json_text(one.ours->scope.tenant.text());
        ours["operation"] = json_text(one.ours->scope.operation.text());
        ours["key"] = json_text(one.ours->scope.key.text());
        ours["standing"] = word(one.ours->standing);
        ours["at"] = to_rfc3339(one.ours->at);
        object["ours"] = std::move(ours);
    }
    json::array theirs;
    for (const ProviderEntry& entry : one.theirs) {
        json::object line = money_of(entry.money);
        line["standing"] = word(entry.standing);
        line["at"] = to_rfc3339(entry.at);
        theirs.push_back(std::move(line));
    }
    object["theirs"] = std::move(theirs);
    json::array differs;
    for (const Difference difference : one.differs) differs.emplace_back(word(difference));
    object["differs"] = std::move(differs);
    return object;
}

std::string money_text(const Money& money) {
    std::string text = escaped(money.amount.value_or(""));
    if (money.currency) text += (text.empty() ? "" : " ") + escaped(*money.currency);
    return text;
}

void add_rows(Table& table, const char* group, const std::vector<Comparison>& comparisons) {
    for (const Comparison& one : comparisons) {
        const bool known = one.ours.has_value();
        table.add({group, escaped(one.key), known ? escaped(one.ours->scope.tenant.text()) : "",
                   known ? escaped(one.ours->scope.key.text()) : "",
                   known ? std::string{word(one.ours->standing)} : "",
                   known ? money_text(one.ours->money) : "",
                   one.theirs.empty() ? "" : std::string{word(one.theirs.back().standing)},
                   one.theirs.empty() ? "" : money_text(one.theirs.back().money),
                   joined(one.differs)});
    }
}

void print(Context& context, const Reconciliation& result, const ComparisonFilter& filter) {
    using Group = std::pair<const char*, const std::vector<Comparison>&>;
    const std::array findings{Group{"only_ours", result.only_ours},
                              Group{"only_theirs", result.only_theirs},
                              Group{"differing", result.differing}};
    if (context.json) {
        for (const auto& [group, comparisons] : findings) {
            for (const Comparison& one : comparisons) {
                context.out << json_line(to_json(group, one)) << '\n';
            }
        }
        return;
    }
    if (result.has_findings()) {
        Table table{
            {"FINDING", "DOWNSTREAM KEY", "TENANT", "KEY", "OURS", "", "THEIRS", "", "DIFFERS"}};
        for (const auto& [group, comparisons] : findings) add_rows(table, group, comparisons);
        table.print(context);
        context.out << '\n';
    }
    context.out << result.matched.size() << " matched, " << result.only_ours.size()
                << " only ours, " << result.only_theirs.size() << " only theirs, "
                << result.differing.size() << " differing, " << result.pending.size()
                << " pending\n";
    if ((filter.tenant || filter.operation) && !result.only_theirs.empty()) {
        context.out << "lines without a receipt are told whatever --tenant and --operation say\n";
    }
}

/// Errors: Failure wrong_use where none of it can be read.
ProviderLog log_of(Context& context, const Options& options) {
    const std::string text = read_input(options.log);
    ProviderLog log = read_provider_log(text, form_of(options, text), options.succeeded);
    const auto told = [&](const LogFault& fault) {
        return escaped(options.log) + ", line " + std::to_string(fault.line) + ": " + fault.detail;
    };
    if (log.unreadable) throw Failure{Exit::wrong_use, told(*log.unreadable)};
    for (const LogFault& fault : log.faults) {
        context.err << "counterfoil: " << told(fault) << '\n';
    }
    return log;
}

Exit reconcile(Context& context, const Options& options) {
    const Span grace = grace_of(options.grace);
    const ComparisonFilter filter = filter_of(options, context.now);
    const ProviderLog log = log_of(context, options);
    const Reconciliation result =
        select(counterfoil::reconcile(effects(context, options, filter, log.entries), log.entries,
                                      context.now, grace),
               filter);
    print(context, result, filter);
    return result.has_findings() || !log.faults.empty() ? Exit::finding : Exit::done;
}

}  // namespace

void add_reconcile(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command = program.add(
        "reconcile", "Compare receipts with a provider's log, and tell what only one side knows",
        "counterfoil --db pay.db reconcile provider.jsonl --operation charge --from 2026-12-01",
        [options](Context& context) { return reconcile(context, *options); });
    command.add_option("log", options->log, "The provider's log; - for stdin")
        ->required()
        ->type_name("FILE");
    command.add_option("--format", options->form, "jsonl or csv; by its first character without")
        ->check(CLI::IsMember({"jsonl", "csv"}))
        ->type_name("FORM");
    command.add_option("--tenant", options->tenant,
                       "Only findings of this tenant, and lines that have no receipt");
    command.add_option("--operation", options->operation,
                       "Only findings of this operation, and lines that have no receipt");
    command
        .add_option("--step", options->steps,
                    "A step of the downstream key, as often as there are some; the operation's "
                    "name without")
        ->allow_extra_args(false);
    command.add_option("--grace", options->grace, "What is younger than this is pending")
        ->capture_default_str()
        ->type_name("SPAN");
    command.add_option("--from", options->from, "Only findings of then and later, by either side")
        ->type_name("INSTANT");
    command
        .add_option("--amount", options->pointers.amount, "Where an answer's body has the amount")
        ->capture_default_str()
        ->type_name("POINTER");
    command
        .add_option("--currency", options->pointers.currency,
                    "Where an answer's body has the currency")
        ->capture_default_str()
        ->type_name("POINTER");
    command
        .add_option("--succeeded", options->succeeded,
                    "A status that says that it was applied, as often as there are some")
        ->allow_extra_args(false)
        ->capture_default_str()
        ->type_name("WORD");
}

}  // namespace counterfoil::cli
