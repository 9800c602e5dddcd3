#include "counterfoil/span_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace counterfoil {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t us;
};

constexpr std::array<Unit, 6> units{{
    {"d", 86'400'000'000},
    {"h", 3'600'000'000},
    {"m", 60'000'000},
    {"s", 1'000'000},
    {"ms", 1'000},
    {"us", 1},
}};

}  // namespace

Result<Span, SpanFault> parse_span(std::string_view text) {
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto* const unit = std::find_if(units.begin(), units.end(), [&](const Unit& each) {
        return each.name == text.substr(digits);
    });
    if (digits == 0 || unit == units.end()) return SpanFault::malformed;

    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + digits, number);
    std::int64_t us = 0;
    if (read.ec != std::errc{} || __builtin_mul_overflow(number, unit->us, &us)) {
        return SpanFault::too_long;
    }
    return Span{us};
}

std::string to_text(Span span) {
    if (span == Span::zero()) return "0s";
    const auto* const unit = std::find_if(
        units.begin(), units.end(), [&](const Unit& each) { return span.count() % each.us == 0; });
    std::string text = std::to_string(span.count() / unit->us);
    text += unit->name;
    return text;
}

}  // namespace counterfoil
