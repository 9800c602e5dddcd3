#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <counterfoil/fingerprint.hpp>
#include <counterfoil/http/request_intent.hpp>

namespace {

using counterfoil::Fingerprinter;
using counterfoil::http::Coding;
using counterfoil::http::FieldView;
using counterfoil::http::normalized;
using counterfoil::http::Request;
using counterfoil::http::RequestIntent;

void require(bool holds) {
    if (!holds) std::abort();
}

/// Cuts the input at each 0xFF: flags, path, query, body, then names and values of fields.
Request request_of(std::string_view input) {
    Request request{.tenant = counterfoil::parse_tenant("t").value(), .method = "POST", .path = {}};
    const auto next = [&input] {
        const auto part = input.substr(0, input.find('\xFF'));
        input.remove_prefix(part.size() < input.size() ? part.size() + 1 : input.size());
        return part;
    };
    const auto flags = next();
    const auto has = [&](char flag) { return flags.find(flag) != std::string_view::npos; };
    request.path = next();
    if (const auto query = next(); has('q')) request.query = query;
    if (const auto body = next(); has('b')) request.body = body;
    if (has('d')) request.coding = Coding::decoded;
    while (!input.empty()) {
        const auto name = next();
        request.fields.push_back({name, next()});
    }
    return request;
}

std::string document_of(const Request& request) {
    auto made = RequestIntent::from(request, {.fields = {"prefer"}});
    if (!made) return "fault: " + describe(made.error());
    const RequestIntent moved = *std::move(made);
    Fingerprinter fingerprinter;
    const auto bytes = fingerprinter.canonical_bytes({}, moved.intent());
    return bytes ? std::string{*bytes} : "unreadable";
}

}  // namespace

// Any request has an intent or a fault that says something. How its octets are encoded in path and
// query, how its fields' names are written, and which fields nobody binds makes no difference.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Request request = request_of({reinterpret_cast<const char*>(data), size});
    const std::string document = document_of(request);
    require(!document.empty());

    Request respelt = request;
    const auto path = normalized(request.path);
    const auto query = normalized(request.query.value_or(std::string_view{}));
    require(normalized(path) == path && normalized(query) == query);
    respelt.path = path;
    if (respelt.query) respelt.query = query;
    std::string names;
    for (const FieldView& field : request.fields) names += field.name;
    for (char& c : names) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    std::string_view rest = names;
    for (FieldView& field : respelt.fields) {
        field.name = rest.substr(0, field.name.size());
        rest.remove_prefix(field.name.size());
    }
    respelt.fields.push_back({"date", "today"});
    require(document_of(respelt) == document);
    return 0;
}
