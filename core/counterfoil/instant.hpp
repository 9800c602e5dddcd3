#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>

namespace counterfoil {

/// The core's clock: UTC in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// It has no now(): time is an argument of whatever decides, and only adapters read a clock.
struct Timeline {
    using rep = std::int64_t;
    using period = std::micro;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<Timeline>;
    static constexpr bool is_steady = false;
};

using Span = Timeline::duration;
using Instant = Timeline::time_point;

namespace detail {

[[nodiscard]] constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b > 0 ? std::numeric_limits<std::int64_t>::max()
                 : std::numeric_limits<std::int64_t>::min();
}

[[nodiscard]] constexpr std::int64_t saturating_subtract(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a, b, &difference)) return difference;
    return b < 0 ? std::numeric_limits<std::int64_t>::max()
                 : std::numeric_limits<std::int64_t>::min();
}

}  // namespace detail

// Arithmetic on instants saturates and never wraps: Instant::max() is "never", and a window of any
// length added to it still is. These operators are found beside those of <chrono> because Timeline
// is ours, and win because they are no templates.

[[nodiscard]] constexpr Instant operator+(Instant at, Span span) noexcept {
    return Instant{Span{detail::saturating_add(at.time_since_epoch().count(), span.count())}};
}

[[nodiscard]] constexpr Instant operator-(Instant at, Span span) noexcept {
    return Instant{Span{detail::saturating_subtract(at.time_since_epoch().count(), span.count())}};
}

[[nodiscard]] constexpr Span operator-(Instant to, Instant from) noexcept {
    return Span{detail::saturating_subtract(to.time_since_epoch().count(),
                                            from.time_since_epoch().count())};
}

// A coarser unit overflows on its way to microseconds before anything here could saturate, so the
// caller says Span{...} where the figure is known to be small.
template <class Rep, class Period>
Instant operator+(Instant, std::chrono::duration<Rep, Period>) = delete;
template <class Rep, class Period>
Instant operator-(Instant, std::chrono::duration<Rep, Period>) = delete;

/// The instant as RFC 3339 text in UTC with microseconds, `2026-12-01T09:30:00.000000Z`.
///
/// Years outside 0000 to 9999, which RFC 3339 can't write, get a sign (ISO 8601, expanded).
/// Instant::max() is "never", as it is where arithmetic saturates.
///
/// Source: RFC 3339 section 5.6.
[[nodiscard]] std::string to_rfc3339(Instant at);

/// Reads RFC 3339 text in UTC, with up to six digits of a second's fraction:
/// `2026-12-01T09:30:00Z`. It reads back what to_rfc3339() writes of years 0000 to 9999.
///
/// Returns: nothing for any other text, other offsets and leap seconds among it.
/// Source:  RFC 3339 section 5.6.
[[nodiscard]] std::optional<Instant> from_rfc3339(std::string_view text);

}  // namespace counterfoil
