#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/words.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

namespace json = boost::json;

struct Options {
    ScopeOptions scope;
    bool reveal{};
    int attempts{20};
};

/// All that a file has of one scope. What was resolved as not applied has audit rows and no
/// receipt.
struct Remembered {
    std::optional<Receipt> receipt;
    std::vector<sqlite::Attempt> attempts;
    std::vector<ResolutionRecord> resolutions;
};

template <class Row>
json::array array_of(const std::vector<Row>& rows) {
    json::array array;
    for (const Row& row : rows) array.push_back(to_json(row));
    return array;
}

void print_json(Context& context, const Scope& scope, const Remembered& found, Bodies bodies) {
    json::object object = found.receipt
                              ? to_json(*found.receipt, bodies)
                              : json::object{{"tenant", json_text(scope.tenant.text())},
                                             {"operation", json_text(scope.operation.text())},
                                             {"key", json_text(scope.key.text())},
                                             {"state", nullptr}};
    object["attempts"] = array_of(found.attempts);
    object["resolutions"] = array_of(found.resolutions);
    context.out << json_line(object) << '\n';
}

void print_attempts(Context& context, const std::vector<sqlite::Attempt>& attempts) {
    if (attempts.empty()) return;
    context.out << '\n';
    Table table{{"AT", "CALL", "REPLY", "RULE", "ATTEMPT", "TOOK", "REQUEST"}};
    for (const sqlite::Attempt& attempt : attempts) {
        table.add({to_rfc3339(attempt.at), escaped(attempt.call), escaped(attempt.reply),
                   attempt.rule ? std::to_string(static_cast<int>(*attempt.rule)) : "",
                   attempt.attempt ? std::to_string(*attempt.attempt) : "",
                   std::to_string(attempt.duration.count()) + "us", escaped(attempt.request_id)});
    }
    table.print(context);
}

void print_resolutions(Context& context, const std::vector<ResolutionRecord>& resolutions) {
    if (resolutions.empty()) return;
    context.out << '\n';
    Table table{{"RESOLVED", "FENCE", "WAS", "RULING", "BY", "EVIDENCE"}};
    for (const ResolutionRecord& resolution : resolutions) {
        const bool applied = std::holds_alternative<ruling::Applied>(resolution.ruling);
        table.add({to_rfc3339(resolution.resolved_at), std::to_string(resolution.fence.number),
                   std::string{word(resolution.before)}, applied ? "applied" : "not_applied",
                   escaped(resolution.by), escaped(resolution.evidence)});
    }
    table.print(context);
}

void print_text(Context& context, const Remembered& found, Bodies bodies) {
    if (found.receipt) print_facts(context, facts_of(*found.receipt, context.now, bodies));
    print_attempts(context, found.attempts);
    print_resolutions(context, found.resolutions);
}

Exit show(Context& context, const Options& options) {
    const Scope scope = options.scope.scope();
    sqlite::Reader reader{existing_file(context)};
    const Remembered found{reader.find(scope), reader.attempts(scope, options.attempts),
                           reader.resolutions(scope)};
    const Bodies bodies = options.reveal ? Bodies::revealed : Bodies::hidden;
    if (found.receipt || !found.attempts.empty() || !found.resolutions.empty()) {
        if (context.json) {
            print_json(context, scope, found, bodies);
        } else {
            print_text(context, found, bodies);
        }
    }
    if (found.receipt) return Exit::done;
    throw Failure{Exit::not_found, "there is no receipt of " + describe(scope)};
}

}  // namespace

void add_show(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command =
        program.add("show", "Show one receipt, its last calls, and what was ruled of it",
                    "counterfoil --db orders.db show -t acme -o create_order -k key-1",
                    [options](Context& context) { return show(context, *options); });
    options->scope.add_to(command);
    command.add_flag("--reveal", options->reveal, "Show the answer's body and the note as well");
    command.add_option("--attempts", options->attempts, "How many of the last calls are shown")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
}

}  // namespace counterfoil::cli
