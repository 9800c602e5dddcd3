#include <memory>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/sqlite/reader.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

struct Options {
    ScopeOptions scope;
    bool reveal{};
};

Exit show(Context& context, const Options& options) {
    const Scope scope = options.scope.scope();
    sqlite::Reader reader{existing_file(context)};
    const std::optional<Receipt> found = reader.find(scope);
    if (!found) throw Failure{Exit::not_found, "there is no receipt of " + describe(scope)};
    const Bodies bodies = options.reveal ? Bodies::revealed : Bodies::hidden;
    if (context.json) {
        context.out << json_line(to_json(*found, bodies)) << '\n';
    } else {
        print_facts(context, facts_of(*found, context.now, bodies));
    }
    return Exit::done;
}

}  // namespace

void add_show(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& command =
        program.add("show", "Show one receipt",
                    "counterfoil --db orders.db show -t acme -o create_order -k key-1",
                    [options](Context& context) { return show(context, *options); });
    options->scope.add_to(command);
    command.add_flag("--reveal", options->reveal, "Show the answer's body as well");
}

}  // namespace counterfoil::cli
