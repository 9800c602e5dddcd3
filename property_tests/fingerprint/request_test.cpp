#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/request.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/intents.hpp"

namespace counterfoil {
namespace {

Secrets secrets() {
    return {{"k", "a secret"}, {"2026-q4", "another"}};
}

Scope scope() {
    return {*parse_tenant("acct_7"), *parse_operation("charge"), *parse_key("key-1")};
}

Policy policy(Scheme scheme, std::optional<FieldDigestRules> detail = {},
              std::size_t max_depth = 128) {
    PolicyFigures figures;
    figures.scheme = std::move(scheme);
    figures.conflict_detail = std::move(detail);
    figures.max_depth = max_depth;
    return *validate(figures, ServiceBounds{});
}

Scheme raw() {
    return {Form::raw, {}, {}};
}

Request request(const Scheme& scheme, const Intent& intent) {
    Fingerprinter fingerprinter{secrets()};
    return *make_request(scope(), intent, policy(scheme), fingerprinter);
}

/// What compare_under adds to a request under `present`, given the name of a receipt's scheme.
std::vector<OtherFingerprint> others(const Scheme& present, const Intent& intent,
                                     const std::string& receipt_s) {
    Fingerprinter fingerprinter{secrets()};
    auto made = request(present, intent);
    compare_under(SchemeName{receipt_s}, made, intent, fingerprinter);
    return made.others;
}

std::vector<OtherFingerprint> equal_to_none(const std::string& scheme) {
    return {{SchemeName{scheme}, std::nullopt}};
}

const std::vector<OtherFingerprint> incomparable;

TEST(Request, has_what_the_policy_asks_for) {
    Fingerprinter fingerprinter{secrets()};
    const Scheme scheme{Form::rfc8785, {}, "k"};
    const FieldDigestRules rules{"2026-q4", 1, 3};
    const Intent intent = intent::Json{R"({"a":1})"};
    const auto made = make_request(scope(), intent, policy(scheme, rules), fingerprinter);
    ASSERT_TRUE(made.has_value());
    EXPECT_EQ(made->scope, scope());
    EXPECT_EQ(made->fingerprint, *fingerprinter.fingerprint(scheme, intent));
    EXPECT_EQ(made->fields, *fingerprinter.field_digests(scheme, intent, rules));
    EXPECT_TRUE(made->others.empty());
    EXPECT_EQ(request(scheme, intent).fields, std::nullopt);
}

TEST(Request, is_refused_for_what_the_intent_or_the_secrets_lack) {
    const auto error = [](const Policy& with, const Intent& intent) {
        Fingerprinter fingerprinter{secrets()};
        return make_request(scope(), intent, with, fingerprinter).error();
    };
    EXPECT_EQ(error(policy({Form::exact_json, {}, "gone"}), intent::Json{"["}),
              (FingerprintError{FingerprintFault::missing_secret, {}, "gone"}));
    EXPECT_EQ(error(policy({}, FieldDigestRules{"gone", 2, 64}), intent::Json{"["}),
              (FingerprintError{FingerprintFault::unreadable_json,
                                JsonError{JsonFault::unexpected_end, 1}, ""}));
    EXPECT_EQ(error(policy({}, FieldDigestRules{"gone", 2, 64}), intent::Json{"[]"}),
              (FingerprintError{FingerprintFault::missing_secret, {}, "gone"}));
    EXPECT_EQ(error(policy({}), intent::Bytes{}).fault, FingerprintFault::not_json);
}

TEST(Request, may_nest_as_deep_as_the_policy_says) {
    Fingerprinter fingerprinter;
    const auto fault = [&](std::size_t max_depth) -> std::optional<FingerprintError> {
        const auto made =
            make_request(scope(), intent::Json{"[[1]]"}, policy({}, {}, max_depth), fingerprinter);
        if (made) return std::nullopt;
        return made.error();
    };
    EXPECT_EQ(fault(1), (FingerprintError{FingerprintFault::unreadable_json,
                                          JsonError{JsonFault::too_deep, 1}, ""}));
    EXPECT_EQ(fault(2), std::nullopt);
    EXPECT_EQ(fault(1)->json->fault, JsonFault::too_deep);
}

RC_GTEST_PROP(CompareUnder, adds_the_fingerprint_under_that_scheme_once, ()) {
    const auto present = *gen::scheme();
    const auto earlier = *gen::scheme();
    Secrets all;
    for (const auto& scheme : {present, earlier}) {
        if (scheme.secret) all[*scheme.secret] = "a secret of " + *scheme.secret;
    }
    Fingerprinter fingerprinter{all};
    const gen::OwnedIntent owned = *gen::spelt_json();
    const auto intent = gen::view(owned);
    auto made = *make_request(scope(), intent, policy(present), fingerprinter);
    const auto before = made;
    const auto name = name_of(earlier);
    compare_under(name, made, intent, fingerprinter);
    compare_under(name, made, intent, fingerprinter);
    compare_under(made.fingerprint.scheme, made, intent, fingerprinter);

    RC_CLASSIFY(present == earlier, "the same scheme");
    auto expected = before;
    if (present != earlier) {
        expected.others = {{name, fingerprinter.fingerprint(earlier, intent)->digest}};
    }
    RC_ASSERT(made.fingerprint == expected.fingerprint);
    RC_ASSERT(made.others == expected.others);
}

// A row for each way in which an intent has no fingerprint under a receipt's scheme.
TEST(CompareUnder, says_equal_to_none_only_of_what_surely_differs) {
    const auto of_text = [](std::string_view text, const std::string& scheme) {
        return others(raw(), intent::Json{text}, scheme);
    };
    // Not readable, while what a receipt was made from was.
    EXPECT_EQ(of_text("{", "exact-json"), equal_to_none("exact-json"));
    EXPECT_EQ(of_text("", "exact-json"), equal_to_none("exact-json"));
    EXPECT_EQ(of_text("\xEF\xBB\xBF{}", "rfc8785"), equal_to_none("rfc8785"));
    EXPECT_EQ(others({}, intent::Json{"1e400"}, "rfc8785"), equal_to_none("rfc8785"));

    // Perhaps the same text, which Boost.JSON made a value of.
    EXPECT_EQ(of_text(R"({"a":1,"a":2})", "exact-json"), incomparable);
    // Perhaps the same request, handed in in another way.
    EXPECT_EQ(others(raw(), intent::Bytes{"{}"}, "exact-json"), incomparable);
    EXPECT_EQ(others(raw(), intent::Bytes{"\xFF"}, "exact-json"), incomparable);
    const boost::json::value value{1};
    EXPECT_EQ(others({}, intent::JsonValue{&value}, "raw"), incomparable);
    EXPECT_EQ(others({}, intent::Http{}, "raw"), incomparable);
    // Nobody here can tell.
    EXPECT_EQ(of_text("{}", "hmac-raw;secret=gone"), incomparable);
    EXPECT_EQ(of_text("{}", "fingerprint-v1"), incomparable);
    EXPECT_EQ(of_text("{}", ""), incomparable);
}

// A part that is not UTF-8 can only be compared by who hands in another intent than the request's.
TEST(CompareUnder, takes_the_intent_as_it_was_when_the_receipt_was_written) {
    Fingerprinter fingerprinter;
    intent::Http http;
    http.path = "/\xFF";
    auto made = request(raw(), intent::Bytes{"{}"});
    compare_under(SchemeName{"rfc8785"}, made, http, fingerprinter);
    EXPECT_EQ(made.others, equal_to_none("rfc8785"));

    compare_under(SchemeName{"exact-json"}, made, intent::Json{"{}"}, fingerprinter);
    EXPECT_EQ(made.others.back(), (OtherFingerprint{SchemeName{"exact-json"}, sha256("{}")}));
}

// Receipts outlive limits: how deep an intent may nest today is nothing to an older scheme.
TEST(CompareUnder, applies_no_depth_limit) {
    const auto text = std::string(5'000, '[') + std::string(5'000, ']');
    EXPECT_EQ(others(raw(), intent::Json{text}, "exact-json"),
              (std::vector<OtherFingerprint>{{SchemeName{"exact-json"}, sha256(text)}}));
}

// An older scheme, a newer one: retries of receipts under either are equal or not as their intents
// are (cases 71 and 76).
RC_GTEST_PROP(CompareUnder, tells_equal_from_other_under_every_scheme, ()) {
    const std::vector<Scheme> schemes{
        {}, {Form::rfc8785, {}, {}}, {Form::exact_json, {}, "k"}, {Form::rfc8785, {}, "2026-q4"}};
    const auto of_receipt = *rc::gen::elementOf(schemes);
    const auto present = *rc::gen::elementOf(schemes);
    const auto first = *gen::spelt_json();
    const auto retry = *rc::gen::oneOf(gen::spelt_json(), gen::spelt_like(first));
    const auto receipt = request(of_receipt, intent::Json{first.text}).fingerprint;
    Fingerprinter fingerprinter{secrets()};
    auto made = request(present, intent::Json{retry.text});
    compare_under(receipt.scheme, made, intent::Json{retry.text}, fingerprinter);

    auto digest = std::optional{made.fingerprint.digest};
    if (made.fingerprint.scheme != receipt.scheme) digest = made.others.at(0).digest;
    RC_CLASSIFY(first.canonical == retry.canonical, "equal");
    RC_ASSERT((digest == receipt.digest) == (first.canonical == retry.canonical));
}

}  // namespace
}  // namespace counterfoil
