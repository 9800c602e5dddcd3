#pragma once

#include <string>
#include <string_view>

#include "counterfoil/instant.hpp"
#include "counterfoil/result.hpp"

namespace counterfoil {

enum class SpanFault {
    malformed,  ///< not a whole number and a unit with nothing else
    too_long,   ///< more than 9223372036854775807 microseconds
};

/// Reads a span as policy files and command lines write it: a whole number and one of us, ms, s, m,
/// h, d (of 24 hours), with nothing before, between or behind: `30s`, `1500ms`, `30d`.
[[nodiscard]] Result<Span, SpanFault> parse_span(std::string_view text);

/// The span in the largest unit that leaves a whole number; zero is `0s`. parse_span() reads it
/// back, but for negative spans, which no file says.
[[nodiscard]] std::string to_text(Span span);

}  // namespace counterfoil
