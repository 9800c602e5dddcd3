#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace counterfoil::http {

namespace item {

/// No item; the first byte that can't be part of one.
struct Malformed {
    std::size_t at{};

    friend bool operator==(const Malformed&, const Malformed&) = default;
};

struct String {
    std::string text;

    friend bool operator==(const String&, const String&) = default;
};

/// An item of another type: a number, a token, a byte sequence, a boolean, a date, a display
/// string.
struct Other {
    friend bool operator==(const Other&, const Other&) = default;
};

}  // namespace item

using Item = std::variant<item::String, item::Other, item::Malformed>;

/// Reads a structured field's item, of which only strings are of interest here. Its parameters are
/// read as well, since they have to be well written, and are dropped.
///
/// Source: RFC 9651 section 4.2 and its subsections.
[[nodiscard]] Item parse_item(std::string_view text);

}  // namespace counterfoil::http
