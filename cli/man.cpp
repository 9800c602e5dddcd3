#include <ostream>

#include "cli/program.hpp"

namespace counterfoil::cli {

namespace {

/// Text that roff takes for nothing but text.
std::string roff(const std::string& text) {
    std::string safe;
    bool at_start = true;
    for (const char byte : text) {
        if (at_start && (byte == '.' || byte == '\'')) safe += "\\&";
        if (byte == '\\') {
            safe += "\\e";
        } else if (byte == '-') {
            safe += "\\-";
        } else {
            safe += byte;
        }
        at_start = byte == '\n';
    }
    return safe;
}

void print_options(std::ostream& out, const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        out << ".TP\n.B " << roff(option->get_name(true, true));
        if (!option->get_type_name().empty())
            out << " \\fI" << roff(option->get_type_name()) << "\\fR";
        out << '\n' << roff(option->get_description());
        if (!option->get_default_str().empty()) {
            out << " (" << roff(option->get_default_str()) << " by default)";
        }
        out << ".\n";
    }
}

void print_command(std::ostream& out, const CLI::App& command, const std::string& name) {
    out << ".SS " << roff(name) << '\n' << roff(command.get_description()) << ".\n";
    print_options(out, command);
    out << ".PP\n.nf\n" << roff(command.get_footer()) << "\n.fi\n";
    for (const CLI::App* inner : command.get_subcommands({})) {
        print_command(out, *inner, name + " " + inner->get_name());
    }
}

Exit man(Context& context, const CLI::App& app) {
    std::ostream& out = context.out;
    out << R"(.TH COUNTERFOIL 1 "" "counterfoil )" << COUNTERFOIL_VERSION << "\"\n"
        << ".SH NAME\ncounterfoil \\- look at the receipts of a Counterfoil database\n"
        << ".SH SYNOPSIS\n.B counterfoil\n[\\fB\\-\\-db\\fR \\fIFILE\\fR] [\\fB\\-\\-json\\fR] "
           "\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
        << ".SH DESCRIPTION\n"
        << "Reading commands open the database read\\-only. Bodies are hidden unless asked for, "
           "and "
           "control characters of stored text are shown as escapes. An \\fIINSTANT\\fR is RFC 3339 "
           "in UTC, a date, or a span such as 2h for so long ago.\n"
        << ".SH OPTIONS\n";
    print_options(out, app);
    out << ".SH COMMANDS\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        print_command(out, *command, command->get_name());
    }
    out << ".SH EXIT STATUS\n"
           "0 done, 1 a finding, 2 wrong use, 3 not found, 4 busy or unavailable, 5 corrupt.\n"
           ".SH ENVIRONMENT\n.TP\n.B COUNTERFOIL_DB\nThe database, where \\-\\-db is not given.\n"
           ".TP\n.B NO_COLOR\nIf set, no colours.\n";
    return Exit::done;
}

}  // namespace

void add_man(Program& program) {
    program.add("man", "Print the manual page", "counterfoil man | man -l -",
                [&program](Context& context) { return man(context, program.app()); });
}

}  // namespace counterfoil::cli
