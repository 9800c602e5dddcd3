#include "counterfoil/sqlite/field_lines.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace counterfoil::sqlite {

namespace {

constexpr std::string_view escaped_bytes{"\\\n\r\0:", 5};
constexpr std::string_view escape_letters{"\\nr0:", 5};
constexpr std::string_view escaped_in_values = escaped_bytes.substr(0, 4);

void append(std::string& lines, std::string_view text, std::string_view escaped) {
    while (true) {
        const std::size_t at = text.find_first_of(escaped);
        lines += text.substr(0, at);
        if (at == std::string_view::npos) return;
        lines += '\\';
        lines += escape_letters[escaped_bytes.find(text[at])];
        text.remove_prefix(at + 1);
    }
}

/// For each byte, whether a name or a value ends there or has an escape.
using Stops = std::array<bool, 256>;

constexpr Stops stops_of(std::string_view bytes) {
    Stops stops{};
    for (const char byte : bytes) stops.at(static_cast<unsigned char>(byte)) = true;
    return stops;
}

constexpr Stops stops_of_names = stops_of(escaped_bytes);
constexpr Stops stops_of_values = stops_of(escaped_in_values);

/// Takes what stands before the first `end` that is not escaped, and `end` itself. What would be
/// escaped has to be, and nothing else.
std::optional<std::string> take_until(char end, std::string_view& lines) {
    const Stops& stops = end == ':' ? stops_of_names : stops_of_values;
    const std::string_view letters =
        end == ':' ? escape_letters : escape_letters.substr(0, escaped_in_values.size());
    std::string text;
    while (true) {
        const auto* const found = std::find_if(lines.begin(), lines.end(), [&](char byte) {
            return stops.at(static_cast<unsigned char>(byte));
        });
        if (found == lines.end()) return std::nullopt;
        const auto at = static_cast<std::size_t>(found - lines.begin());
        const std::string_view before = lines.substr(0, at);
        lines.remove_prefix(at + 1);
        if (*found == end && text.empty()) return std::string{before};
        text += before;
        if (*found == end) return text;
        if (*found != '\\' || lines.empty()) return std::nullopt;
        const std::size_t letter = letters.find(lines.front());
        if (letter == std::string_view::npos) return std::nullopt;
        text += escaped_bytes[letter];
        lines.remove_prefix(1);
    }
}

}  // namespace

std::string to_lines(const std::vector<Field>& fields) {
    std::string lines;
    for (const Field& field : fields) {
        append(lines, field.name, escaped_bytes);
        lines += ':';
        append(lines, field.value, escaped_in_values);
        lines += '\n';
    }
    return lines;
}

std::optional<std::vector<Field>> from_lines(std::string_view lines) {
    std::vector<Field> fields;
    while (!lines.empty()) {
        std::optional<std::string> name = take_until(':', lines);
        if (!name) return std::nullopt;
        std::optional<std::string> value = take_until('\n', lines);
        if (!value) return std::nullopt;
        fields.push_back({*std::move(name), *std::move(value)});
    }
    return fields;
}

}  // namespace counterfoil::sqlite
