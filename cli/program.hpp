#pragma once

#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>
#include <counterfoil/instant.hpp>
#include <counterfoil/store/store_error.hpp>

namespace counterfoil::cli {

/// What the program ends with. *Scripts rely on it; never renumber.*
enum class Exit {
    done = 0,
    finding =
        1,  ///< verify, policy check or reconcile found some; a resolve or release was refused
    wrong_use = 2,  ///< of the command line, or of a file that isn't ours
    not_found = 3,  ///< the receipt or the file
    busy = 4,       ///< or unavailable: no permission, an I/O error
    corrupt = 5,
};

[[nodiscard]] Exit exit_of(StoreFault fault);

/// Ends the program with a sentence on stderr.
class Failure : public std::runtime_error {
public:
    Failure(Exit exit, const std::string& sentence) : std::runtime_error{sentence}, exit_{exit} {}

    [[nodiscard]] Exit exit() const noexcept { return exit_; }

private:
    Exit exit_;
};

enum class Style {
    plain,     ///< for a pipe or a file
    coloured,  ///< for a person's terminal
};

/// What a command runs with: all that is outside it.
struct Context {
    std::ostream& out;
    std::ostream& err;
    bool watched{};  ///< err is a terminal: progress may be shown there
    Instant now;
    Style style{Style::plain};
    std::string file;  ///< --db
    bool json{};       ///< --json
};

/// The command line: what is added here is what help, completion and the man page tell.
class Program {
public:
    using Run = std::function<Exit(Context&)>;

    Program();

    /// Adds a command; its options are the caller's to add, and `run` is called if it is chosen.
    /// `example` is a command line and what it is for.
    CLI::App& add(const std::string& name, const std::string& what, const std::string& example,
                  Run run);

    /// Adds a command of a command.
    CLI::App& add(CLI::App& parent, const std::string& name, const std::string& what,
                  const std::string& example, Run run);

    [[nodiscard]] CLI::App& app() { return app_; }

    [[nodiscard]] const std::string& file() const { return file_; }

    [[nodiscard]] bool json() const { return json_; }

    /// What the chosen command does. Requires: the command line was parsed.
    [[nodiscard]] const Run& chosen() const { return chosen_; }

private:
    CLI::App app_;
    std::string file_;
    bool json_{};
    Run chosen_;
};

// Each adds one command, with its options.
void add_init(Program& program);
void add_list(Program& program);
void add_show(Program& program);
void add_why(Program& program);
void add_fingerprint(Program& program);
void add_stats(Program& program);
void add_metrics(Program& program);
void add_resolve(Program& program);
void add_release(Program& program);
void add_purge(Program& program);
void add_verify(Program& program);
void add_policy(Program& program);
void add_reconcile(Program& program);
void add_completion(Program& program);
void add_man(Program& program);

}  // namespace counterfoil::cli
