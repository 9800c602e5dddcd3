// The command `counterfoil`: arguments, clock, exit code. What it does is in one file a command.

#include <cstdlib>
#include <exception>
#include <iostream>

#include <counterfoil/store/clock.hpp>
#include <unistd.h>

#include "cli/program.hpp"

namespace {

using counterfoil::cli::Exit;

int ended(Exit exit, const std::string& sentence) {
    std::cerr << "counterfoil: " << sentence << '\n';
    return static_cast<int>(exit);
}

counterfoil::cli::Style style_of_output() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
    const char* unwanted = std::getenv("NO_COLOR");
    const bool wanted = unwanted == nullptr || *unwanted == '\0';
    return wanted && ::isatty(STDOUT_FILENO) == 1 ? counterfoil::cli::Style::coloured
                                                  : counterfoil::cli::Style::plain;
}

int run(counterfoil::cli::Program& program) {
    counterfoil::cli::Context context{.out = std::cout,
                                      .err = std::cerr,
                                      .watched = ::isatty(STDERR_FILENO) == 1,
                                      .now = counterfoil::system_clock().now(),
                                      .style = style_of_output(),
                                      .file = program.file(),
                                      .json = program.json()};
    const Exit exit = program.chosen()(context);
    if (!std::cout.flush()) return ended(Exit::busy, "the output can't be written");
    return static_cast<int>(exit);
}

}  // namespace

int main(int count, char** arguments) {
    using namespace counterfoil::cli;
    try {
        Program program;
        for (const auto& add : {add_init, add_list, add_show, add_why, add_fingerprint, add_stats,
                                add_metrics, add_resolve, add_release, add_purge, add_verify,
                                add_policy, add_reconcile, add_completion, add_man}) {
            add(program);
        }
        try {
            program.app().parse(count, arguments);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) return program.app().exit(error);  // help, version
            return ended(Exit::wrong_use, error.what() + std::string{"; see --help"});
        }
        return run(program);
    } catch (const Failure& failure) {
        std::cout.flush();
        return ended(failure.exit(), failure.what());
    } catch (const counterfoil::StoreError& error) {
        std::cout.flush();
        return ended(exit_of(error.fault()), error.what());
    } catch (const std::exception& error) {
        return ended(Exit::busy, error.what());
    }
}
