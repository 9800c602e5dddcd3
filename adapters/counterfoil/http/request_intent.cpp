#include "counterfoil/http/request_intent.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "counterfoil/http/field_text.hpp"
#include "counterfoil/http/media_type.hpp"

namespace counterfoil::http {

namespace {

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    const char lower = lowered(c);
    if (lower >= 'a' && lower <= 'f') return static_cast<unsigned>(lower - 'a') + 10;
    return std::nullopt;
}

/// The octet that a text begins with in percent-encoding, if it does.
std::optional<std::uint8_t> encoded_octet(std::string_view text) {
    if (text.size() < 3 || text.front() != '%') return std::nullopt;
    const auto high = hex_digit(text[1]);
    const auto low = hex_digit(text[2]);
    if (!high || !low) return std::nullopt;
    return static_cast<std::uint8_t>(*high * 16 + *low);
}

/// Whether no percent sign stands for itself. Where one does, the octet behind it must not be
/// decoded: `%%422` would become `%B2`, which is something else.
bool is_well_encoded(std::string_view text) {
    for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 3)) {
        if (!encoded_octet(text.substr(at))) return false;
    }
    return true;
}

/// RFC 3986 section 2.3.
bool is_unreserved(char c) {
    const char lower = lowered(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_' || c == '~';
}

/// Whether any coding is left on the body. A list may name several, and identity is none.
bool is_coded(const Request& request) {
    if (request.coding == Coding::decoded) return false;
    return std::any_of(request.fields.begin(), request.fields.end(), [](const FieldView& field) {
        if (!is_name(field.name, "content-encoding")) return false;
        std::string_view rest = field.value;
        while (!rest.empty()) {
            const auto coding = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), coding.size() + 1));
            const auto name = trimmed(coding);
            if (!name.empty() && !is_name(name, "identity")) return true;
        }
        return false;
    });
}

struct Typed {
    bool json{};
};

Result<Typed, IntentError> body_type(const Request& request) {
    std::optional<std::string_view> line;
    for (const FieldView& field : request.fields) {
        if (!is_name(field.name, "content-type")) continue;
        const auto value = trimmed(field.value);
        if (line && *line != value) return IntentError{IntentFault::differing_content_types, 0};
        line = value;
    }
    if (!line) return Typed{};
    const auto type = parse_media_type(*line);
    if (!type) return IntentError{IntentFault::malformed_content_type, type.error().at};
    if (!type->is_json()) return Typed{};
    if (type->charset && *type->charset != "utf-8" && *type->charset != "us-ascii") {
        return IntentError{IntentFault::unsupported_charset, 0};
    }
    return Typed{true};
}

}  // namespace

std::string normalized(std::string_view text) {
    constexpr std::string_view upper_hex = "0123456789ABCDEF";
    if (!is_well_encoded(text)) return std::string{text};
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto octet = encoded_octet(text);
        if (!octet) {
            out += text.front();
            text.remove_prefix(1);
            continue;
        }
        if (const char c = static_cast<char>(*octet); is_unreserved(c)) {
            out += c;
        } else {
            out += '%';
            out += upper_hex[*octet >> 4U];
            out += upper_hex[*octet & 15U];
        }
        text.remove_prefix(3);
    }
    return out;
}

std::string_view RequestIntent::keep(std::string_view text) {
    const auto& kept = texts_.emplace_back(text.begin(), text.end());
    return {kept.data(), kept.size()};
}

void RequestIntent::bind_query(std::string_view query, intent::Http& http) {
    std::string_view rest = keep(normalized(query));
    while (!rest.empty()) {
        const auto pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        if (pair.empty()) continue;
        const auto name = pair.substr(0, pair.find('='));
        const auto value = pair.substr(std::min(pair.size(), name.size() + 1));
        http.query.emplace_back(name, value);
    }
}

void RequestIntent::bind_fields(const Request& request, const std::vector<std::string>& names,
                                intent::Http& http) {
    std::vector<std::string> wanted(names.size());
    std::transform(names.begin(), names.end(), wanted.begin(),
                   [](const std::string& name) { return lowered(std::string_view{name}); });
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    for (const auto& name : wanted) {
        const auto kept = keep(name);
        for (const FieldView& field : request.fields) {
            if (is_name(field.name, name)) http.fields.emplace_back(kept, trimmed(field.value));
        }
    }
}

Result<RequestIntent, IntentError> RequestIntent::from(const Request& request,
                                                       const Binding& binding, Form form) {
    RequestIntent made;
    if (request.body && is_coded(request)) return IntentError{IntentFault::unsupported_coding, 0};
    if (form == Form::raw) {
        made.intent_ = intent::Bytes{request.body.value_or(std::string_view{})};
        return made;
    }
    const bool typed = request.body && binding.body == BodyKind::by_content_type;
    const auto type = typed ? body_type(request) : Result<Typed, IntentError>{Typed{}};
    if (!type) return type.error();
    intent::Http http;
    if (type->json) {
        http.body = intent::Json{*request.body};
    } else if (request.body) {
        http.body = intent::Bytes{*request.body};
    }
    if (binding.actor) http.actor = request.actor;
    if (binding.method) http.method = request.method;
    if (binding.path) http.path = made.keep(normalized(request.path));
    if (binding.query && request.query) made.bind_query(*request.query, http);
    made.bind_fields(request, binding.fields, http);
    made.intent_ = std::move(http);
    return made;
}

std::string describe(const IntentError& error) {
    switch (error.fault) {
        case IntentFault::differing_content_types: return "there are two content types";
        case IntentFault::malformed_content_type:
            return "the content type is no media type, from byte " + std::to_string(error.at) +
                   " on";
        case IntentFault::unsupported_charset: return "JSON is taken in UTF-8 only";
        case IntentFault::unsupported_coding: break;
    }
    return "a body with a content coding is not taken here";
}

}  // namespace counterfoil::http
