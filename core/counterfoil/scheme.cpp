#include "counterfoil/scheme.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace counterfoil {
namespace {

constexpr std::string_view keyed_prefix = "hmac-";
constexpr std::string_view only_option = "only=";
constexpr std::string_view omit_option = "omit=";
constexpr std::string_view secret_option = "secret=";
constexpr std::string_view upper_hex = "0123456789ABCDEF";

constexpr std::array<std::pair<Form, std::string_view>, 3> forms{{
    {Form::exact_json, "exact-json"},
    {Form::rfc8785, "rfc8785"},
    {Form::raw, "raw"},
}};

constexpr bool is_plain(char c) {
    return c > ' ' && c <= '~' && c != '%' && c != ',' && c != ';' && c != '=';
}

std::string_view name_of(Form form) {
    switch (form) {
        case Form::exact_json: return forms[0].second;
        case Form::rfc8785: return forms[1].second;
        case Form::raw: break;
    }
    return forms[2].second;
}

std::size_t escaped_size(std::string_view text) {
    const auto plain = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_plain));
    return plain + 3 * (text.size() - plain);
}

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (is_plain(c)) {
            out += c;
            continue;
        }
        const auto byte = static_cast<std::uint8_t>(c);
        out += '%';
        out += upper_hex[byte >> 4U];
        out += upper_hex[byte & 15U];
    }
}

std::string_view option_of(const FieldSelection& fields) {
    switch (fields.kind()) {
        case FieldSelection::Kind::everything: return {};
        case FieldSelection::Kind::only: return only_option;
        case FieldSelection::Kind::omit: break;
    }
    return omit_option;
}

/// Reads a name from left to right. Each step returns the fault it met, if any.
class Reader {
public:
    explicit Reader(std::string_view name) : name_(name) {}

    Result<Scheme, SchemeError> read() {
        if (const auto error = read_form()) return *error;
        while (at_ < name_.size()) {
            if (const auto error = read_option()) return *error;
        }
        if (keyed_ && !scheme_.secret) return SchemeError{SchemeFault::secret_missing, at_};
        return std::move(scheme_);
    }

private:
    using Fault = std::optional<SchemeError>;

    /// The piece from here up to the next `;` or the end, and steps over it.
    std::string_view take_piece() {
        const auto end = std::min(name_.find(';', at_), name_.size());
        const auto piece = name_.substr(at_, end - at_);
        at_ = end;
        return piece;
    }

    Fault read_form() {
        keyed_ = name_.starts_with(keyed_prefix);
        if (keyed_) at_ = keyed_prefix.size();
        const auto form_at = at_;
        const auto piece = take_piece();
        const auto* const known = std::find_if(
            forms.begin(), forms.end(), [&](const auto& form) { return form.second == piece; });
        if (known == forms.end()) return SchemeError{SchemeFault::unknown_form, form_at};
        scheme_.form = known->first;
        return {};
    }

    Fault read_option() {
        const auto option_at = ++at_;  // behind the `;`
        const auto piece = take_piece();
        if (piece.starts_with(only_option)) return read_selection(piece, option_at, only_option);
        if (piece.starts_with(omit_option)) return read_selection(piece, option_at, omit_option);
        if (piece.starts_with(secret_option)) return read_secret(piece, option_at);
        return SchemeError{SchemeFault::unknown_option, option_at};
    }

    Fault read_selection(std::string_view piece, std::size_t option_at, std::string_view option) {
        if (selected_ || scheme_.secret) {
            return SchemeError{SchemeFault::option_out_of_order, option_at};
        }
        if (scheme_.form == Form::raw) {
            return SchemeError{SchemeFault::selection_of_bytes, option_at};
        }
        selected_ = true;

        std::vector<std::string> pointers;
        std::vector<std::size_t> places;
        const auto end = option_at + piece.size();
        for (auto text_at = option_at + option.size(); text_at <= end;) {
            const auto text_end = std::min(name_.find(',', text_at), end);
            std::string pointer;
            if (const auto error = unescape(text_at, text_end, pointer)) return error;
            if (!pointers.empty() && pointers.back() >= pointer) {
                return SchemeError{SchemeFault::not_normal, text_at};
            }
            pointers.push_back(std::move(pointer));
            places.push_back(text_at);
            text_at = text_end + 1;
        }
        auto fields =
            option == only_option ? FieldSelection::only(pointers) : FieldSelection::omit(pointers);
        if (!fields) {
            return SchemeError{SchemeFault::bad_pointer, places[fields.error().pointer]};
        }
        scheme_.fields = *std::move(fields);
        return {};
    }

    Fault read_secret(std::string_view piece, std::size_t option_at) {
        if (scheme_.secret) return SchemeError{SchemeFault::option_out_of_order, option_at};
        if (!keyed_) return SchemeError{SchemeFault::secret_unused, option_at};
        const auto text_at = option_at + secret_option.size();
        std::string id;
        if (const auto error = unescape(text_at, option_at + piece.size(), id)) return error;
        if (id.empty()) return SchemeError{SchemeFault::secret_missing, text_at};
        scheme_.secret = std::move(id);
        return {};
    }

    Fault unescape(std::size_t from, std::size_t to, std::string& out) const {
        out.reserve(to - from);
        for (auto i = from; i < to; ++i) {
            if (is_plain(name_[i])) {
                out += name_[i];
                continue;
            }
            const auto byte = name_[i] == '%'
                                  ? escaped_byte(name_.substr(i, std::min<std::size_t>(3, to - i)))
                                  : std::nullopt;
            if (!byte) return SchemeError{SchemeFault::bad_text, i};
            out += *byte;
            i += 2;
        }
        return {};
    }

    /// The byte that `%HH` stands for; nothing for one that is written plainly.
    static std::optional<char> escaped_byte(std::string_view escape) {
        if (escape.size() < 3) return std::nullopt;
        const auto high = upper_hex.find(escape[1]);
        const auto low = upper_hex.find(escape[2]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        const auto byte = static_cast<char>(static_cast<std::uint8_t>(high * 16 + low));
        if (is_plain(byte)) return std::nullopt;
        return byte;
    }

    std::string_view name_;
    std::size_t at_{};
    bool keyed_{};
    bool selected_{};
    Scheme scheme_;
};

}  // namespace

SchemeName name_of(const Scheme& scheme) {
    const auto option = option_of(scheme.fields);
    const auto& pointers = scheme.fields.pointers();

    auto size = name_of(scheme.form).size() + option.size();
    if (scheme.secret) {
        size += keyed_prefix.size() + 1 + secret_option.size() + escaped_size(*scheme.secret);
    }
    for (const auto& pointer : pointers) size += 1 + escaped_size(pointer);

    SchemeName name;
    auto& text = name.text;
    text.reserve(size);
    if (scheme.secret) text += keyed_prefix;
    text += name_of(scheme.form);
    if (!option.empty()) {
        text += ';';
        text += option;
        for (std::size_t i = 0; i < pointers.size(); ++i) {
            if (i > 0) text += ',';
            append_escaped(text, pointers[i]);
        }
    }
    if (scheme.secret) {
        text += ';';
        text += secret_option;
        append_escaped(text, *scheme.secret);
    }
    return name;
}

Result<Scheme, SchemeError> parse_scheme(std::string_view name) {
    return Reader{name}.read();
}

}  // namespace counterfoil
