#include <array>
#include <string>
#include <vector>

#include <counterfoil/fingerprint.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/intents.hpp"

namespace counterfoil {
namespace {

Result<Digest, FingerprintError> digest(const Intent& intent, const Scheme& scheme = {}) {
    auto made = Fingerprinter{}.fingerprint(scheme, intent);
    if (!made) return made.error();
    return made->digest;
}

std::string document(const intent::Http& http, const Scheme& scheme = {}) {
    Fingerprinter fingerprinter;
    return std::string{*fingerprinter.canonical_bytes(scheme, http)};
}

Scheme selecting(Result<FieldSelection, PointerError> fields) {
    return {Form::exact_json, *std::move(fields), {}};
}

intent::Http charge() {
    return {"acct_7",
            "POST",
            "/charges",
            {{"page", "2"}, {"expand", "b"}, {"expand", "a"}},
            intent::Json{R"({ "amount": 5.00, "currency": "eur" })"}};
}

TEST(HttpIntent, is_one_document) {
    EXPECT_EQ(document(charge()),
              R"({"actor":"acct_7","body":{"amount":5,"currency":"eur"},"method":"POST",)"
              R"("path":"/charges","query":{"expand":["b","a"],"page":["2"]}})");
}

TEST(HttpIntent, binds_only_what_is_set) {
    EXPECT_EQ(document({}), "{}");
    intent::Http http;
    http.actor = "";
    EXPECT_EQ(document(http), R"({"actor":""})");
    http = {};
    http.query = {{"", ""}};
    EXPECT_EQ(document(http), R"({"query":{"":[""]}})");
    http = {};
    http.fields = {{"prefer", "b"}, {"accept", "x"}, {"prefer", "a"}};
    EXPECT_EQ(document(http), R"({"fields":{"accept":["x"],"prefer":["b","a"]}})");
}

TEST(HttpIntent, tells_an_absent_body_an_empty_one_and_null_apart) {
    intent::Http http;
    EXPECT_EQ(document(http), "{}");
    http.body = intent::Bytes{};
    EXPECT_EQ(
        document(http),
        R"({"body_sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"})");
    http.body = intent::Json{"null"};
    EXPECT_EQ(document(http), R"({"body":null})");
    http.body = intent::Json{""};
    EXPECT_EQ(digest(http).error(),
              (FingerprintError{FingerprintFault::unreadable_json,
                                JsonError{JsonFault::unexpected_end, 0}, "body"}));
}

TEST(HttpIntent, has_its_own_strings_escaped) {
    intent::Http http;
    http.path = std::string_view{"\"\\/\x01\n\0\x7F\xC3\xA9", 9};
    http.query = {{"\xEF\xBF\xBD", "\t"}, {"\xF0\x9F\x98\x80", "\r"}};
    EXPECT_EQ(document(http),
              "{\"path\":\"\\\"\\\\/\\u0001\\n\\u0000\x7F\xC3\xA9\",\"query\":"
              "{\"\xF0\x9F\x98\x80\":[\"\\r\"],\"\xEF\xBF\xBD\":[\"\\t\"]}}");
}

RC_GTEST_PROP(HttpIntent, has_an_equal_fingerprint_exactly_if_it_means_the_same, ()) {
    const auto one = *gen::http_parts();
    const auto other = *gen::almost(one);
    const bool same = one.means(other);
    RC_CLASSIFY(same, "the same");
    RC_ASSERT((digest(one.view()) == digest(other.view())) == same);
}

RC_GTEST_PROP(HttpIntent, has_another_fingerprint_when_one_part_changes, ()) {
    const auto one = *gen::http_parts();
    auto other = one;
    const auto longer = [](std::optional<std::string>& part) { part = part.value_or("") + "x"; };
    switch (*rc::gen::inRange(0, 7)) {
        case 0: longer(other.actor); break;
        case 1: longer(other.method); break;
        case 2: longer(other.path); break;
        case 3: other.query.emplace_back("a", "x"); break;
        case 4: other.body = gen::HttpParts::Bytes{"x"}; break;
        case 5: other.fields.emplace_back("a", "x"); break;
        default: other.body = gen::SpeltJson{"\"x\"", "\"x\""}; break;
    }
    RC_ASSERT(digest(one.view()) != digest(other.view()));
}

// What is in one part can't be moved into the one beside it.
TEST(HttpIntent, has_parts_that_never_run_into_each_other) {
    using Query = std::vector<std::pair<std::string_view, std::string_view>>;
    const std::array<std::array<intent::Http, 2>, 6> pairs{{
        {{{"ab", "c", {}, {}, {}}, {"a", "bc", {}, {}, {}}}},
        {{{{}, "ab", "c", {}, {}}, {{}, "a", "bc", {}, {}}}},
        {{{{}, {}, {}, Query{{"ab", "c"}}, {}}, {{}, {}, {}, Query{{"a", "bc"}}, {}}}},
        {{{{}, {}, {}, Query{{"a", "b,c"}}, {}}, {{}, {}, {}, Query{{"a", "b"}, {"a", "c"}}, {}}}},
        {{{{}, {}, "/x?a=b", {}, {}}, {{}, {}, "/x", Query{{"a", "b"}}, {}}}},
        {{{{}, {}, R"(/x","z":")", {}, {}}, {{}, {}, "/x", {}, {}}}},
    }};
    for (const auto& [one, other] : pairs) EXPECT_NE(digest(one), digest(other)) << document(one);
}

TEST(HttpIntent, has_names_of_the_query_in_any_order_but_values_in_theirs) {
    auto other = charge();
    other.query = {{"expand", "b"}, {"page", "2"}, {"expand", "a"}};
    EXPECT_EQ(digest(other), digest(charge()));
    other.query = {{"expand", "a"}, {"expand", "b"}, {"page", "2"}};
    EXPECT_NE(digest(other), digest(charge()));
}

// A body is one JSON value or none: nothing of it becomes a member beside it.
TEST(HttpIntent, refuses_a_body_that_would_run_out_of_its_member) {
    const std::array<std::string_view, 12> bodies{
        R"({},"path":"/x")", R"({},"z":{})",     R"(1})", R"({}})", R"(1,2)",
        R"(1],[2)",          R"("","path":"/x)", R"({)",  R"([)",   R"({"a":1},)",
        R"({"path":"/x")",   R"(,"z":1)"};
    for (const auto body : bodies) {
        for (const auto form : {Form::exact_json, Form::rfc8785}) {
            Fingerprinter fingerprinter;
            intent::Http http;
            http.body = intent::Json{body};
            const auto by_itself =
                fingerprinter.fingerprint({form, {}, {}}, intent::Json{body}).error();
            http.method = "GET";
            const auto in_http = fingerprinter.fingerprint({form, {}, {}}, http).error();
            EXPECT_EQ(in_http.fault, FingerprintFault::unreadable_json) << body;
            EXPECT_EQ(in_http.json, by_itself.json) << body;
            EXPECT_EQ(in_http.detail, "body");
        }
    }
}

TEST(HttpIntent, is_selected_from_as_a_whole_document) {
    const auto only = [](const std::vector<std::string>& pointers) {
        return selecting(FieldSelection::only(pointers));
    };
    const auto omit = [](const std::vector<std::string>& pointers) {
        return selecting(FieldSelection::omit(pointers));
    };
    EXPECT_EQ(document(charge(), only({"/body/amount", "/query/page"})),
              R"({"body":{"amount":5},"query":{"page":["2"]}})");
    EXPECT_EQ(document(charge(), omit({"/actor", "/query", "/body/currency"})),
              R"({"body":{"amount":5},"method":"POST","path":"/charges"})");
    // What is left out has to be readable all the same.
    auto broken = charge();
    broken.body = intent::Json{"{"};
    EXPECT_EQ(digest(broken, omit({"/body"})).error().json,
              (JsonError{JsonFault::unexpected_end, 1}));
}

TEST(HttpIntent, has_a_body_by_the_scheme_s_numbers) {
    intent::Http http;
    http.body = intent::Json{"9223372036854775809"};
    EXPECT_EQ(document(http), R"({"body":9223372036854775809})");
    EXPECT_EQ(document(http, {Form::rfc8785, {}, {}}), R"({"body":9223372036854776000})");
}

}  // namespace
}  // namespace counterfoil
