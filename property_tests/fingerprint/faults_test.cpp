#include <limits>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/fingerprint.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/intents.hpp"

namespace counterfoil {
namespace {

FieldSelection omitting_a() {
    const std::vector<std::string> pointers{"/a"};
    return *FieldSelection::omit(pointers);
}

FingerprintError fault(const Scheme& scheme, const Intent& intent) {
    Fingerprinter fingerprinter;
    auto error = fingerprinter.fingerprint(scheme, intent).error();
    if (error.fault != FingerprintFault::missing_secret) {
        EXPECT_EQ(fingerprinter.canonical_bytes(scheme, intent).error(), error);
    }
    return error;
}

// Each mends what is wrong with the one before it.
TEST(FingerprintFault, is_the_first_that_holds) {
    const std::string_view not_utf8{"\xC3"};
    intent::Http http{"a\xFF",
                      not_utf8,
                      "ab\xED\xA0\x80",
                      {{"a", "b"}, {"aa", "abc\x80"}},
                      intent::Json{"{\"a\":tru}"}};
    const auto utf8_fault = [](std::size_t at, std::string part) {
        return FingerprintError{FingerprintFault::invalid_utf8,
                                JsonError{JsonFault::invalid_utf8, at}, std::move(part)};
    };

    EXPECT_EQ(
        fault({Form::raw, omitting_a(), "k"}, http),
        (FingerprintError{FingerprintFault::unknown_scheme, {}, "hmac-raw;omit=/a;secret=k"}));
    EXPECT_EQ(fault({Form::exact_json, {}, ""}, http),
              (FingerprintError{FingerprintFault::unknown_scheme, {}, "hmac-exact-json;secret="}));
    EXPECT_EQ(fault({Form::raw, {}, "k"}, http),
              (FingerprintError{FingerprintFault::missing_secret, {}, "k"}));
    EXPECT_EQ(fault({Form::raw, {}, {}}, http),
              (FingerprintError{FingerprintFault::no_text, {}, ""}));
    EXPECT_EQ(fault({}, http), utf8_fault(1, "actor"));
    http.actor = "a";
    EXPECT_EQ(fault({}, http), utf8_fault(0, "method"));
    http.method = "GET";
    EXPECT_EQ(fault({}, http), utf8_fault(2, "path"));
    http.path = "/";
    EXPECT_EQ(fault({}, http), utf8_fault(3, "query"));
    http.query = {{"a", "b"}, {"\xF4\x90\x80\x80", "b"}};
    EXPECT_EQ(fault({}, http), utf8_fault(0, "query"));
    http.query.clear();
    http.fields = {{"etag", "a\xFF"}};
    EXPECT_EQ(fault({}, http), utf8_fault(1, "fields"));
    http.fields.clear();
    EXPECT_EQ(fault({}, http), (FingerprintError{FingerprintFault::unreadable_json,
                                                 JsonError{JsonFault::syntax, 8}, "body"}));
    http.body = intent::Json{"{\"a\":true}"};
    EXPECT_TRUE(Fingerprinter{}.fingerprint(Scheme{}, http).has_value());
}

TEST(FingerprintFault, of_an_intent_that_the_scheme_is_not_for) {
    const boost::json::value value{1};
    EXPECT_EQ(fault({Form::raw, {}, {}}, intent::JsonValue{&value}),
              (FingerprintError{FingerprintFault::no_text, {}, ""}));
    EXPECT_EQ(fault({Form::raw, {}, {}}, intent::Http{}),
              (FingerprintError{FingerprintFault::no_text, {}, ""}));
    // Bytes are never looked into, even if they happen to be JSON.
    EXPECT_EQ(fault({}, intent::Bytes{"{}"}),
              (FingerprintError{FingerprintFault::not_json, {}, ""}));
    EXPECT_EQ(fault({Form::rfc8785, {}, {}}, intent::Bytes{}),
              (FingerprintError{FingerprintFault::not_json, {}, ""}));
}

struct Unreadable {
    std::string_view text;
    JsonFault fault;
    std::size_t at;
};

TEST(FingerprintFault, of_unreadable_text_says_what_and_where) {
    const std::string deep(129, '[');
    const std::vector<Unreadable> texts{
        {"", JsonFault::unexpected_end, 0},
        {"{\"a\":1,}", JsonFault::syntax, 7},
        {"{} {}", JsonFault::trailing_text, 3},
        {"\xEF\xBB\xBF{}", JsonFault::byte_order_mark, 0},
        {"[\"\xC3\"]", JsonFault::invalid_utf8, 2},
        {R"(["\ud800"])", JsonFault::lone_surrogate, 2},
        {R"({"a":1,"a":1})", JsonFault::duplicate_name, 7},
        {R"({"a":1,"\u0061":1})", JsonFault::duplicate_name, 7},
        {deep, JsonFault::too_deep, 128},
        {"[1e1000000000]", JsonFault::number_out_of_range, 1},
    };
    for (const auto& [text, json, at] : texts) {
        const FingerprintError expected{FingerprintFault::unreadable_json, JsonError{json, at}, ""};
        EXPECT_EQ(fault({}, intent::Json{text}), expected) << text;
        EXPECT_EQ(fault({Form::exact_json, omitting_a(), {}}, intent::Json{text}), expected);
    }
}

TEST(FingerprintFault, of_a_parsed_value_has_no_place) {
    const boost::json::value value{std::numeric_limits<double>::infinity()};
    EXPECT_EQ(fault({}, intent::JsonValue{&value}),
              (FingerprintError{FingerprintFault::unreadable_json,
                                JsonError{JsonFault::number_out_of_range, 0}, ""}));
}

TEST(FingerprintFault, of_a_name_that_does_not_parse_names_it) {
    Fingerprinter fingerprinter;
    for (const std::string name : {"", "v1", "exact-json;", "sha1"}) {
        EXPECT_EQ(fingerprinter.fingerprint(SchemeName{name}, intent::Json{"{}"}).error(),
                  (FingerprintError{FingerprintFault::unknown_scheme, {}, name}));
    }
}

TEST(FingerprintFault, of_a_missing_secret_is_no_matter_of_the_canonical_bytes) {
    Fingerprinter fingerprinter;
    EXPECT_EQ(*fingerprinter.canonical_bytes({Form::exact_json, {}, "k"}, intent::Json{"{ }"}),
              "{}");
}

// Total: an error or a fingerprint, whatever the bytes and the scheme.
RC_GTEST_PROP(FingerprintFault, or_a_fingerprint_comes_of_any_bytes, (const std::string& bytes)) {
    Fingerprinter fingerprinter;
    const auto scheme = *gen::scheme();
    const intent::Http parts{bytes, bytes, bytes, {{bytes, bytes}}, {}};
    auto with_body = parts;
    with_body.body = intent::Json{bytes};
    for (const Intent& intent : {Intent{intent::Json{bytes}}, Intent{intent::Bytes{bytes}},
                                 Intent{parts}, Intent{with_body}}) {
        const auto made = fingerprinter.fingerprint(scheme, intent);
        if (!made && made.error().json) RC_ASSERT(made.error().json->at <= bytes.size());
    }
}

}  // namespace
}  // namespace counterfoil
