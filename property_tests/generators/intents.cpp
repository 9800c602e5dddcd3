#include "generators/intents.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <counterfoil/overloaded.hpp>
#include <counterfoil/words.hpp>

namespace counterfoil {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

template <std::size_t Size>
std::string hex(const std::array<std::uint8_t, Size>& bytes) {
    std::string text;
    for (const auto byte : bytes) {
        text += hex_digits[byte >> 4U];
        text += hex_digits[byte & 15U];
    }
    return text;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Fingerprint& fingerprint) {
    return out << fingerprint.scheme << ' ' << to_hex(fingerprint.digest);
}

std::ostream& operator<<(std::ostream& out, FingerprintFault fault) {
    return out << word(fault);
}

std::ostream& operator<<(std::ostream& out, const FingerprintError& error) {
    out << error.fault;
    if (error.json) {
        out << " (JSON fault " << static_cast<int>(error.json->fault) << " at " << error.json->at
            << ')';
    }
    return out << " \"" << gen::visible(error.detail) << '"';
}

std::ostream& operator<<(std::ostream& out, const FieldDigest& field) {
    return out << gen::visible(field.pointer) << '=' << hex(field.digest);
}

std::ostream& operator<<(std::ostream& out, const FieldDigests& fields) {
    out << "depth " << fields.rules.depth << ", at most " << fields.rules.max_fields << ", secret "
        << gen::visible(fields.rules.secret) << ':';
    for (const auto& field : fields.fields) out << ' ' << field;
    return out << ", left out " << fields.left_out;
}

std::ostream& operator<<(std::ostream& out, const OtherFingerprint& other) {
    return out << other.scheme << ' ' << (other.digest ? to_hex(*other.digest) : "none");
}

namespace gen {
namespace {

rc::Gen<std::string> one_of(std::vector<std::string> texts) {
    return rc::gen::elementOf(std::move(texts));
}

// Names that need every kind of care: escapes of JSON, of pointers and of scheme names, UTF-8 that
// UTF-16 orders otherwise, and what runs into its neighbour if nobody looks.
rc::Gen<std::string> name() {
    return one_of({"",
                   "a",
                   "b",
                   "ab",
                   "bc",
                   "c",
                   "body",
                   "path",
                   "\"",
                   "\\",
                   "\n",
                   "~",
                   "/",
                   "*",
                   "%2C",
                   ",",
                   ";",
                   "=",
                   "\xC3\xA9",
                   "e\xCC\x81",
                   "\xEF\xBF\xBD",
                   "\xF0\x9F\x98\x80",
                   std::string{"\0", 1},
                   R"(","path":"/x)",
                   "0",
                   "10",
                   "9"});
}

rc::Gen<std::string> query_text() {
    return rc::gen::oneOf(one_of({"a", "b"}), name());
}

std::vector<SpeltJson> all_spelt_json() {
    return {
        {"null", "null"},
        {" null ", "null"},
        {"{}", "{}"},
        {" { } ", "{}"},
        {"[]", "[]"},
        {"\"\"", "\"\""},
        {"\"{}\"", "\"{}\""},
        {"1", "1"},
        {"1.0", "1"},
        {"10e-1", "1"},
        {"\"1\"", "\"1\""},
        {"-0", "0"},
        {"0e9", "0"},
        {"false", "false"},
        {R"({"a":1,"b":[2,3]})", R"({"a":1,"b":[2,3]})"},
        {R"({ "b" : [ 2, 3.0 ], "\u0061" : 1 })", R"({"a":1,"b":[2,3]})"},
        {R"({"a":1,"b":[3,2]})", R"({"a":1,"b":[3,2]})"},
        {R"({"path":"/a"})", R"({"path":"/a"})"},
        {R"("\",\"path\":\"/a")", R"("\",\"path\":\"/a")"},
    };
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const SpeltJson& json) {
    return out << visible(json.text) << " (" << visible(json.canonical) << ')';
}

rc::Gen<SpeltJson> spelt_json() {
    return rc::gen::elementOf(all_spelt_json());
}

rc::Gen<SpeltJson> spelt_like(const SpeltJson& json) {
    auto same = all_spelt_json();
    same.erase(
        std::remove_if(same.begin(), same.end(),
                       [&](const SpeltJson& other) { return other.canonical != json.canonical; }),
        same.end());
    return rc::gen::elementOf(std::move(same));
}

intent::Http HttpParts::view() const {
    intent::Http http{actor, method, path, {}, std::monostate{}, {}};
    for (const auto& [name, value] : query) http.query.emplace_back(name, value);
    for (const auto& [name, value] : fields) http.fields.emplace_back(name, value);
    http.body = std::visit(
        overloaded{
            [](std::monostate) -> decltype(http.body) { return std::monostate{}; },
            [](const SpeltJson& json) -> decltype(http.body) { return intent::Json{json.text}; },
            [](const Bytes& raw) -> decltype(http.body) { return intent::Bytes{raw.bytes}; },
        },
        body);
    return http;
}

bool HttpParts::means(const HttpParts& other) const {
    const auto by_name = [](const auto& pairs) {
        std::map<std::string, std::vector<std::string>> names;
        for (const auto& [name, value] : pairs) names[name].push_back(value);
        return names;
    };
    const auto value_of = [](const HttpParts& parts) {
        auto meant = parts.body;
        if (auto* const json = std::get_if<SpeltJson>(&meant)) json->text.clear();
        return meant;
    };
    return actor == other.actor && method == other.method && path == other.path &&
           by_name(query) == by_name(other.query) && by_name(fields) == by_name(other.fields) &&
           value_of(*this) == value_of(other);
}

std::ostream& operator<<(std::ostream& out, const HttpParts::Bytes& raw) {
    return out << "bytes \"" << visible(raw.bytes) << '"';
}

std::ostream& operator<<(std::ostream& out, const HttpParts& parts) {
    const auto part = [&](std::string_view name, const std::optional<std::string>& text) {
        if (text) out << name << "=\"" << visible(*text) << "\" ";
    };
    part("actor", parts.actor);
    part("method", parts.method);
    part("path", parts.path);
    for (const auto& [name, value] : parts.query) {
        out << "query \"" << visible(name) << "\"=\"" << visible(value) << "\" ";
    }
    for (const auto& [name, value] : parts.fields) {
        out << "field \"" << visible(name) << "\"=\"" << visible(value) << "\" ";
    }
    std::visit(overloaded{
                   [&](std::monostate) { out << "no body"; },
                   [&](const SpeltJson& json) { out << "body " << json; },
                   [&](const HttpParts::Bytes& raw) { out << "body " << raw; },
               },
               parts.body);
    return out;
}

rc::Gen<HttpParts> http_parts() {
    return rc::gen::exec([] {
        HttpParts parts;
        const auto maybe = [](const rc::Gen<std::string>& text) -> std::optional<std::string> {
            if (*rc::gen::arbitrary<bool>()) return *text;
            return std::nullopt;
        };
        parts.actor = maybe(one_of({"a", "ab", "body", ""}));
        parts.method = maybe(one_of({"GET", "POST", "b"}));
        parts.path = maybe(one_of({"/", "/a", "c", "bc", "/a?b=c", R"(","x":")"}));
        parts.query = *rc::gen::resize(3, rc::gen::container<decltype(parts.query)>(
                                              rc::gen::pair(query_text(), query_text())));
        parts.fields = *rc::gen::resize(2, rc::gen::container<decltype(parts.fields)>(
                                               rc::gen::pair(query_text(), query_text())));
        switch (*rc::gen::inRange(0, 4)) {
            case 0: break;
            case 1: parts.body = HttpParts::Bytes{*one_of({"", "{}", "1", "null"})}; break;
            default: parts.body = *spelt_json(); break;
        }
        return parts;
    });
}

rc::Gen<HttpParts> almost(HttpParts parts) {
    return rc::gen::exec([parts = std::move(parts)] {
        auto made = parts;
        const auto changes = *rc::gen::inRange(0, 3);
        for (int i = 0; i < changes; ++i) {
            const auto other = *http_parts();
            switch (*rc::gen::inRange(0, 9)) {
                case 0: made.actor = other.actor; break;
                case 1: made.method = other.method; break;
                case 2: made.path = other.path; break;
                case 3: made.query = other.query; break;
                case 4: std::reverse(made.query.begin(), made.query.end()); break;
                case 5: std::swap(made.actor, made.method); break;
                case 6: std::swap(made.query, made.fields); break;
                case 7: made.fields = other.fields; break;
                default: made.body = other.body; break;
            }
        }
        return made;
    });
}

Intent view(const OwnedIntent& intent) {
    return std::visit(
        overloaded{
            [](const SpeltJson& json) -> Intent { return intent::Json{json.text}; },
            [](const HttpParts::Bytes& raw) -> Intent { return intent::Bytes{raw.bytes}; },
            [](const HttpParts& parts) -> Intent { return parts.view(); },
        },
        intent);
}

std::ostream& operator<<(std::ostream& out, const OwnedIntent& intent) {
    std::visit([&](const auto& kind) { out << kind; }, intent);
    return out;
}

rc::Gen<OwnedIntent> intent() {
    return rc::gen::exec([]() -> OwnedIntent {
        switch (*rc::gen::inRange(0, 3)) {
            case 0: return *spelt_json();
            case 1: return HttpParts::Bytes{*one_of({"", "{}", " {}", "1", std::string{"\0", 1}})};
            default: return *http_parts();
        }
    });
}

rc::Gen<OwnedIntent> intent_fit_for(Form form) {
    return rc::gen::exec([form]() -> OwnedIntent {
        const bool other = *rc::gen::arbitrary<bool>();
        if (other) return *spelt_json();
        if (form == Form::raw) return HttpParts::Bytes{*one_of({"", "{}", "1"})};
        return *http_parts();
    });
}

}  // namespace gen
}  // namespace counterfoil
