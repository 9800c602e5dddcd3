#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/fingerprint.hpp>
#include <counterfoil/http/request_intent.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace counterfoil::http {
namespace {

Request post(std::string_view path, std::optional<std::string_view> query = {},
             std::optional<std::string_view> body = {}) {
    return {.tenant = parse_tenant("acme").value(),
            .method = "POST",
            .path = path,
            .query = query,
            .body = body,
            .actor = "ann"};
}

std::string document(const Request& request, const Binding& binding = {}) {
    const auto intent = RequestIntent::from(request, binding);
    if (!intent) return describe(intent.error());
    Fingerprinter fingerprinter;
    const auto bytes = fingerprinter.canonical_bytes({}, intent->intent());
    return bytes ? std::string{*bytes} : "unreadable";
}

TEST(RequestIntent, is_made_of_what_the_route_binds) {
    auto request = post("/a%7e", "b=2&a=%e4&&c&b=1=1", R"({"x":1.0})");
    request.fields = {{"content-TYPE", " application/json; charset=UTF-8 "},
                      {"Prefer", " b "},
                      {"prefer", "a"},
                      {"Date", "today"}};
    EXPECT_EQ(document(request, {.fields = {"PREFER", "prefer", "absent"}}),
              R"({"actor":"ann","body":{"x":1},"fields":{"prefer":["b","a"]},"method":"POST",)"
              R"("path":"/a~","query":{"a":["%E4"],"b":["2","1=1"],"c":[""]}})");
    EXPECT_EQ(document(request, {.actor = false, .method = false, .path = false, .query = false}),
              R"({"body":{"x":1}})");
    EXPECT_EQ(document(post("/")), R"({"actor":"ann","method":"POST","path":"/"})");
}

TEST(RequestIntent, stays_good_when_it_is_moved) {
    auto first = RequestIntent::from(post("/a", "q=1"), {});
    const RequestIntent moved = *std::move(first);
    Fingerprinter fingerprinter;
    EXPECT_EQ(fingerprinter.canonical_bytes({}, moved.intent()).value(),
              R"({"actor":"ann","method":"POST","path":"/a","query":{"q":["1"]}})");
}

TEST(RequestIntent, reads_a_body_as_its_content_type_says) {
    const auto body_of = [](std::vector<FieldView> fields, const Binding& binding = {}) {
        auto request = post("/", {}, " 1 ");
        request.fields = std::move(fields);
        auto bound = binding;
        bound.actor = bound.method = bound.path = false;
        return document(request, bound);
    };
    const std::string raw = R"({"body_sha256":")"
                            "c0527d0a6cc99395deabfa3f67d9926fc6fa0b06e3148b74e230244e8e3ee183"
                            R"("})";
    EXPECT_EQ(body_of({}), raw);
    EXPECT_EQ(body_of({{"Content-Type", "text/plain"}}), raw);
    EXPECT_EQ(body_of({{"Content-Type", "application/json"}}), R"({"body":1})");
    EXPECT_EQ(body_of({{"Content-Type", "application/vnd.x+json"}}), R"({"body":1})");
    EXPECT_EQ(body_of({{"Content-Type", "application/json"}}, {.body = BodyKind::bytes}), raw);
    EXPECT_EQ(body_of({{"Content-Type", "a/b"}, {"Content-Type", " a/b"}}), raw);
    EXPECT_EQ(body_of({{"Content-Type", "a/b"}, {"Content-Type", "a/c"}}),
              "there are two content types");
    EXPECT_EQ(body_of({{"Content-Type", "json"}}),
              "the content type is no media type, from byte 4 on");
    EXPECT_EQ(body_of({{"Content-Type", "application/json;charset=utf-16"}}),
              "JSON is taken in UTF-8 only");
}

TEST(RequestIntent, refuses_a_coded_body_unless_somebody_has_decoded_it) {
    auto request = post("/", {}, "1");
    for (const auto* coding : {"gzip", "identity, br", " GZIP"}) {
        request.fields = {{"Content-Encoding", coding}};
        EXPECT_EQ(document(request), "a body with a content coding is not taken here") << coding;
    }
    const auto plain = document(post("/", {}, "1"));
    request.coding = Coding::decoded;
    EXPECT_EQ(document(request), plain);
    request.coding = Coding::as_sent;
    for (const auto* coding : {"identity", "Identity , ", ""}) {
        request.fields = {{"Content-Encoding", coding}};
        EXPECT_EQ(document(request), plain) << coding;
    }
}

TEST(RequestIntent, under_raw_is_the_body_and_nothing_else) {
    const auto intent = RequestIntent::from(post("/a", "q", "x"), {}, Form::raw);
    EXPECT_EQ(std::get<intent::Bytes>(intent->intent()).bytes, "x");
}

TEST(Normalized, undoes_no_more_encoding_than_makes_no_difference) {
    EXPECT_EQ(normalized("/%7E%41%2d%5f/%2f%c3%A9"), "/~A-_/%2F%C3%A9");
    EXPECT_EQ(normalized("%"), "%");
    EXPECT_EQ(normalized("%4"), "%4");
    EXPECT_EQ(normalized("%zz%2"), "%zz%2");
    EXPECT_EQ(normalized("%%422"), "%%422");
    EXPECT_EQ(normalized("%7e%"), "%7e%");
    EXPECT_EQ(normalized("%2541"), "%2541");
}

// Two texts become one only where they spell the same octets.
RC_GTEST_PROP(NormalizedLaws, keeps_what_is_meant_and_is_its_own_normal_form, ()) {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string{"%%%247eEfFa/"}));
    const auto once = normalized(text);
    RC_ASSERT(normalized(once) == once);
    const auto decoded = [](std::string_view from) {
        std::string out;
        while (!from.empty()) {
            const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)); };
            if (from.size() > 2 && from[0] == '%' && is_hex(from[1]) && is_hex(from[2])) {
                out += static_cast<char>(std::stoi(std::string{from.substr(1, 2)}, nullptr, 16));
                from.remove_prefix(3);
            } else {
                out += from[0];
                from.remove_prefix(1);
            }
        }
        return out;
    };
    RC_ASSERT(decoded(once) == decoded(text));
}

}  // namespace
}  // namespace counterfoil::http
