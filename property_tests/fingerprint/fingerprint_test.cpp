#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/fingerprint.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/intents.hpp"

namespace counterfoil {
namespace {

const Scheme exact{};
const Scheme rfc8785{Form::rfc8785, {}, {}};
const Scheme raw{Form::raw, {}, {}};

Secrets secrets() {
    return {{"k", "Jefe"},
            {"2026-q4", "hunter2"},
            {"a;b", ""},
            {"a,b=c%", std::string(65, 'x')},
            {"\xC3\xA9", std::string(64, 'y')},
            {"secret=", "k"},
            {" ", std::string("\0", 1)}};
}

Digest of(const Scheme& scheme, const Intent& intent) {
    return Fingerprinter{secrets()}.fingerprint(scheme, intent)->digest;
}

std::string hex_of(const Scheme& scheme, std::string_view text) {
    return to_hex(of(scheme, intent::Json{text}));
}

Digest exact_of(std::string_view text) {
    return of(exact, intent::Json{text});
}

std::string canonical(const Scheme& scheme, const Intent& intent) {
    Fingerprinter fingerprinter;
    return std::string{*fingerprinter.canonical_bytes(scheme, intent)};
}

/// HMAC-SHA-256 as RFC 2104 defines it.
Digest hmac_by_definition(std::string key, std::string_view message) {
    const auto text = [](const Digest& digest) {
        return std::string{digest.bytes.begin(), digest.bytes.end()};
    };
    if (key.size() > 64) key = text(sha256(key));
    key.resize(64, '\0');
    std::string inner;
    std::string outer;
    for (const char c : key) {
        inner += static_cast<char>(c ^ 0x36);
        outer += static_cast<char>(c ^ 0x5C);
    }
    return sha256(outer + text(sha256(inner.append(message))));
}

// By sha256sum and by openssl dgst -sha256 -hmac.
TEST(Fingerprint, is_what_sha256sum_prints) {
    EXPECT_EQ(hex_of(exact, R"( { "b" : [ 2.0, 30e-1 ], "a" : 1 } )"),
              "efbd0040190fb0871831e606c581f8a66db79d8e2bb836745a70051306956070");
    EXPECT_EQ(hex_of(raw, ""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(to_hex(of({Form::raw, {}, "k"}, intent::Bytes{"what do ya want for nothing?"})),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(to_hex(of({Form::exact_json, {}, "k"}, intent::Json{R"({"a": 1})"})),
              "cd7d7d7b1651caa92c82812e913859159c0e729d67421863aaf3e11d0c0e5a96");
}

TEST(Fingerprint, of_real_bodies_is_the_golden_one) {
    std::ifstream table{COUNTERFOIL_PAYLOADS "/golden.tsv"};
    ASSERT_TRUE(table.is_open());
    std::string line;
    std::getline(table, line);
    int rows = 0;
    while (std::getline(table, line)) {
        std::istringstream columns{line};
        std::string file;
        std::string size;
        std::string canonical_size;
        std::string raw_digest;
        std::string canonical_digest;
        columns >> file >> size >> canonical_size >> raw_digest >> canonical_digest;
        std::ifstream in{std::string{COUNTERFOIL_PAYLOADS "/"} + file, std::ios::binary};
        const std::string body{std::istreambuf_iterator<char>{in}, {}};
        EXPECT_EQ(std::to_string(body.size()), size) << file;
        EXPECT_EQ(std::to_string(canonical(exact, intent::Json{body}).size()), canonical_size);
        EXPECT_EQ(hex_of(raw, body), raw_digest) << file;
        EXPECT_EQ(hex_of(rfc8785, body), canonical_digest) << file;
        EXPECT_EQ(hex_of(exact, body), canonical_digest) << file;
        ++rows;
    }
    EXPECT_EQ(rows, 19);
}

RC_GTEST_PROP(Fingerprint, is_the_digest_of_the_canonical_bytes_and_nothing_else, ()) {
    const auto scheme = *gen::scheme();
    const auto intent = *gen::intent_fit_for(scheme.form);
    Fingerprinter fingerprinter{secrets()};
    const std::string bytes{*fingerprinter.canonical_bytes(scheme, gen::view(intent))};
    const auto made = fingerprinter.fingerprint(scheme, gen::view(intent));
    RC_ASSERT(made.has_value());
    RC_ASSERT(made->scheme == name_of(scheme));
    RC_ASSERT(
        made->digest ==
        (scheme.secret ? hmac_by_definition(secrets().at(*scheme.secret), bytes) : sha256(bytes)));
}

RC_GTEST_PROP(Fingerprint, is_the_same_under_the_scheme_s_name, ()) {
    const auto scheme = *gen::scheme();
    const auto intent = *gen::intent();
    Fingerprinter fingerprinter{secrets()};
    const auto by_name = fingerprinter.fingerprint(name_of(scheme), gen::view(intent));
    RC_ASSERT(by_name == fingerprinter.fingerprint(scheme, gen::view(intent)));
    RC_ASSERT(by_name == fingerprinter.fingerprint(name_of(scheme), gen::view(intent)));
}

// Whatever it made before, readable or not, and under whichever schemes.
RC_GTEST_PROP(Fingerprint, does_not_depend_on_what_its_maker_made_before, ()) {
    Fingerprinter used{secrets()};
    const auto rounds = *rc::gen::inRange(0, 5);
    for (int i = 0; i < rounds; ++i) {
        const auto earlier = *gen::intent();
        (void)used.fingerprint(*gen::scheme(), gen::view(earlier));
        (void)used.fingerprint(name_of(*gen::scheme()), gen::view(earlier));
        (void)used.fingerprint(SchemeName{*gen::almost_scheme_name()}, gen::view(earlier));
        (void)used.fingerprint(*gen::scheme(),
                               intent::Json{*rc::gen::element("[[", "{\"a\":", "\x01")});
        const FieldDigestRules rules{*rc::gen::element<std::string>("k", "none"), 2, 3};
        (void)used.field_digests(*gen::scheme(), gen::view(earlier), rules);
    }
    const auto scheme = *gen::scheme();
    const auto intent = *gen::intent();
    Fingerprinter fresh{secrets()};
    RC_ASSERT(used.fingerprint(scheme, gen::view(intent)) ==
              fresh.fingerprint(scheme, gen::view(intent)));
    RC_ASSERT(used.fingerprint(name_of(scheme), gen::view(intent)) ==
              fresh.fingerprint(scheme, gen::view(intent)));
    Fingerprinter moved{std::move(used)};
    RC_ASSERT(moved.fingerprint(scheme, gen::view(intent)) ==
              fresh.fingerprint(scheme, gen::view(intent)));
}

RC_GTEST_PROP(Fingerprint, of_a_parsed_value_is_that_of_its_text, ()) {
    const auto json = *gen::spelt_json();
    auto scheme = *gen::scheme();
    if (scheme.form == Form::raw) scheme.form = Form::exact_json;
    const auto value = boost::json::parse(json.text);
    RC_ASSERT(of(scheme, intent::JsonValue{&value}) == of(scheme, intent::Json{json.text}));
}

RC_GTEST_PROP(Fingerprint, of_two_texts_is_equal_exactly_if_their_values_are, ()) {
    const auto one = *gen::spelt_json();
    const auto other = *rc::gen::oneOf(gen::spelt_json(), gen::spelt_like(one));
    const bool equal = one.canonical == other.canonical;
    RC_CLASSIFY(equal, "equal");
    RC_ASSERT((exact_of(one.text) == exact_of(other.text)) == equal);
    RC_ASSERT(canonical(exact, intent::Json{one.text}) == one.canonical);
}

// The limit is no part of the scheme.
RC_GTEST_PROP(Fingerprint, is_allowed_by_the_depth_limit_and_not_changed_by_it, ()) {
    const auto levels = *rc::gen::inRange<std::size_t>(0, 6);
    const auto limit = *rc::gen::inRange<std::size_t>(0, 8);
    const auto text = std::string(levels, '[') + "1" + std::string(levels, ']');
    const bool in_http = *rc::gen::arbitrary<bool>();
    intent::Http http;
    http.query = {{"a", "b"}};
    http.body = intent::Json{text};
    const auto intent = in_http ? Intent{http} : Intent{intent::Json{text}};
    const auto made = Fingerprinter{}.fingerprint(exact, intent, limit);
    if (levels > limit) {
        RC_ASSERT(made.error() ==
                  (FingerprintError{FingerprintFault::unreadable_json,
                                    JsonError{JsonFault::too_deep, limit}, in_http ? "body" : ""}));
    } else {
        RC_ASSERT(made == Fingerprinter{}.fingerprint(exact, intent));
    }
}

struct Pair {
    std::string_view one;
    std::string_view other;
};

// Equal values, however they are written (cases 58 and 73).
TEST(Fingerprint, is_equal_for_equal_values) {
    const std::array<Pair, 8> pairs{{
        {R"({"a":1,"b":{"c":2,"d":3}})", R"({"b":{"d":3,"c":2},"a":1})"},
        {"1", "1.0"},
        {"1", "10e-1"},
        {"-0", "0"},
        {"-0.0e5", "0"},
        {R"("\u0061\/")", R"("a/")"},
        {R"("\ud83d\ude00")", "\"\xF0\x9F\x98\x80\""},
        {" [ 1 ,\t2\r\n] ", "[1,2]"},
    }};
    for (const auto& [one, other] : pairs) {
        EXPECT_EQ(exact_of(one), exact_of(other)) << one << " and " << other;
    }
}

// Values that some other way of hashing has taken for one (cases 65, 67, 73, 74).
TEST(Fingerprint, differs_for_values_that_look_alike) {
    const std::array<Pair, 14> pairs{{
        {"[1,2]", "[2,1]"},
        {R"("{\"a\":1}")", R"({"a":1})"},
        {"9223372036854775808", "9223372036854775809"},
        {"9007199254740992", "9007199254740993"},
        {"0.1", "0.1000000000000000055511151231257827"},
        {"1e400", "1e401"},
        {"1e-400", "0"},
        {"1", "\"1\""},
        {"null", "\"\""},
        {"null", "{}"},
        {"{}", "[]"},
        {"{\"a\":null}", "{}"},
        {"\"caf\xC3\xA9\"", "\"cafe\xCC\x81\""},
        {R"({"a":"b,c"})", R"({"a":"b","c":""})"},
    }};
    for (const auto& [one, other] : pairs) {
        EXPECT_NE(exact_of(one), exact_of(other)) << one << " and " << other;
    }
}

// RFC 8785 to the letter takes what is one double for one number, and refuses what is none.
TEST(Fingerprint, under_rfc8785_goes_by_the_nearest_double) {
    const auto of_number = [](std::string_view text) { return of(rfc8785, intent::Json{text}); };
    EXPECT_EQ(of_number("9223372036854775808"), of_number("9223372036854775809"));
    EXPECT_EQ(of_number("0.1"), of_number("0.1000000000000000055511151231257827"));
    EXPECT_NE(of_number("0.1"), of_number("0.10000000000000002"));
    EXPECT_EQ(of_number("1e-400"), of_number("0"));
    EXPECT_EQ(Fingerprinter{}.fingerprint(rfc8785, intent::Json{"[1e400]"}).error(),
              (FingerprintError{FingerprintFault::unreadable_json,
                                JsonError{JsonFault::number_out_of_range, 1}, ""}));
}

TEST(Fingerprint, of_members_is_in_no_locale_s_order) {
    EXPECT_EQ(
        canonical(exact, intent::Json{"{\"a\":0,\"B\":0,\"\xC3\xA4\":0,\"Z\":0,\"10\":0,\"9\":0}"}),
        "{\"10\":0,\"9\":0,\"B\":0,\"Z\":0,\"a\":0,\"\xC3\xA4\":0}");
}

TEST(Fingerprint, of_nothing_is_that_of_no_bytes_and_not_of_null) {
    EXPECT_EQ(of(raw, intent::Bytes{}), of(raw, intent::Bytes{""}));
    EXPECT_EQ(of(raw, intent::Bytes{}), sha256(""));
    EXPECT_NE(of(raw, intent::Bytes{}), of(raw, intent::Bytes{"null"}));
}

TEST(Fingerprint, under_raw_is_of_the_bytes_as_they_came) {
    EXPECT_EQ(of(raw, intent::Json{"{ }"}), sha256("{ }"));
    EXPECT_EQ(of(raw, intent::Json{"\xFF{"}), of(raw, intent::Bytes{"\xFF{"}));
    EXPECT_NE(of(raw, intent::Json{"{}"}), of(raw, intent::Json{"{ }"}));
}

TEST(Fingerprint, under_a_secret_differs_from_any_other) {
    const Intent intent = intent::Json{"{}"};
    EXPECT_NE(of({Form::raw, {}, "k"}, intent), of({Form::raw, {}, "2026-q4"}, intent));
    EXPECT_NE(of({Form::raw, {}, "k"}, intent), of(raw, intent));
    // An empty secret is a secret still.
    EXPECT_NE(of({Form::raw, {}, "a;b"}, intent), of(raw, intent));
}

TEST(Fingerprint, of_a_selection_leaves_out_what_it_does_not_name) {
    const std::vector<std::string> trace{"/trace"};
    const Scheme scheme{Form::exact_json, *FieldSelection::omit(trace), {}};
    EXPECT_EQ(of(scheme, intent::Json{R"({"trace":1,"a":2})"}),
              of(scheme, intent::Json{R"({"a":2,"trace":{"b":3}})"}));
    EXPECT_EQ(of(scheme, intent::Json{R"({"a":2})"}), exact_of(R"({"a":2})"));
    EXPECT_NE(of(scheme, intent::Json{R"({"a":2})"}), of(scheme, intent::Json{R"({"a":3})"}));
}

}  // namespace
}  // namespace counterfoil
