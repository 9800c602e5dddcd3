#pragma once

#include <array>
#include <cstddef>

namespace counterfoil::detail {

/// The size of the well-formed UTF-8 sequence at `in`, 1 to 4; 0 if there is none.
///
/// Overlong forms, surrogates and what lies above U+10FFFF are not well-formed.
///
/// Source: The Unicode Standard, table 3-7.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): the table, one branch a row
[[nodiscard]] inline std::size_t utf8_sequence(const char* in, const char* end) noexcept {
    const auto byte = [in](std::size_t i) { return static_cast<unsigned char>(in[i]); };
    const auto within = [](unsigned value, unsigned low, unsigned high) {
        return value - low <= high - low;
    };
    const auto left = static_cast<std::size_t>(end - in);
    if (left == 0) return 0;
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (within(lead, 0xC2, 0xDF)) return left >= 2 && within(byte(1), 0x80, 0xBF) ? 2 : 0;
    if (within(lead, 0xE0, 0xEF)) {
        if (left < 3) return 0;
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;
        return within(byte(1), low, high) && within(byte(2), 0x80, 0xBF) ? 3 : 0;
    }
    if (within(lead, 0xF0, 0xF4)) {
        if (left < 4) return 0;
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return within(byte(1), low, high) && within(byte(2), 0x80, 0xBF) &&
                       within(byte(3), 0x80, 0xBF)
                   ? 4
                   : 0;
    }
    return 0;
}

/// Whether the bytes at `in` are all there is of a sequence that more bytes could complete.
[[nodiscard]] inline bool is_cut_utf8(const char* in, const char* end) noexcept {
    // Fill up with the continuation byte that every truncated sequence allows at its end.
    const auto left = static_cast<std::size_t>(end - in);
    if (left == 0 || left > 3) return false;
    std::array<char, 4> padded{};
    for (std::size_t i = 0; i < left; ++i) padded.at(i) = in[i];
    // After a lead byte alone the second byte's range depends on it; 0xA0 and 0x80, 0x90 cover all.
    for (const char second : {'\x80', '\x90', '\xA0'}) {
        for (std::size_t i = left; i < 4; ++i) padded.at(i) = i == 1 ? second : '\x80';
        for (std::size_t size = left + 1; size <= 4; ++size) {
            if (utf8_sequence(padded.data(), padded.data() + size) == size) return true;
        }
    }
    return false;
}

}  // namespace counterfoil::detail
