#include <memory>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/span_text.hpp>
#include <counterfoil/words.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

struct CheckOptions {
    std::string file;
    std::string client_retry_window{"0s"};
    std::string handler_budget{"0s"};
};

Span span_of(const std::string& text) {
    if (const Result<Span, SpanFault> span = parse_span(text)) return *span;
    throw Failure{Exit::wrong_use,
                  "'" + escaped(text) + "' is no span: write 30s, 1500ms, 24h, 30d"};
}

Exit check(Context& context, const CheckOptions& options) {
    const Result<PolicyBook, std::vector<PolicyFault>> book = parse_policy_book(
        read_input(options.file), {.client_retry_window = span_of(options.client_retry_window),
                                   .handler_budget = span_of(options.handler_budget)});
    if (book) {
        if (!context.json) context.out << "the policy is sound\n";
        return Exit::done;
    }
    for (const PolicyFault& fault : book.error()) {
        if (context.json) {
            context.out << json_line(boost::json::object{{"fault", word(fault.kind)},
                                                         {"pointer", json_text(fault.pointer)},
                                                         {"detail", json_text(fault.detail)}})
                        << '\n';
        } else {
            context.out << describe(fault) << '\n';
        }
    }
    return Exit::finding;
}

}  // namespace

void add_policy(Program& program) {
    CLI::App& command = program.add("policy", "Check a policy file, or show every figure of it",
                                    "counterfoil policy check policies.json", nullptr);
    command.require_subcommand(1);

    auto checked = std::make_shared<CheckOptions>();
    CLI::App& check_command = program.add(
        command, "check", "Name every fault of a policy file; exit code 1 if it has any",
        "counterfoil policy check policies.json --handler-budget 10s",
        [checked](Context& context) { return check(context, *checked); });
    check_command.add_option("FILE", checked->file, "The policy file; - for stdin")
        ->required()
        ->type_name("");
    check_command
        .add_option("--client-retry-window", checked->client_retry_window,
                    "For how long clients go on retrying")
        ->capture_default_str();
    check_command
        .add_option("--handler-budget", checked->handler_budget,
                    "The longest that a handler may take")
        ->capture_default_str();

    auto shown = std::make_shared<PolicyOption>();
    CLI::App& show_command =
        program.add(command, "show", "Print a policy book as JSON with every figure spelt out",
                    "counterfoil policy show policies.json", [shown](Context& context) {
                        context.out << to_json(shown->book()) << '\n';
                        return Exit::done;
                    });
    show_command.add_option("FILE", shown->file, "The policy file; the default policy without")
        ->type_name("");
}

}  // namespace counterfoil::cli
