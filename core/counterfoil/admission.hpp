#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>

#include "counterfoil/instant.hpp"

namespace counterfoil {

/// What a request would do, as far as admission goes.
enum class Access {
    create,  ///< has an effect that must not outrun its limit: refused where nobody can tell
    read,    ///< has none: may go on for a while where nobody can tell
};

// What the dependency that keeps the budget (a limiter, a quota service) has said.
namespace budget {

/// It is up, and there is budget left.
struct Within {
    friend bool operator==(const Within&, const Within&) = default;
};

/// It is up, and the budget is known to be spent.
struct Spent {
    Span back_in{};  ///< until there is some again
    friend bool operator==(const Spent&, const Spent&) = default;
};

/// It is down: it did not answer, or not in time.
struct Unreachable {
    friend bool operator==(const Unreachable&, const Unreachable&) = default;
};

}  // namespace budget

using Budget = std::variant<budget::Within, budget::Spent, budget::Unreachable>;

/// How far reads may go on while the dependency is down.
struct FallbackRule {
    std::int64_t reads{};                           ///< at most, in each window; 0 or less: none
    Span window{std::chrono::seconds{1}};           ///< above 0
    Span create_again_in{std::chrono::seconds{1}};  ///< what a refused create is told to wait

    friend bool operator==(const FallbackRule&, const FallbackRule&) = default;
};

/// How much of a window's fallback has been used: the caller's to keep, one for each budget.
struct FallbackUse {
    Instant opened;
    std::int64_t reads{};

    friend bool operator==(const FallbackUse&, const FallbackUse&) = default;
};

// What admit() comes to.
namespace admission {

struct Admitted {
    friend bool operator==(const Admitted&, const Admitted&) = default;
};

/// Admitted though nobody could tell. Requires: `use` is kept in the place of the one that was
/// passed in, before another read is asked about.
struct FellOpen {
    FallbackUse use;
    friend bool operator==(const FellOpen&, const FellOpen&) = default;
};

enum class Ground {
    budget_spent,     ///< HTTP's 429
    dependency_down,  ///< HTTP's 503
};

struct Refused {
    Ground ground{};
    Span retry_after{};  ///< above 0
    friend bool operator==(const Refused&, const Refused&) = default;
};

}  // namespace admission

using Admission = std::variant<admission::Admitted, admission::FellOpen, admission::Refused>;

/// Says whether a request that has no receipt yet may run.
///
/// | dependency           | create          | read                                              |
/// |----------------------|-----------------|---------------------------------------------------|
/// | up, budget left      | admitted        | admitted                                          |
/// | up, budget spent     | budget_spent    | budget_spent                                      |
/// | down                 | dependency_down | fell_open, at most `rule.reads` times in a window;|
/// |                      |                 | then dependency_down until the window is over     |
///
/// It is to be asked only after judge() has given leave: a request that has a receipt is answered
/// by it, whatever a limiter would say. Stores that are set up with an Admitter
/// (store/admitter.hpp) see to that order.
///
/// A window opens with the first read that falls open, and ends `rule.window` later. Where the
/// clock was set back before its opening it opens anew, with what was used of it: nothing is
/// gained.
///
/// Requires: rule.window is above 0.
/// Threads: any; it keeps nothing.
/// Source: RFC 6585 section 4 (429), RFC 9110 sections 10.2.3 and 15.6.4 (Retry-After, 503).
[[nodiscard]] Admission admit(Access access, const Budget& budget, Instant now,
                              const FallbackRule& rule, const std::optional<FallbackUse>& used);

}  // namespace counterfoil
