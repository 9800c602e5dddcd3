#include <ostream>

#include "cli/program.hpp"

namespace counterfoil::cli {

namespace {

void add_words(std::string& words, const std::string& word) {
    if (!words.empty()) words += ' ';
    words += word;
}

/// The options and commands that may follow a command.
std::string words_of(const CLI::App& app) {
    std::string words;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) add_words(words, "--" + name);
    }
    for (const CLI::App* command : app.get_subcommands({})) add_words(words, command->get_name());
    return words;
}

void print_case(std::ostream& out, const std::string& path, const std::string& words) {
    out << "        '" << path << "') words='" << words << "' ;;\n";
}

/// Follows the commands on the line, then offers what may come next, or files.
Exit bash(Context& context, const CLI::App& app) {
    std::ostream& out = context.out;
    out << "# bash completion of counterfoil; written by `counterfoil completion bash`\n"
           "_counterfoil() {\n"
           "    local word path='' words='' i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        word=${COMP_WORDS[i]}\n"
           "        [[ $word == [a-z]* ]] && path+=\" $word\"\n"
           "    done\n"
           "    case \"$path\" in\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        for (const CLI::App* inner : command->get_subcommands({})) {
            print_case(out, " " + command->get_name() + " " + inner->get_name(),
                       words_of(*inner) + " --db --json");
        }
        print_case(out, " " + command->get_name(), words_of(*command) + " --db --json");
    }
    print_case(out, "", words_of(app));
    out << "    esac\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
           "}\n"
           "complete -o default -F _counterfoil counterfoil\n";
    return Exit::done;
}

}  // namespace

void add_completion(Program& program) {
    CLI::App& command = program.add("completion", "Print the completion for a shell",
                                    "source <(counterfoil completion bash)", nullptr);
    command.require_subcommand(1);
    program.add(command, "bash", "For bash", "source <(counterfoil completion bash)",
                [&program](Context& context) { return bash(context, program.app()); });
}

}  // namespace counterfoil::cli
