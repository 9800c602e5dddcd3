#include "counterfoil/names.hpp"

#include <cstdint>
#include <limits>

namespace counterfoil {

namespace {

constexpr bool is_visible(char c) {
    return c > ' ' && c <= '~';
}

/// Why a text is no name of these rules, if it is none. `allowed` is asked about each place.
template <class Allowed>
std::optional<NameError> fault_of(std::string_view text, std::size_t min_length,
                                  std::size_t max_length, Allowed allowed) {
    const auto length = text.size();
    if (length == 0) return NameError{NameFault::empty, 0, 0};
    if (text.find_first_not_of(" \t") == std::string_view::npos) {
        return NameError{NameFault::blank, 0, length};
    }
    if (length < min_length) return NameError{NameFault::too_short, min_length, length};
    if (length > max_length) return NameError{NameFault::too_long, max_length, length};
    for (std::size_t at = 0; at < length; ++at) {
        if (!allowed(at)) return NameError{NameFault::forbidden_byte, at, length};
    }
    return std::nullopt;
}

}  // namespace

/// The one way to a name.
class detail::NameParser {
public:
    /// A key, under whatever rules.
    template <class Tag>
    static Result<Name<Tag>, NameError> parse(std::string_view text, const KeyRules& rules) {
        const auto allowed = [&](std::size_t at) {
            return rules.allowed[static_cast<std::uint8_t>(text[at])];
        };
        return made<Tag>(text, fault_of(text, rules.min_length, rules.max_length, allowed));
    }

    /// A name that the service itself gives: 1 to 255 bytes, spaces inside.
    template <class Tag>
    static Result<Name<Tag>, NameError> parse(std::string_view text) {
        const auto allowed = [&](std::size_t at) {
            const bool inside = at > 0 && at + 1 < text.size();
            return is_visible(text[at]) || (text[at] == ' ' && inside);
        };
        return made<Tag>(text, fault_of(text, 1, 255, allowed));
    }

private:
    template <class Tag>
    static Result<Name<Tag>, NameError> made(std::string_view text,
                                             const std::optional<NameError>& fault) {
        if (fault) return *fault;
        return Name<Tag>{std::string{text}};
    }
};

std::bitset<256> visible_ascii() {
    std::bitset<256> bytes;
    for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
        bytes[byte] = is_visible(static_cast<char>(byte));
    }
    return bytes;
}

KeyRules KeyRules::widest() {
    return {.min_length = 1,
            .max_length = std::numeric_limits<std::size_t>::max(),
            .allowed = std::bitset<256>{}.set()};
}

Result<Tenant, NameError> parse_tenant(std::string_view text) {
    return detail::NameParser::parse<TenantTag>(text);
}

Result<Operation, NameError> parse_operation(std::string_view text) {
    return detail::NameParser::parse<OperationTag>(text);
}

Result<Key, NameError> parse_key(std::string_view text, const KeyRules& rules) {
    return detail::NameParser::parse<KeyTag>(text, rules);
}

namespace {

constexpr unsigned none = 255;

constexpr char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

unsigned place_in(std::string_view alphabet, char digit) {
    const auto place = alphabet.find(upper(digit));
    return place == std::string_view::npos ? none : static_cast<unsigned>(place);
}

unsigned hex_value(char digit) {
    return place_in("0123456789ABCDEF", digit);
}

unsigned base32_value(char digit) {
    return place_in("0123456789ABCDEFGHJKMNPQRSTVWXYZ", digit);
}

bool is_hyphen_place(std::size_t at) {
    return at == 8 || at == 13 || at == 18 || at == 23;
}

bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool right = is_hyphen_place(at) ? text[at] == '-' : hex_value(text[at]) != none;
        if (!right) return false;
    }
    return true;
}

std::optional<std::int64_t> uuid_v7_milliseconds(std::string_view text) {
    if (!is_uuid(text) || text[14] != '7' || hex_value(text[19]) >> 2U != 0b10) return std::nullopt;
    std::int64_t milliseconds = 0;
    for (const char digit : text.substr(0, 13)) {
        if (digit != '-') milliseconds = milliseconds * 16 + hex_value(digit);
    }
    return milliseconds;
}

std::optional<std::int64_t> ulid_milliseconds(std::string_view text) {
    // 26 digits of 5 bits are 130 bits, two more than a ULID has.
    if (text.size() != 26 || base32_value(text[0]) > 7) return std::nullopt;
    std::int64_t milliseconds = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto value = base32_value(text[at]);
        if (value == none) return std::nullopt;
        if (at < 10) milliseconds = milliseconds * 32 + value;
    }
    return milliseconds;
}

}  // namespace

std::optional<Instant> birth(const Key& key) {
    auto milliseconds = uuid_v7_milliseconds(key.text());
    if (!milliseconds) milliseconds = ulid_milliseconds(key.text());
    if (!milliseconds) return std::nullopt;
    return Instant{Span{*milliseconds * 1'000}};  // 48 bits of milliseconds: it fits
}

}  // namespace counterfoil
