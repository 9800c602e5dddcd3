#include "counterfoil/json_site.hpp"

#include <limits>
#include <utility>

#include <boost/json.hpp>

#include "counterfoil/span_text.hpp"

namespace counterfoil::detail {

namespace json = boost::json;

using Kind = PolicyFaultKind;

namespace {

std::string_view type_of(const json::value& value) {
    switch (value.kind()) {
        case json::kind::null: return "null";
        case json::kind::bool_: return "a boolean";
        case json::kind::int64:
        case json::kind::uint64:
        case json::kind::double_: return "a number";
        case json::kind::string: return "a text";
        case json::kind::array: return "a list";
        case json::kind::object: break;
    }
    return "an object";
}

void tell_type(const JsonSite& site, std::string_view wanted, const json::value& value) {
    site.tell(Kind::wrong_type,
              std::string{wanted} + " is wanted, not " + std::string{type_of(value)});
}

template <class Integer>
void read_integer(const json::value& value, const JsonSite& site, Integer& out) {
    if (!value.is_number()) {
        tell_type(site, "a number", value);
        return;
    }
    if (value.is_double()) {
        site.tell(Kind::bad_value,
                  "the number must be an integer of 64 bits, without a fraction or an exponent");
        return;
    }
    json::error_code error;
    const auto number = value.to_number<Integer>(error);
    if (error) {
        using Limits = std::numeric_limits<Integer>;
        site.tell(Kind::bad_value, json::serialize(value) + " is not from " +
                                       std::to_string(Limits::min()) + " to " +
                                       std::to_string(Limits::max()));
        return;
    }
    out = number;
}

}  // namespace

JsonSite::JsonSite(std::string pointer, std::vector<PolicyFault>& faults)
    : pointer_(std::move(pointer)), faults_(&faults) {}

JsonSite JsonSite::at(std::string_view name) const {
    std::string pointer = pointer_ + '/';
    for (const char c : name) {
        if (c == '~') {
            pointer += "~0";
        } else if (c == '/') {
            pointer += "~1";
        } else {
            pointer += c;
        }
    }
    return {std::move(pointer), *faults_};
}

JsonSite JsonSite::at(std::size_t place) const {
    return at(std::to_string(place));
}

void JsonSite::tell(PolicyFaultKind kind, std::string detail) const {
    faults_->push_back({kind, pointer_, std::move(detail)});
}

std::string quoted(std::string_view text) {
    return json::serialize(json::string_view{text.data(), text.size()});
}

std::optional<std::string_view> text_at(const json::value& value, const JsonSite& site) {
    if (const auto* text = value.if_string()) return std::string_view{text->data(), text->size()};
    tell_type(site, "a text", value);
    return std::nullopt;
}

const json::array* list_at(const json::value& value, const JsonSite& site) {
    const auto* list = value.if_array();
    if (list == nullptr) tell_type(site, "a list", value);
    return list;
}

const json::object* object_at(const json::value& value, const JsonSite& site) {
    const auto* object = value.if_object();
    if (object == nullptr) tell_type(site, "an object", value);
    return object;
}

void read(const json::value& value, const JsonSite& site, std::string& out) {
    if (const auto text = text_at(value, site)) out = *text;
}

void read(const json::value& value, const JsonSite& site, std::vector<std::string>& out) {
    const auto* list = list_at(value, site);
    if (list == nullptr) return;
    out.assign(list->size(), {});
    for (std::size_t i = 0; i < list->size(); ++i) read((*list)[i], site.at(i), out[i]);
}

void read(const json::value& value, const JsonSite& site, Span& out) {
    const auto text = text_at(value, site);
    if (!text) return;
    const auto span = parse_span(*text);
    if (span) {
        out = *span;
    } else if (span.error() == SpanFault::too_long) {
        site.tell(Kind::bad_value,
                  quoted(*text) + " is longer than " + to_text(Span::max()) + ", the longest span");
    } else {
        site.tell(Kind::bad_value, quoted(*text) +
                                       " is no span, which is a whole number and one of us, ms, "
                                       "s, m, h, d: \"30s\"");
    }
}

void read(const json::value& value, const JsonSite& site, std::int64_t& out) {
    read_integer(value, site, out);
}

void read(const json::value& value, const JsonSite& site, std::size_t& out) {
    read_integer(value, site, out);
}

}  // namespace counterfoil::detail
