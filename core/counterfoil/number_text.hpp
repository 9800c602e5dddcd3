#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "counterfoil/canonical_json.hpp"

namespace counterfoil::detail {

/// How far a number token reaches, or where it stops being one.
struct NumberEnd {
    const char* at;
    bool
        valid;  ///< otherwise `at` is the first byte that can't stand there, or the end of the text
};

/// Finds the end of the number that begins at `in`, as the grammar of RFC 8259 has it.
[[nodiscard]] NumberEnd number_end(const char* in, const char* end) noexcept;

/// How many bytes the canonical form of a token may take at most.
[[nodiscard]] constexpr std::size_t max_number_size(std::size_t token_size) noexcept {
    return token_size + 32;
}

/// Writes the canonical form of a number token and returns the end of it; null if the number lies
/// outside what `numbers` can tell apart.
///
/// exact: the decimal value as it stands, refused if its exponent in scientific notation lies
/// beyond
/// +-999,999,999. ieee754: the nearest double, refused if that is infinite; what is too small is 0.
/// No double is involved in the former. Zero is `0`, whatever its sign and exponent. Both are laid
/// out as ECMAScript's Number::toString does.
///
/// Requires: number_end has accepted the token; `out` has room for max_number_size.
/// Source:   RFC 8785 section 3.2.2.3; ECMA-262, Number::toString.
[[nodiscard]] char* write_number(std::string_view token, Numbers numbers, char* out) noexcept;

}  // namespace counterfoil::detail
