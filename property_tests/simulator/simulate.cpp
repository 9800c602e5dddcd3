// Plays histories and says how many a second, or tells the story by which one does not hold.

#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "laws/mutants.hpp"
#include "simulator/world.hpp"

namespace counterfoil {
namespace {

Decider decider_named(const std::string& name) {
    if (name.empty()) return sound();
    const auto mutant = mutant_named(name);
    if (!mutant)
        throw CLI::ValidationError{
            "--broken", "no decider is called '" + name + "'; docs/testing.md has their names"};
    return mutant->decider;
}

int play(std::uint64_t seed, std::uint64_t histories, const Decider& decider) {
    const auto begin = std::chrono::steady_clock::now();
    if (const auto finding = search(seed, histories, decider)) {
        std::cout << story_of(*finding, decider);
        return 1;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::cout << histories << " histories from seed " << seed << " hold; "
              << static_cast<std::uint64_t>(static_cast<double>(histories) / took.count())
              << " a second\n";
    return 0;
}

}  // namespace
}  // namespace counterfoil

int main(int count, char** arguments) {
    try {
        std::uint64_t histories = 1'000'000;
        std::uint64_t seed = 1;
        std::string broken;
        CLI::App app{
            "Plays histories of clients, workers, clocks and a provider over the core and the\n"
            "claim protocol. Exit code: 0 they hold, 1 one does not, 2 wrong use."};
        app.add_option("--histories", histories, "How many")->capture_default_str();
        app.add_option("--seed", seed, "Of the first; the next one has the next seed")
            ->capture_default_str();
        app.add_option("--broken", broken, "With a decider that is broken on purpose in this way");
        try {
            app.parse(count, arguments);
            return counterfoil::play(seed, histories, counterfoil::decider_named(broken));
        } catch (const CLI::ParseError& error) {
            return app.exit(error) == 0 ? 0 : 2;
        }
    } catch (const std::exception& error) {
        std::cerr << "simulate: " << error.what() << "\n";
        return 2;
    }
}
