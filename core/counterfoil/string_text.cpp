#include "counterfoil/string_text.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "counterfoil/utf8.hpp"

namespace counterfoil::detail {

namespace {

constexpr std::string_view hex = "0123456789abcdef";

int hex_value(char byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    const char lower = static_cast<char>(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_high_surrogate(std::uint32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(std::uint32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

StringStep failed(JsonFault fault, const char* at) {
    return {{at, nullptr}, fault};
}

// For a byte that can't stand where it does, or isn't there.
StringStep failed_at(const char* at, const char* end) {
    return failed(at == end ? JsonFault::unexpected_end : JsonFault::syntax, at);
}

char* write_utf8(std::uint32_t code_point, char* out) {
    const auto tail = [](std::uint32_t bits) { return static_cast<char>(0x80U | (bits & 0x3FU)); };
    if (code_point < 0x80) {
        *out++ = static_cast<char>(code_point);
        return out;
    }
    if (code_point < 0x800) {
        *out++ = static_cast<char>(0xC0U | (code_point >> 6U));
    } else {
        if (code_point < 0x10000) {
            *out++ = static_cast<char>(0xE0U | (code_point >> 12U));
        } else {
            *out++ = static_cast<char>(0xF0U | (code_point >> 18U));
            *out++ = tail(code_point >> 12U);
        }
        *out++ = tail(code_point >> 6U);
    }
    *out++ = tail(code_point);
    return out;
}

char* write_character(std::uint32_t code_point, char* out) {
    constexpr std::string_view letters = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";
    if (code_point == '"' || code_point == '\\') {
        *out++ = '\\';
        *out++ = static_cast<char>(code_point);
        return out;
    }
    if (code_point >= 0x20) return write_utf8(code_point, out);
    *out++ = '\\';
    *out++ = letters[code_point];
    if (letters[code_point] != 'u') return out;
    *out++ = '0';
    *out++ = '0';
    *out++ = hex[code_point >> 4U];
    *out++ = hex[code_point & 0xFU];
    return out;
}

struct CodeUnit {
    std::uint32_t value = 0;
    const char* at = nullptr;  // behind it, or where it stops being one
    bool valid = false;
};

// The four digits of `\uXXXX`.
CodeUnit code_unit(const char* in, const char* end) {
    CodeUnit unit{0, in, false};
    for (int i = 0; i < 4; ++i, ++unit.at) {
        const int digit = unit.at == end ? -1 : hex_value(*unit.at);
        if (digit < 0) return unit;
        unit.value = unit.value * 16 + static_cast<std::uint32_t>(digit);
    }
    unit.valid = true;
    return unit;
}

StringStep read_unicode_escape(Cursor c, const char* end) {
    const CodeUnit unit = code_unit(c.in + 2, end);
    if (!unit.valid) return failed_at(unit.at, end);
    if (is_low_surrogate(unit.value)) return failed(JsonFault::lone_surrogate, c.in);
    if (!is_high_surrogate(unit.value)) return {{unit.at, write_character(unit.value, c.out)}};

    const char* in = unit.at;
    for (const char expected : {'\\', 'u'}) {
        if (in == end) return failed(JsonFault::unexpected_end, in);
        if (*in != expected) return failed(JsonFault::lone_surrogate, c.in);
        ++in;
    }
    const CodeUnit low = code_unit(in, end);
    if (!low.valid) return failed_at(low.at, end);
    if (!is_low_surrogate(low.value)) return failed(JsonFault::lone_surrogate, c.in);
    const std::uint32_t code_point =
        0x10000U + ((unit.value - 0xD800U) << 10U) + (low.value - 0xDC00U);
    return {{low.at, write_utf8(code_point, c.out)}};
}

StringStep read_escape(Cursor c, const char* end) {
    const char* const letter = c.in + 1;
    if (letter == end) return failed(JsonFault::unexpected_end, end);
    switch (*letter) {
        case 'u': return read_unicode_escape(c, end);
        case '/': *c.out++ = '/'; break;
        case '"':
        case '\\':
        case 'b':
        case 'f':
        case 'n':
        case 'r':
        case 't':
            *c.out++ = '\\';
            *c.out++ = *letter;
            break;
        default: return failed(JsonFault::syntax, letter);
    }
    return {{letter + 1, c.out}};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-cognitive-complexity): one branch for each kind of byte
StringStep read_special(Cursor c, const char* end) noexcept {
    StringStep step{c};
    while (step.cursor.in != end) {
        Cursor& at = step.cursor;
        const auto byte = static_cast<unsigned char>(*at.in);
        if (byte == '\\') {
            step = read_escape(at, end);
            if (step.cursor.out == nullptr) return step;
        } else if (byte >= 0x80) {
            const std::size_t size = utf8_sequence(at.in, end);
            if (size == 0) {
                if (is_cut_utf8(at.in, end)) return failed(JsonFault::unexpected_end, end);
                return failed(JsonFault::invalid_utf8, at.in);
            }
            at.out = std::copy(at.in, at.in + size, at.out);
            at.in += size;
        } else if (byte < 0x20) {
            return failed(JsonFault::syntax, at.in);
        } else {
            return step;
        }
    }
    return step;
}

char* unescape(const char* in, const char* end, char* out) noexcept {
    constexpr std::string_view letters = "btnfr";
    constexpr std::string_view controls = "\b\t\n\f\r";
    while (in != end) {
        if (*in != '\\') {
            *out++ = *in++;
            continue;
        }
        ++in;
        if (*in == 'u') {
            *out++ = static_cast<char>(hex_value(in[3]) * 16 + hex_value(in[4]));
            in += 5;
            continue;
        }
        const std::size_t letter = letters.find(*in);
        *out++ = letter == std::string_view::npos ? *in : controls[letter];
        ++in;
    }
    return out;
}

}  // namespace counterfoil::detail
