#include "cli/program.hpp"

#include <utility>

#include <counterfoil/overloaded.hpp>

namespace counterfoil::cli {

Exit exit_of(StoreFault fault) {
    switch (fault) {
        case StoreFault::busy:
        case StoreFault::unavailable: return Exit::busy;
        case StoreFault::corrupt: return Exit::corrupt;
        case StoreFault::refused: return Exit::wrong_use;
    }
    return Exit::wrong_use;
}

Program::Program() : app_{"Looks at the receipts of a Counterfoil database.", "counterfoil"} {
    app_.require_subcommand(1);
    app_.fallthrough();  // --db and --json may stand behind the command as well
    app_.set_version_flag("--version", std::string{"counterfoil "} + COUNTERFOIL_VERSION);
    app_.add_option("--db", file_, "The database")->envname("COUNTERFOIL_DB")->type_name("FILE");
    app_.add_flag("--json", json_, "One JSON object a line, for programs");
    app_.footer(
        "Exit codes: 0 done, 1 a finding, 2 wrong use, 3 not found, 4 busy or unavailable,\n"
        "5 corrupt. `counterfoil COMMAND --help` has an example.");
}

CLI::App& Program::add(const std::string& name, const std::string& what, const std::string& example,
                       Run run) {
    return add(app_, name, what, example, std::move(run));
}

CLI::App& Program::add(CLI::App& parent, const std::string& name, const std::string& what,
                       const std::string& example, Run run) {
    CLI::App& command = *parent.add_subcommand(name, what);
    command.footer("Example:\n  " + example);
    if (run) command.callback([this, run = std::move(run)] { chosen_ = run; });
    return command;
}

}  // namespace counterfoil::cli
