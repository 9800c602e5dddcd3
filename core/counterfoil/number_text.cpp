#include "counterfoil/number_text.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstring>
#include <system_error>

namespace counterfoil::detail {

namespace {

constexpr std::int64_t max_exponent = 999'999'999;

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

const char* digits_end(const char* in, const char* end) {
    while (in != end && is_digit(*in)) ++in;
    return in;
}

// The value 0.d1d2... times ten to the power of `point`, where d1 and the last digit aren't 0.
// The digits lie in the token; a decimal point may stand among them.
struct Decimal {
    bool negative = false;
    const char* first = nullptr;
    const char* last = nullptr;  // behind the last digit
    std::size_t digits = 0;      // 0: the value is zero
    std::int64_t point = 0;
};

// Exponents of more digits than count are all the same: far beyond every limit, and far from what
// a sum with the size of a text could overflow.
std::int64_t exponent_of(const char* in, const char* end) {
    constexpr std::int64_t saturated = 1'000'000'000'000'000'000;
    if (in == end) return 0;
    ++in;
    const bool negative = *in == '-';
    if (*in == '-' || *in == '+') ++in;
    std::int64_t value = 0;
    for (; in != end; ++in) {
        value = std::min(value * 10 + (*in - '0'), saturated / 10);
    }
    return negative ? -value : value;
}

Decimal decimal_of(std::string_view token) {
    Decimal decimal;
    const char* in = token.data();
    const char* const end = in + token.size();
    decimal.negative = *in == '-';
    if (decimal.negative) ++in;
    const char* const integer_end = digits_end(in, end);
    const char* fraction = integer_end;
    const char* mantissa_end = integer_end;
    if (integer_end != end && *integer_end == '.') {
        fraction = integer_end + 1;
        mantissa_end = digits_end(fraction, end);
    }

    const char* first = in;
    while (first != mantissa_end && (*first == '0' || *first == '.')) ++first;
    if (first == mantissa_end) return decimal;
    const char* last = mantissa_end;
    while (last[-1] == '0' || last[-1] == '.') --last;

    const bool split = first < integer_end && last > fraction;
    decimal.first = first;
    decimal.last = last;
    decimal.digits = static_cast<std::size_t>(last - first) - (split ? 1 : 0);
    decimal.point = (first < integer_end ? integer_end - first : fraction - first) +
                    exponent_of(mantissa_end, end);
    return decimal;
}

char* copy_digits(const Decimal& decimal, char* out) {
    assert(decimal.digits != 0);
    const auto size = static_cast<std::size_t>(decimal.last - decimal.first);
    if (size == decimal.digits) {
        std::memcpy(out, decimal.first, size);
        return out + size;
    }
    const char* const point = std::find(decimal.first, decimal.last, '.');
    return std::copy(point + 1, decimal.last, std::copy(decimal.first, point, out));
}

char* write_exponent(std::int64_t exponent, char* out) {
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    std::array<char, 12> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(),
                                            exponent < 0 ? -exponent : exponent);
    assert(error == std::errc{});
    return std::copy(digits.data(), end, out);
}

// Puts a decimal point or an exponent to the digits that stand at `out`, in place.
char* lay_out(char* out, std::size_t digits, std::int64_t point) {
    const auto count = static_cast<std::int64_t>(digits);
    if (count <= point && point <= 21) {
        std::fill(out + count, out + point, '0');
        return out + point;
    }
    if (0 < point && point <= 21) {
        std::memmove(out + point + 1, out + point, static_cast<std::size_t>(count - point));
        out[point] = '.';
        return out + count + 1;
    }
    if (-6 < point && point <= 0) {
        std::memmove(out + 2 - point, out, digits);
        std::fill(out, out + 2 - point, '0');
        out[1] = '.';
        return out + 2 - point + count;
    }
    if (digits == 1) return write_exponent(point - 1, out + 1);
    std::memmove(out + 2, out + 1, digits - 1);
    out[1] = '.';
    return write_exponent(point - 1, out + count + 1);
}

char* write_double(std::string_view token, const Decimal& decimal, char* out) {
    double value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error == std::errc::result_out_of_range) {
        // Overflow and underflow are reported alike; no double is in doubt near 1.
        if (decimal.point > 0) return nullptr;
        value = 0;
    }
    if (value == 0) {
        *out++ = '0';
        return out;
    }
    std::array<char, 32> text{};
    const auto shortest =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    assert(end == token.data() + token.size() && shortest.ec == std::errc{});
    const Decimal rounded =
        decimal_of({text.data(), static_cast<std::size_t>(shortest.ptr - text.data())});
    if (rounded.negative) *out++ = '-';
    copy_digits(rounded, out);
    return lay_out(out, rounded.digits, rounded.point);
}

// Whether a double keeps all digits: 15 of them survive wherever doubles have full precision.
bool survives_as_double(const Decimal& decimal) {
    return decimal.digits <= 15 && -300 < decimal.point && decimal.point < 300;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-cognitive-complexity): the grammar, one line a rule
NumberEnd number_end(const char* in, const char* end) noexcept {
    if (in != end && *in == '-') ++in;
    if (in == end || !is_digit(*in)) return {in, false};
    in = *in == '0' ? in + 1 : digits_end(in, end);
    if (in != end && *in == '.') {
        ++in;
        if (in == end || !is_digit(*in)) return {in, false};
        in = digits_end(in, end);
    }
    if (in != end && (*in == 'e' || *in == 'E')) {
        ++in;
        if (in != end && (*in == '+' || *in == '-')) ++in;
        if (in == end || !is_digit(*in)) return {in, false};
        in = digits_end(in, end);
    }
    return {in, true};
}

char* write_number(std::string_view token, Numbers numbers, char* out) noexcept {
    const Decimal decimal = decimal_of(token);
    if (decimal.digits == 0) {
        *out++ = '0';
        return out;
    }
    if (numbers == Numbers::ieee754 && !survives_as_double(decimal)) {
        return write_double(token, decimal, out);
    }
    const std::int64_t exponent = decimal.point - 1;
    if (exponent < -max_exponent || exponent > max_exponent) return nullptr;
    if (decimal.negative) *out++ = '-';
    copy_digits(decimal, out);
    return lay_out(out, decimal.digits, decimal.point);
}

}  // namespace counterfoil::detail
