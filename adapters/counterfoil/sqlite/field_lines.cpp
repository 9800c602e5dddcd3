#include "counterfoil/sqlite/field_lines.hpp"

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

bool is_stop(char byte, char end) {
    return byte == end || byte == '\\' || byte == '\n' || byte == '\r' || byte == '\0';
}

/// Takes what stands before the first `end` that is not escaped, and `end` itself. What would be
/// escaped has to be, and nothing else.
std::optional<std::string> take_until(char end, std::string_view& lines) {
    const std::string_view letters =
        end == ':' ? escape_letters : escape_letters.substr(0, escaped_in_values.size());
    std::string text;
    while (true) {
        std::size_t at = 0;
        while (at < lines.size() && !is_stop(lines[at], end)) ++at;
        if (at == lines.size()) return std::nullopt;
        text.append(lines, 0, at);
        const char stop = lines[at];
        lines.remove_prefix(at + 1);
        if (stop == end) return text;
        if (stop != '\\' || lines.empty()) return std::nullopt;
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
