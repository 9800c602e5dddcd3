#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <counterfoil/receipt.hpp>

#include "simulator/history.hpp"

namespace counterfoil {

constexpr Fence last_fence{std::numeric_limits<std::int64_t>::max()};

/// What a client was given and may count on.
struct Promise {
    Answer answer;
    Instant replay_until;
    Instant forget_at;
    bool is_dropped{};  ///< a sweep has made a tombstone of it, in time
};

/// What an onlooker knows of one key, from what clients, workers and operators were told and from
/// the contract alone. A life begins with the first claim and ends forgotten, freed or ruled out.
struct Account {
    bool is_live{};
    std::uint64_t life{};
    std::uint64_t charge_round{};  ///< one charge each: until it is forgotten or ruled not applied
    std::uint8_t body{};
    Under under{};
    Fence newest{};
    std::int64_t attempt{};
    std::size_t holder{};
    Instant lease_end{};
    std::optional<Checkpoint> checkpoint{};
    std::optional<Instant> unknown_since{};
    std::optional<Promise> promise{};
    bool is_on_hold{};
    std::vector<Fence> given{};
    std::vector<Instant> births{};

    [[nodiscard]] bool is_forgotten(Instant now) const {
        return promise && !is_on_hold && now >= promise->forget_at;
    }

    /// That an attempt is under way, or has stopped without a word.
    [[nodiscard]] bool is_open() const { return is_live && !promise && !unknown_since; }

    [[nodiscard]] bool is_lapsed(Instant now) const;

    /// When something is up next: the lease and the skew, the answer's window, the stub's.
    [[nodiscard]] std::optional<Instant> next_time(Instant now) const;

    /// Whether nobody can take it over or begin it anew: no fence is higher.
    [[nodiscard]] bool has_the_last_fence() const { return newest == last_fence; }

    /// Whether a fence was given before.
    [[nodiscard]] bool knows(Fence fence) const;

    /// Whether a life began at this instant before.
    [[nodiscard]] bool knows_birth(Instant birth) const;

    /// The word of the refusal that a permit of `of_life` is due, or an empty one.
    [[nodiscard]] std::string_view refusal_due(Fence fence, std::uint64_t of_life) const;

    void ends() {
        is_live = false;
        promise.reset();
        unknown_since.reset();
        checkpoint.reset();
        is_on_hold = false;
    }
};

}  // namespace counterfoil
