#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "laws/decider.hpp"
#include "simulator/history.hpp"

namespace counterfoil {

/// Plays a history over the claim protocol and the memory store, then a tail without faults.
///
/// Returns: the sentence of the first invariant that did not hold, or nothing.
[[nodiscard]] std::optional<std::string> broken_by(const History& history, const Decider& decider);

/// The shortest part of a history that still breaks an invariant: no step of it can be left out.
///
/// Requires: the history breaks one.
[[nodiscard]] History shrunk(History history, const Decider& decider);

/// What a search through the histories of seed, seed + 1, ... has come to.
struct Finding {
    std::uint64_t seed{};
    std::uint64_t histories{};  ///< how many it took
    std::string invariant;
};

[[nodiscard]] std::optional<Finding> search(std::uint64_t seed, std::uint64_t histories,
                                            const Decider& decider);

/// Of a mutant that docs/testing.md tells the story of, found from seed 1 on, as a fenced block;
/// nothing if it is not found.
[[nodiscard]] std::optional<std::string> documented_story();

/// A finding as a person reads it: the invariant, the shrunk story, how to play it again.
[[nodiscard]] std::string story_of(const Finding& finding, const Decider& decider);

}  // namespace counterfoil
