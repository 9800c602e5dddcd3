#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <counterfoil/fingerprint.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/intents.hpp"

namespace counterfoil {
namespace {

Fingerprinter fingerprinter() {
    return Fingerprinter{{{"k", "a secret"}, {"l", "another"}}};
}

FieldDigests digests(const Intent& intent, const FieldDigestRules& rules = {"k", 2, 64},
                     const Scheme& scheme = {}) {
    return *fingerprinter().field_digests(scheme, intent, rules);
}

std::vector<std::string> names(const FieldDigests& digests) {
    std::vector<std::string> pointers;
    for (const auto& field : digests.fields) pointers.push_back(field.pointer);
    return pointers;
}

std::vector<std::string> names(std::string_view text, std::size_t depth) {
    return names(digests(intent::Json{text}, {"k", depth, 64}));
}

using Names = std::vector<std::string>;

TEST(FieldDigests, are_of_what_stands_at_the_depth_and_scalars_above) {
    constexpr auto text = R"({"a":{"x":[1,{"y":2}],"z":3},"b":[4,[5]],"c":6,"d":{},"e":[]})";
    EXPECT_EQ(names(text, 0), (Names{""}));
    EXPECT_EQ(names(text, 1), (Names{"/a", "/b", "/c", "/d", "/e"}));
    EXPECT_EQ(names(text, 2), (Names{"/a/x", "/a/z", "/b/0", "/b/1", "/c", "/d", "/e"}));
    EXPECT_EQ(names(text, 9),
              (Names{"/a/x/0", "/a/x/1/y", "/a/z", "/b/0", "/b/1/0", "/c", "/d", "/e"}));
    for (const auto* const scalar : {"1", "\"{\"", "null", "{}", "[]"}) {
        EXPECT_EQ(names(scalar, 2), (Names{""})) << scalar;
    }
}

TEST(FieldDigests, are_in_byte_order_of_json_pointers) {
    EXPECT_EQ(names("[0,1,2,3,4,5,6,7,8,9,10]", 2),
              (Names{"/0", "/1", "/10", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"}));
    EXPECT_EQ(names("{\"\xF0\x9F\x98\x80\":1,\"\xEF\xBF\xBD\":2}", 1),
              (Names{"/\xEF\xBF\xBD", "/\xF0\x9F\x98\x80"}));
    EXPECT_EQ(names(R"({"":{"":0},"a/b":1,"m~n":2,"\"\\":3,"\n\u0001\u001f\u007f\b":4})", 2),
              (Names{"/\n\x01\x1F\x7F\b", "/\"\\", "//", "/a~1b", "/m~0n"}));
}

TEST(FieldDigests, are_of_the_selection) {
    const Names pointers{"/a/x", "/b"};
    const auto only = *FieldSelection::only(pointers);
    EXPECT_EQ(names(digests(intent::Json{R"({"a":{"x":1,"y":2},"b":3,"c":4})"}, {"k", 2, 64},
                            {Form::exact_json, only, {}})),
              (Names{"/a/x", "/b"}));
    EXPECT_EQ(names(digests(intent::Json{"{}"}, {"k", 2, 64}, {Form::exact_json, only, {}})),
              Names{});
}

// HMAC-SHA-256 of 8 bytes of length, `/a` and `1`, by openssl dgst -mac HMAC: the first 128 bits.
TEST(FieldDigests, are_keyed_over_pointer_and_value) {
    const auto made = digests(intent::Json{R"({"a":1})"});
    ASSERT_EQ(made.fields.size(), 1U);
    std::string hex;
    for (const auto byte : made.fields[0].digest) {
        constexpr std::string_view digits = "0123456789abcdef";
        hex += digits[byte >> 4U];
        hex += digits[byte & 15U];
    }
    EXPECT_EQ(hex, "0a47ed11316b9f3a06ae8e10b03d28a4");
}

TEST(FieldDigests, do_not_show_that_two_fields_are_equal) {
    const auto made = digests(intent::Json{R"({"a":1,"b":1,"c":[1,1]})"});
    std::set<std::array<std::uint8_t, 16>> distinct;
    for (const auto& field : made.fields) distinct.insert(field.digest);
    EXPECT_EQ(distinct.size(), made.fields.size());
    EXPECT_NE(made.fields,
              digests(intent::Json{R"({"a":1,"b":1,"c":[1,1]})"}, {"l", 2, 64}).fields);
}

TEST(FieldDigests, of_bytes_are_one) {
    const Scheme raw{Form::raw, {}, {}};
    EXPECT_EQ(names(digests(intent::Bytes{R"({"a":1})"}, {"k", 2, 64}, raw)), (Names{""}));
    EXPECT_EQ(digests(intent::Json{"x"}, {"k", 2, 64}, raw),
              digests(intent::Bytes{"x"}, {"k", 2, 64}, raw));
    EXPECT_EQ(differing_fields(digests(intent::Bytes{"x"}, {"k", 2, 64}, raw),
                               digests(intent::Bytes{"y"}, {"k", 2, 64}, raw)),
              (Names{""}));
}

TEST(FieldDigests, have_the_faults_of_a_fingerprint) {
    auto maker = fingerprinter();
    EXPECT_EQ(maker.field_digests({}, intent::Json{"{}"}, {"none", 2, 64}).error(),
              (FingerprintError{FingerprintFault::missing_secret, {}, "none"}));
    EXPECT_EQ(
        maker.field_digests({}, intent::Json{"[x"}, {"k", 2, 64}).error(),
        (FingerprintError{FingerprintFault::unreadable_json, JsonError{JsonFault::syntax, 1}, ""}));
    EXPECT_EQ(maker.field_digests({}, intent::Json{"[[]]"}, {"k", 2, 64}, 1).error(),
              (FingerprintError{FingerprintFault::unreadable_json,
                                JsonError{JsonFault::too_deep, 1}, ""}));
    EXPECT_EQ(maker.field_digests({}, intent::Bytes{}, {"k", 2, 64}).error().fault,
              FingerprintFault::not_json);
}

/// A document of at most two levels above its leaves, as pointers and what stands there.
using Leaves = std::map<std::string, std::string>;

rc::Gen<std::string> leaf() {
    return rc::gen::element<std::string>("1", "2", "1e2", "null", "\"1\"", "[1]", "[1,2]",
                                         R"({"x":1})", R"({"x":2})", "{}", "[]");
}

rc::Gen<Leaves> leaves() {
    return rc::gen::exec([] {
        Leaves made;
        for (const std::string name : {"a", "b", "c", "~1", "~0", ""}) {
            // A container is no leaf one level down, but cut further.
            switch (*rc::gen::inRange(0, 4)) {
                case 0: break;
                case 1: made["/" + name] = *rc::gen::element<std::string>("1", "\"a\""); break;
                default:
                    for (const auto* const below : {"/x", "/y", "/a"}) {
                        if (*rc::gen::arbitrary<bool>()) made["/" + name + below] = *leaf();
                    }
                    break;
            }
        }
        return made;
    });
}

std::string name_of_token(const std::string& token) {
    if (token == "~0") return "~";
    if (token == "~1") return "/";
    return token;
}

std::string text_of(const Leaves& leaves) {
    // A scalar's text, or the members of an object, each behind a comma.
    std::map<std::string, std::string> members;
    for (const auto& [pointer, value] : leaves) {
        const auto slash = std::min(pointer.find('/', 1), pointer.size());
        auto& member = members[name_of_token(pointer.substr(1, slash - 1))];
        if (slash != pointer.size()) member.append(",\"").append(pointer, slash + 1).append("\":");
        member += value;
    }
    std::string text = "{";
    for (const auto& [name, member] : members) {
        if (text.size() > 1) text += ',';
        text.append("\"").append(name).append("\":");
        if (member.front() == ',') {
            text.append("{").append(member, 1).append("}");
        } else {
            text += member;
        }
    }
    return text + "}";
}

/// Other values in some of the leaves, some leaves gone and some new.
rc::Gen<Leaves> changed(const Leaves& before) {
    return rc::gen::exec([before] {
        Leaves after;
        for (const auto& [pointer, value] : before) {
            switch (*rc::gen::inRange(0, 6)) {
                case 0: break;
                case 1: after[pointer] = "\"changed\""; break;
                default: after[pointer] = value; break;
            }
        }
        if (*rc::gen::arbitrary<bool>()) after["/new"] = "1";
        return after;
    });
}

Names expected_difference(const Leaves& one, const Leaves& other) {
    std::set<std::string> different;
    for (const auto& [pointer, value] : one) {
        const auto found = other.find(pointer);
        if (found == other.end() || found->second != value) different.insert(pointer);
    }
    for (const auto& [pointer, value] : other) {
        if (!one.contains(pointer)) different.insert(pointer);
    }
    return {different.begin(), different.end()};
}

RC_GTEST_PROP(DifferingFields, are_exactly_those_that_changed, ()) {
    auto one = *leaves();
    one["/always"] = "0";  // an empty object would be a field itself
    auto other = *changed(one);
    other["/always"] = *rc::gen::element<std::string>("0", "1");
    const auto expected = expected_difference(one, other);
    RC_CLASSIFY(expected.empty(), "none");
    RC_CLASSIFY(expected.size() > 1, "several");
    RC_ASSERT(differing_fields(digests(intent::Json{text_of(one)}),
                               digests(intent::Json{text_of(other)})) == expected);
    RC_ASSERT(differing_fields(digests(intent::Json{text_of(other)}),
                               digests(intent::Json{text_of(one)})) == expected);
}

// Where fields were left out, what can't be known isn't named; what can be, is.
RC_GTEST_PROP(DifferingFields, are_named_as_far_as_both_sides_are_known, ()) {
    auto one = *leaves();
    one["/always"] = "0";
    auto other = *changed(one);
    other["/always"] = "0";
    const FieldDigestRules rules{"k", 2, *rc::gen::inRange<std::size_t>(1, 6)};
    const auto of_one = digests(intent::Json{text_of(one)}, rules);
    const auto of_other = digests(intent::Json{text_of(other)}, rules);
    RC_ASSERT(of_one.fields.size() + of_one.left_out == one.size());
    RC_ASSERT(of_one.fields.size() == std::min(one.size(), rules.max_fields));
    RC_CLASSIFY(of_one.left_out > 0, "some left out");

    auto expected = expected_difference(one, other);
    for (const auto* const side : {&of_one, &of_other}) {
        if (side->left_out == 0) continue;
        const auto& last = side->fields.back().pointer;
        expected.erase(std::upper_bound(expected.begin(), expected.end(), last), expected.end());
    }
    RC_ASSERT(differing_fields(of_one, of_other) == expected);
}

RC_GTEST_PROP(FieldDigests, that_are_kept_are_the_first_of_all, ()) {
    auto document = *leaves();
    document["/always"] = "0";
    const auto max_fields = *rc::gen::inRange<std::size_t>(0, 8);
    const auto all = digests(intent::Json{text_of(document)});
    const auto some = digests(intent::Json{text_of(document)}, {"k", 2, max_fields});
    const auto kept = std::min(max_fields, all.fields.size());
    RC_ASSERT(std::equal(some.fields.begin(), some.fields.end(), all.fields.begin(),
                         all.fields.begin() + static_cast<std::ptrdiff_t>(kept)));
    RC_ASSERT(some.left_out == all.fields.size() - kept);
}

TEST(DifferingFields, of_other_rules_are_none) {
    const auto made = [](std::string_view text, const FieldDigestRules& rules) {
        return digests(intent::Json{text}, rules);
    };
    const auto one = made(R"({"a":1})", {"k", 2, 64});
    EXPECT_EQ(differing_fields(one, made(R"({"a":2})", {"k", 2, 64})), (Names{"/a"}));
    EXPECT_EQ(differing_fields(one, made(R"({"a":2})", {"l", 2, 64})), Names{});
    EXPECT_EQ(differing_fields(one, made(R"({"a":2})", {"k", 3, 64})), Names{});
    EXPECT_EQ(differing_fields(one, made(R"({"a":2})", {"k", 2, 63})), Names{});
}

// The part that changed is named, not just the body (case 44).
TEST(DifferingFields, of_http_say_which_part) {
    const intent::Http one{"acct",
                           "POST",
                           "/charges",
                           {{"page", "1"}},
                           intent::Json{R"({"amount":5,"card":{"name":"A","cvc":"1"}})"}};
    const auto difference = [&](const intent::Http& other) {
        return differing_fields(digests(one), digests(other));
    };
    auto other = one;
    other.query = {{"page", "2"}};
    EXPECT_EQ(difference(other), (Names{"/query/page"}));
    other = one;
    other.body = intent::Json{R"({"amount":6,"card":{"name":"A","cvc":"1"}})"};
    EXPECT_EQ(difference(other), (Names{"/body/amount"}));
    other.path = "/refunds";
    EXPECT_EQ(difference(other), (Names{"/body/amount", "/path"}));
    other = one;
    other.body = intent::Bytes{"{}"};
    EXPECT_EQ(difference(other), (Names{"/body/amount", "/body/card", "/body_sha256"}));
}

}  // namespace
}  // namespace counterfoil
