#include "counterfoil/http/key_field.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "counterfoil/describe.hpp"
#include "counterfoil/http/field_text.hpp"
#include "counterfoil/http/item.hpp"

namespace counterfoil::http {

namespace {

using Written = Result<std::string, KeyFieldError>;

// What a line says the key is, and where it stops saying so.
Written read_string(std::string_view line) {
    const Item item = parse_item(line);
    if (const auto* malformed = std::get_if<item::Malformed>(&item)) {
        return KeyFieldError{KeyFieldFault::malformed, malformed->at, {}};
    }
    if (const auto* string = std::get_if<item::String>(&item)) return string->text;
    return KeyFieldError{KeyFieldFault::not_a_string, 0, {}};
}

Written read_either(std::string_view line) {
    if (line.starts_with('"')) return read_string(line);
    const auto at = line.find_first_of("\",;");
    if (at != std::string_view::npos) return KeyFieldError{KeyFieldFault::malformed, at, {}};
    return std::string{line};
}

Result<Key, KeyFieldError> as_key(const Written& written, const KeyRules& rules) {
    if (!written) return written.error();
    auto key = parse_key(*written, rules);
    if (!key) return KeyFieldError{KeyFieldFault::not_a_key, 0, key.error()};
    return *std::move(key);
}

Result<Key, KeyFieldError> parse_strict(const std::vector<std::string_view>& lines,
                                        const KeyRules& rules) {
    if (std::all_of(lines.begin(), lines.end(), [](auto line) { return trimmed(line).empty(); })) {
        return KeyFieldError{KeyFieldFault::missing, 0, {}};
    }
    if (lines.size() > 1) {
        return KeyFieldError{KeyFieldFault::malformed, lines.front().size(), {}};
    }
    return as_key(read_string(lines.front()), rules);
}

Result<Key, KeyFieldError> parse_either(const std::vector<std::string_view>& lines,
                                        const KeyRules& rules) {
    std::optional<Key> found;
    bool differ = false;
    for (const auto untrimmed : lines) {
        const auto line = trimmed(untrimmed);
        if (line.empty()) continue;
        auto written = read_either(line);
        if (!written && written.error().fault == KeyFieldFault::malformed) {
            auto error = written.error();
            error.at += untrimmed.find_first_not_of(" \t");
            return error;
        }
        auto key = as_key(written, rules);
        if (!key) return std::move(key).error();
        if (found && *found != *key) differ = true;
        found = *std::move(key);
    }
    if (!found) return KeyFieldError{KeyFieldFault::missing, 0, {}};
    if (differ) return KeyFieldError{KeyFieldFault::differing_lines, 0, {}};
    return *std::move(found);
}

}  // namespace

Result<Key, KeyFieldError> parse_key_field(const std::vector<std::string_view>& lines,
                                           const KeyRules& rules, KeySyntax syntax) {
    return syntax == KeySyntax::string_only ? parse_strict(lines, rules)
                                            : parse_either(lines, rules);
}

std::string describe(const KeyFieldError& error) {
    switch (error.fault) {
        case KeyFieldFault::missing: return "there is no key";
        case KeyFieldFault::differing_lines: return "there are several lines, with different keys";
        case KeyFieldFault::malformed:
            return "no well written string, from byte " + std::to_string(error.at) + " on";
        case KeyFieldFault::not_a_string:
            return "the key has to be a string: put it in double quotes";
        case KeyFieldFault::not_a_key: break;
    }
    return "the key is refused: " + counterfoil::describe(error.name.value_or(NameError{}));
}

}  // namespace counterfoil::http
