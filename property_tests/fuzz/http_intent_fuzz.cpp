#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/fingerprint.hpp>

namespace {

using counterfoil::Fingerprinter;
using counterfoil::intent::Bytes;
using counterfoil::intent::Http;
using counterfoil::intent::Json;

void require(bool holds) {
    if (!holds) std::abort();
}

/// Cuts the input at each 0xFF, which no UTF-8 has: a byte of flags, then the parts.
Http parts_of(std::string_view input) {
    Http http;
    if (input.empty()) return http;
    const auto flags = static_cast<std::uint8_t>(input.front());
    input.remove_prefix(1);
    const auto next = [&input] {
        const auto part = input.substr(0, input.find('\xFF'));
        input.remove_prefix(part.size() < input.size() ? part.size() + 1 : input.size());
        return part;
    };
    if ((flags & 1U) != 0) http.actor = next();
    if ((flags & 2U) != 0) http.method = next();
    if ((flags & 4U) != 0) http.path = next();
    if ((flags & 8U) != 0) http.body = Json{next()};
    if ((flags & 16U) != 0) http.body = Bytes{next()};
    while (!input.empty()) {
        const auto name = next();
        auto& pairs = name.starts_with('F') ? http.fields : http.query;
        pairs.emplace_back(name, next());
    }
    return http;
}

bool is_text(const boost::json::object& document, std::string_view name,
             const std::optional<std::string_view>& part) {
    const auto* const member = document.if_contains(name);
    if (!part) return member == nullptr;
    return member != nullptr && member->is_string() && member->get_string() == *part;
}

bool are_lists(const boost::json::object& document, std::string_view name,
               const std::vector<std::pair<std::string_view, std::string_view>>& pairs) {
    if (pairs.empty()) return document.if_contains(name) == nullptr;
    const auto& lists = document.at(name).as_object();
    std::size_t values = 0;
    for (const auto& member : lists) values += member.value().as_array().size();
    if (values != pairs.size()) return false;
    return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        const auto& list = lists.at(pair.first).as_array();
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& value) { return value.as_string() == pair.second; });
    });
}

// Read by another parser, the document has the parts that went in and no other.
void require_parts(const boost::json::object& document, const Http& http) {
    require(is_text(document, "actor", http.actor));
    require(is_text(document, "method", http.method));
    require(is_text(document, "path", http.path));
    const bool json = std::holds_alternative<Json>(http.body);
    const bool bytes = std::holds_alternative<Bytes>(http.body);
    require((document.if_contains("body") != nullptr) == json);
    require((document.if_contains("body_sha256") != nullptr) == bytes);
    std::size_t members = json || bytes ? 1 : 0;
    for (const auto* const part : {&http.actor, &http.method, &http.path}) {
        if (*part) ++members;
    }
    require(are_lists(document, "query", http.query));
    require(are_lists(document, "fields", http.fields));
    for (const auto* const pairs : {&http.query, &http.fields}) {
        if (!pairs->empty()) ++members;
    }
    require(document.size() == members);
}

}  // namespace

// Any parts have a fingerprint or a fault with its place; a document tells just those parts, and a
// body in it is what that body is by itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Fingerprinter fingerprinter;
    const auto http = parts_of({reinterpret_cast<const char*>(data), size});
    const auto bytes = fingerprinter.canonical_bytes({}, http);
    if (!bytes) {
        require(bytes.error().json && bytes.error().json->at <= size &&
                !bytes.error().detail.empty());
        return 0;
    }
    const std::string document{*bytes};

    boost::json::parse_options options;
    options.max_depth = 1'000;
    require_parts(boost::json::parse(document, {}, options).as_object(), http);
    if (const auto* const body = std::get_if<Json>(&http.body)) {
        const auto by_itself = fingerprinter.canonical_bytes({}, *body);
        require(by_itself.has_value());
        const auto member = "\"body\":" + std::string{*by_itself};
        require(document.find(member) != std::string::npos);
    }
    // Canonical text is its own canonical text.
    require(*fingerprinter.canonical_bytes({}, Json{document}, 1'000) == document);
    return 0;
}
