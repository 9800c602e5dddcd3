#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "counterfoil/instant.hpp"

namespace counterfoil {

/// How long calls took, counted in buckets with fixed bounds, so that any two may be added.
class Durations {
public:
    /// The bounds: 50 us, 100 us, 200 us, 500 us and so on to 10 s. A bucket holds what is above
    /// the bound before it and not above its own; one more holds what is above all.
    static constexpr std::size_t bound_count = 17;
    [[nodiscard]] static const std::array<Span, bound_count>& bounds();

    void add(std::chrono::nanoseconds duration);

    Durations& operator+=(const Durations& other);

    /// By bucket; the last is of what is above all bounds.
    [[nodiscard]] const std::array<std::uint64_t, bound_count + 1>& counts() const {
        return counts_;
    }

    [[nodiscard]] std::uint64_t total() const;

    [[nodiscard]] std::chrono::nanoseconds sum() const { return sum_; }

    /// The lowest bound that at least this share of all calls did not exceed: never less than the
    /// true percentile, and, the bounds being what they are, less than 2.5 times it where that is
    /// above the first bound.
    ///
    /// Requires: share is above 0 and at most 1 (asserted).
    /// Returns:  nothing where there are no calls, or where it lies above all bounds.
    [[nodiscard]] std::optional<Span> percentile(double share) const;

    friend bool operator==(const Durations&, const Durations&) = default;

private:
    std::array<std::uint64_t, bound_count + 1> counts_{};
    std::chrono::nanoseconds sum_{};
};

/// Calls of one kind, counted by what they came to. Tallies of several threads, processes or days
/// may be added.
class Tally {
public:
    /// Counts a call by the word of its reply, or of its fault.
    void add(std::string_view reply, std::chrono::nanoseconds duration);

    Tally& operator+=(const Tally& other);

    [[nodiscard]] std::uint64_t count(std::string_view reply) const;

    [[nodiscard]] const std::map<std::string, std::uint64_t, std::less<>>& counts() const {
        return counts_;
    }

    [[nodiscard]] const Durations& durations() const { return durations_; }

    /// How many were judged: create, take_over, replay, conflict, in_progress, unknown, expired and
    /// incomparable. What could not be read, and what failed, was not.
    [[nodiscard]] std::uint64_t judged() const;

    /// Replays, and conflicts, as a share of what was judged; nothing where nothing was.
    [[nodiscard]] std::optional<double> replay_rate() const;
    [[nodiscard]] std::optional<double> conflict_rate() const;

    friend bool operator==(const Tally&, const Tally&) = default;

private:
    [[nodiscard]] std::optional<double> rate(std::string_view reply) const;

    std::map<std::string, std::uint64_t, std::less<>> counts_;
    Durations durations_;
};

/// Tallies by the name of the call: `once`, `claim`, `complete`.
using Tallies = std::map<std::string, Tally, std::less<>>;

}  // namespace counterfoil
