#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

// The order of member names: by the UTF-16 code units of the unescaped name (RFC 8785, section
// 3.2.3), told on UTF-8 without converting. The two orders differ only where a character above
// U+FFFF, which UTF-16 spells with units from 0xD800, meets one from U+E000 to U+FFFF: in UTF-8 the
// former begin with F0 to F4, the latter with EE and EF. No other byte of UTF-8 has these values,
// so setting one bit in EE and EF lifts them above F4, and unsigned bytes compare as the units do.

namespace counterfoil::detail {

/// Eight bytes of a name as a number that compares as their UTF-16 code units do.
[[nodiscard]] constexpr std::uint64_t order_word(std::uint64_t big_endian) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101;
    if ((big_endian & (ones * 0x80)) == 0) return big_endian;
    // 0x80 in each byte that is EE or EF: all bits but the lowest are those of EE.
    const std::uint64_t other = (big_endian ^ (ones * 0xEE)) & (ones * 0xFE);
    const std::uint64_t found = ~(((other & (ones * 0x7F)) + ones * 0x7F) | other | (ones * 0x7F));
    return big_endian | (found >> 3U);
}

/// The eight bytes at `at` as a big-endian number.
[[nodiscard]] inline std::uint64_t big_endian_word(const char* at) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word;
}

/// The order of a name's first eight bytes, filled up with zeros.
///
/// Words that differ tell the order of the names; equal ones leave it open.
///
/// Requires: eight bytes at `name` may be read, whatever the size.
[[nodiscard]] inline std::uint64_t first_word(const char* name, std::size_t size) noexcept {
    if (size == 0) return 0;
    const std::uint64_t word = big_endian_word(name);
    return order_word(size >= 8 ? word : word & (~std::uint64_t{0} << (8 * (8 - size))));
}

/// The order of two names whose first words are equal.
[[nodiscard]] inline std::strong_ordering compare_beyond_first_word(std::string_view a,
                                                                    std::string_view b) noexcept {
    const std::size_t common = std::min(a.size(), b.size());
    std::size_t at = 8;
    while (at < common) {
        // The last word overlaps what has been found equal, so that no byte beyond is touched.
        at = std::min(at, common - 8);
        const std::uint64_t word_a = big_endian_word(a.data() + at);
        const std::uint64_t word_b = big_endian_word(b.data() + at);
        if (word_a != word_b) return order_word(word_a) <=> order_word(word_b);
        at += 8;
    }
    return a.size() <=> b.size();
}

}  // namespace counterfoil::detail
