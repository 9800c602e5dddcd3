#include "counterfoil/http/item.hpp"

#include <cstdint>
#include <optional>

#include "counterfoil/http/field_text.hpp"
#include "counterfoil/is_utf8.hpp"

namespace counterfoil::http {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

bool is_alpha(char c) {
    return is_lower(lowered(c));
}

bool is_one_of(std::string_view bytes, char c) {
    return bytes.find(c) != std::string_view::npos;
}

/// The algorithms of RFC 9651 section 4.2, which all eat from the front of one text. Each gives
/// false where it fails; at() is then where.
class Reader {
public:
    explicit Reader(std::string_view text) : text_{text} {}

    [[nodiscard]] std::size_t at() const { return at_; }

    [[nodiscard]] bool is_done() const { return at_ == text_.size(); }

    void skip_spaces() {
        while (is(' ')) ++at_;
    }

    /// A bare item; `string` is filled where it is one.
    bool bare_item(std::optional<std::string>& string) {
        if (is_done()) return false;
        const char first = text_[at_];
        if (first == '"') return quoted(string.emplace());
        if (first == '-' || is_digit(first)) return number();
        if (first == '*' || is_alpha(first)) return token();
        ++at_;
        switch (first) {
            case ':': return byte_sequence();
            case '?': return take('0') || take('1');
            case '@': return date();
            case '%': return display_string();
            default: break;
        }
        --at_;
        return false;
    }

    bool parameters() {
        while (take(';')) {
            skip_spaces();
            if (is_done() || !(text_[at_] == '*' || is_lower(text_[at_]))) return false;
            while (!is_done() &&
                   (is_lower(text_[at_]) || is_digit(text_[at_]) || is_one_of("_-.*", text_[at_])))
                ++at_;
            std::optional<std::string> dropped;
            if (take('=') && !bare_item(dropped)) return false;
        }
        return true;
    }

private:
    [[nodiscard]] bool is(char c) const { return !is_done() && text_[at_] == c; }

    bool take(char c) {
        if (!is(c)) return false;
        ++at_;
        return true;
    }

    bool quoted(std::string& string) {
        ++at_;
        for (; !is_done(); ++at_) {
            char c = text_[at_];
            if (c == '"') {
                ++at_;
                return true;
            }
            if (c < 0x20 || c > 0x7E) return false;
            if (c == '\\') {
                ++at_;
                if (is_done() || !is_one_of("\"\\", text_[at_])) return false;
                c = text_[at_];
            }
            string += c;
        }
        return false;
    }

    // At most 15 digits; or 12, a point, and 1 to 3.
    bool number() {
        take('-');
        const std::size_t whole = digits();
        if (whole == 0 || whole > 15) return false;
        if (!is('.')) return true;
        if (whole > 12) return false;
        ++at_;
        const std::size_t fraction = digits();
        return fraction >= 1 && fraction <= 3;
    }

    std::size_t digits() {
        const auto first = at_;
        while (!is_done() && is_digit(text_[at_])) ++at_;
        return at_ - first;
    }

    bool token() {
        while (!is_done() && (is_token_byte(text_[at_]) || is_one_of(":/", text_[at_]))) ++at_;
        return true;
    }

    // Padding is asked for by no reader: the RFC has them take what lacks it.
    bool byte_sequence() {
        while (!is_done() &&
               (is_alpha(text_[at_]) || is_digit(text_[at_]) || is_one_of("+/", text_[at_])))
            ++at_;
        while (is('=')) ++at_;
        return take(':');
    }

    bool date() {
        const auto first = at_;
        return number() && text_.substr(first, at_ - first).find('.') == std::string_view::npos;
    }

    bool display_string() {
        if (!take('"')) return false;
        std::string decoded;
        for (; !is_done(); ++at_) {
            const char c = text_[at_];
            if (c < 0x20 || c > 0x7E) return false;
            if (c == '"') {
                ++at_;
                return detail::is_utf8(decoded);
            }
            if (c != '%') {
                decoded += c;
                continue;
            }
            const auto octet = lower_hex(text_.substr(at_ + 1, 2));
            if (!octet) return false;
            decoded += static_cast<char>(*octet);
            at_ += 2;
        }
        return false;
    }

    static std::optional<std::uint8_t> lower_hex(std::string_view pair) {
        constexpr std::string_view digits = "0123456789abcdef";
        if (pair.size() < 2) return std::nullopt;
        const auto high = digits.find(pair[0]);
        const auto low = digits.find(pair[1]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        return static_cast<std::uint8_t>(high * 16 + low);
    }

    std::string_view text_;
    std::size_t at_{};
};

}  // namespace

Item parse_item(std::string_view text) {
    Reader reader{text};
    std::optional<std::string> string;
    reader.skip_spaces();
    if (!reader.bare_item(string) || !reader.parameters()) return item::Malformed{reader.at()};
    reader.skip_spaces();
    if (!reader.is_done()) return item::Malformed{reader.at()};
    if (string) return item::String{*std::move(string)};
    return item::Other{};
}

}  // namespace counterfoil::http
