#include "counterfoil/http/media_type.hpp"

#include "counterfoil/http/field_text.hpp"

namespace counterfoil::http {

namespace {

/// Eats from the front of a text; an empty token is a failure, at at().
class Reader {
public:
    explicit Reader(std::string_view text) : text_{text} {}

    [[nodiscard]] std::size_t at() const { return at_; }

    [[nodiscard]] bool is_done() const { return at_ == text_.size(); }

    bool take(char c) {
        if (is_done() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    void skip_space() {
        while (take(' ') || take('\t')) {
        }
    }

    std::string_view token() {
        const auto first = at_;
        while (!is_done() && is_token_byte(text_[at_])) ++at_;
        return text_.substr(first, at_ - first);
    }

    /// A token or a quoted string.
    std::optional<std::string> value() {
        if (!take('"')) {
            const auto bare = token();
            return bare.empty() ? std::nullopt : std::optional{std::string{bare}};
        }
        std::string unquoted;
        while (!is_done() && text_[at_] != '"') {
            if (text_[at_] == '\\') ++at_;
            if (!is_done()) unquoted += text_[at_++];
        }
        return take('"') ? std::optional{unquoted} : std::nullopt;
    }

private:
    std::string_view text_;
    std::size_t at_{};
};

}  // namespace

bool MediaType::is_json() const {
    return type == "application/json" || type.ends_with("+json");
}

Result<MediaType, MediaTypeError> parse_media_type(std::string_view text) {
    Reader reader{text};
    MediaType made;
    const auto type = reader.token();
    if (type.empty() || !reader.take('/')) return MediaTypeError{reader.at()};
    const auto subtype = reader.token();
    if (subtype.empty()) return MediaTypeError{reader.at()};
    made.type = lowered(type) + '/' + lowered(subtype);
    for (reader.skip_space(); reader.take(';'); reader.skip_space()) {
        reader.skip_space();
        const auto name = reader.token();
        if (name.empty()) continue;  // `;` with nothing behind it
        if (!reader.take('=')) return MediaTypeError{reader.at()};
        auto value = reader.value();
        if (!value) return MediaTypeError{reader.at()};
        if (is_name(name, "charset") && !made.charset) made.charset = lowered(*value);
    }
    if (!reader.is_done()) return MediaTypeError{reader.at()};
    return made;
}

}  // namespace counterfoil::http
