#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace counterfoil::http {

// What names and values of header fields are made of. Case is that of ASCII, whatever the locale.

[[nodiscard]] inline char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

[[nodiscard]] inline std::string lowered(std::string_view text) {
    std::string out{text};
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return lowered(c); });
    return out;
}

/// Whether two names are the same field's.
[[nodiscard]] inline bool is_name(std::string_view one, std::string_view other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](char a, char b) { return lowered(a) == lowered(b); });
}

/// Without the spaces and tabs at both ends, which are no part of a field's value.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view space = " \t";
    const auto first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Whether a byte may stand in a token, such as a field's name.
///
/// Source: RFC 9110 section 5.6.2.
[[nodiscard]] inline bool is_token_byte(char c) {
    const char lower = lowered(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view{"!#$%&'*+-.^_`|~"}.find(c) != std::string_view::npos;
}

[[nodiscard]] inline bool is_token(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_token_byte(c); });
}

}  // namespace counterfoil::http
