#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>

#include "generators/json_documents.hpp"

namespace counterfoil {
namespace {

using namespace std::string_literals;

// Both ways of reading, which must agree; the text ends where the memory does.
Result<std::string, JsonError> canonical(std::string_view text, Numbers numbers = Numbers::exact,
                                         std::size_t max_depth = Canonicalizer::default_max_depth) {
    const std::vector<char> exactly(text.begin(), text.end());
    std::optional<Result<std::string, JsonError>> first;
    for (const auto blocks : {detail::Blocks::fastest, detail::Blocks::portable}) {
        Canonicalizer json{numbers, max_depth, blocks};
        const auto result = json.canonicalize(std::string_view{exactly.data(), exactly.size()});
        const auto outcome = result ? Result<std::string, JsonError>{std::string{*result}}
                                    : Result<std::string, JsonError>{result.error()};
        if (first) {
            EXPECT_TRUE(*first == outcome);
        }
        first = outcome;
    }
    return *first;
}

JsonError error_of(std::string_view text) {
    const auto result = canonical(text);
    EXPECT_FALSE(result.has_value());
    return result ? JsonError{} : result.error();
}

TEST(CanonicalJson, tells_the_fault_and_its_first_byte) {
    struct Case {
        std::string text;
        JsonError error;
    };

    const std::vector<Case> cases{
        {"", {JsonFault::unexpected_end, 0}},
        {" \n", {JsonFault::unexpected_end, 2}},
        {"x", {JsonFault::syntax, 0}},
        {"nulL", {JsonFault::syntax, 3}},
        {"nul", {JsonFault::unexpected_end, 3}},
        {"[1,]", {JsonFault::syntax, 3}},
        {"[1 2]", {JsonFault::syntax, 3}},
        {"[01]", {JsonFault::syntax, 2}},
        {"[-]", {JsonFault::syntax, 2}},
        {"[1.e1]", {JsonFault::syntax, 3}},
        {"[1e+]", {JsonFault::syntax, 4}},
        {"{1:2}", {JsonFault::syntax, 1}},
        {R"({"a" 1})", {JsonFault::syntax, 5}},
        {R"({"a":1,})", {JsonFault::syntax, 7}},
        {"[1}", {JsonFault::syntax, 2}},
        {"\"a\nb\"", {JsonFault::syntax, 2}},
        {R"("\x")", {JsonFault::syntax, 2}},
        {R"("\u12g4")", {JsonFault::syntax, 5}},
        {"\0"s, {JsonFault::syntax, 0}},
        {"{}\0"s, {JsonFault::trailing_text, 2}},
        {"{} x", {JsonFault::trailing_text, 3}},
        {"\xEF\xBB\xBF{}", {JsonFault::byte_order_mark, 0}},
        {"\"ab\xC3(\"", {JsonFault::invalid_utf8, 3}},
        {"\"\xED\xA0\x80\"", {JsonFault::invalid_utf8, 1}},
        {"\"\xE2\x82", {JsonFault::unexpected_end, 3}},
        {R"("a\ud800")", {JsonFault::lone_surrogate, 2}},
        {R"("\ud800\u0041")", {JsonFault::lone_surrogate, 1}},
        {R"("a\udc00")", {JsonFault::lone_surrogate, 2}},
        {R"("\ud800\n")", {JsonFault::lone_surrogate, 1}},
        {R"({"a":1,"b":2, "a":3})", {JsonFault::duplicate_name, 14}},
        {R"({"a":1,"\u0061":2})", {JsonFault::duplicate_name, 7}},
        {R"({"b":1,"c":1,"a":1,"c":2,"b":3,"b":4})", {JsonFault::duplicate_name, 19}},
        {R"({"longer than a word":1,"longer than a word":2})", {JsonFault::duplicate_name, 24}},
        {"[1e1000000000]", {JsonFault::number_out_of_range, 1}},
        {"[-1e-1000000000]", {JsonFault::number_out_of_range, 1}},
        {R"({"a":{"x":1,"x":2},"b":})", {JsonFault::duplicate_name, 12}},
        {R"({"a":1,"a":})", {JsonFault::syntax, 11}},
    };
    for (const Case& c : cases) EXPECT_EQ(error_of(c.text), c.error) << testing::Bytes{c.text};
}

TEST(CanonicalJson, counts_each_open_container_as_a_level) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_TRUE(canonical(nested(128)).has_value());
    EXPECT_EQ(error_of(nested(129)), (JsonError{JsonFault::too_deep, 128}));
    EXPECT_TRUE(canonical("1", Numbers::exact, 0).has_value());
    EXPECT_EQ(canonical(" []", Numbers::exact, 0).error(), (JsonError{JsonFault::too_deep, 1}));
    EXPECT_TRUE(canonical(R"({"a":[],"b":[]})", Numbers::exact, 2).has_value());
    EXPECT_EQ(canonical(R"({"a":[],"b":[{}]})", Numbers::exact, 2).error(),
              (JsonError{JsonFault::too_deep, 13}));
}

TEST(CanonicalJson, numbers_at_the_limits) {
    const auto exact = [](std::string_view token) { return canonical(token).value(); };
    EXPECT_EQ(exact("1e999999999"), "1e+999999999");
    EXPECT_EQ(exact("9.99e-999999999"), "9.99e-999999999");
    EXPECT_EQ(exact("0.001e1000000002"), "1e+999999999");
    EXPECT_EQ(exact("1000e-1000000002"), "1e-999999999");
    EXPECT_EQ(exact("0e999999999999999999999999999999"), "0");
    EXPECT_EQ(exact("-0.000e-99999999999999999999"), "0");
    EXPECT_EQ(exact("123456789012345678901234567890123456789012345678901234567890"),
              "1.2345678901234567890123456789012345678901234567890123456789e+59");
    EXPECT_EQ(exact("999999999999999999999"), "999999999999999999999");
    EXPECT_EQ(exact("1000000000000000000000"), "1e+21");
    const std::vector<std::string> beyond{"1000000000",           "999999999999",
                                          "9223372036854775807",  "9223372036854775808",
                                          "18446744073709551616", std::string(1'000, '9')};
    for (const std::string& exponent : beyond) {
        for (const std::string base : {"1e", "1e+", "1e-"}) {
            EXPECT_EQ(error_of(base + exponent), (JsonError{JsonFault::number_out_of_range, 0}));
        }
        EXPECT_EQ(canonical("1e" + exponent, Numbers::ieee754).error(),
                  (JsonError{JsonFault::number_out_of_range, 0}));
        EXPECT_EQ(canonical("1e-" + exponent, Numbers::ieee754).value(), "0");
    }
    EXPECT_EQ(canonical("1e400", Numbers::ieee754).error(),
              (JsonError{JsonFault::number_out_of_range, 0}));
    EXPECT_EQ(exact("1e400"), "1e+400");
    // A point far behind or before the digits, made up for by the exponent.
    EXPECT_EQ(exact("0." + std::string(100'000, '0') + "5e100001"), "5");
    EXPECT_EQ(exact("5" + std::string(100'000, '0') + "e-100000"), "5");
}

TEST(CanonicalJson, numbers_make_room_for_themselves) {
    std::string text = "[1e20";
    std::string expected = "[100000000000000000000";
    for (int i = 0; i < 1'000; ++i) {
        text += ",1e20";
        expected += ",100000000000000000000";
    }
    EXPECT_EQ(canonical(text + ']').value(), expected + ']');
}

TEST(CanonicalJson, duplicates_hide_neither_behind_escapes_nor_among_many) {
    std::string text = "{";
    for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i * 7'919 % 100'000) + "\":0,";
    EXPECT_TRUE(canonical(text + R"("k":0})").has_value());
    const std::size_t at = text.size();
    EXPECT_EQ(error_of(text + R"("\u006b4711":0})"), (JsonError{JsonFault::duplicate_name, at}));
    EXPECT_EQ(error_of(text + R"("k4711":0,"k4712":0})"),
              (JsonError{JsonFault::duplicate_name, at}));
}

// Random, reversed and sorted members with a common beginning make the same bytes.
TEST(CanonicalJson, many_members_in_any_order) {
    std::vector<std::string> members;
    for (int i = 100'000; i < 200'000; ++i) {
        members.push_back('"' + std::string(100, 'p') + std::to_string(i) +
                          "\":" + std::to_string(i));
    }
    const auto object = [](const std::vector<std::string>& parts) {
        std::string text = "{";
        for (const auto& part : parts) text += part + ',';
        text.back() = '}';
        return text;
    };
    const std::string sorted = object(members);
    EXPECT_EQ(canonical(sorted).value(), sorted);
    std::reverse(members.begin(), members.end());
    EXPECT_EQ(canonical(object(members)).value(), sorted);
    for (std::size_t i = 0; i < members.size(); ++i) {
        std::swap(members[i], members[i * 7'919 % members.size()]);
    }
    EXPECT_EQ(canonical(object(members)).value(), sorted);
}

TEST(CanonicalJson, names_that_zeros_fill_up_are_told_apart) {
    std::string text;
    std::string expected;
    for (int i = 0; i < 40; ++i) {
        std::string zeros;
        for (int k = 0; k < i; ++k) zeros += R"(\u0000)";
        const std::string member = "\"a" + zeros + "\":0,";
        text.insert(0, member);
        expected += member;
    }
    text.back() = expected.back() = '}';
    EXPECT_EQ(canonical('{' + text).value(), '{' + expected);
}

TEST(CanonicalJson, a_million_levels_are_refused_without_harm) {
    EXPECT_EQ(error_of(std::string(1'000'000, '[')), (JsonError{JsonFault::too_deep, 128}));
    std::string objects;
    for (int i = 0; i < 1'000'000; ++i) objects += R"({"b":0,"a":)";
    EXPECT_EQ(error_of(objects).fault, JsonFault::too_deep);
    // And are accepted where that is asked for.
    const std::string nested = std::string(1'000'000, '[') + std::string(1'000'000, ']');
    EXPECT_EQ(canonical(nested, Numbers::exact, 1'000'000).value(), nested);
}

TEST(CanonicalJson, a_large_body) {
    const std::string large(std::size_t{64} << 20U, 'x');
    const std::string text = R"({"b":")" + large + R"(","a":[]})";
    const std::string expected = R"({"a":[],"b":")" + large + R"("})";
    Canonicalizer json;
    Sha256 hash;
    EXPECT_TRUE(json.canonicalize(text).value() == expected);
    EXPECT_EQ(json.digest(text, {}, hash).value(), sha256(expected));
    // The object is as good as new.
    EXPECT_EQ(json.canonicalize(R"({"b":1,"a":2})").value(), R"({"a":2,"b":1})");
}

TEST(CanonicalJson, an_error_leaves_nothing_behind) {
    Canonicalizer json;
    Sha256 hash;
    const Digest expected = json.digest(R"({"a":1})", {}, hash).value();
    for (const std::string text : {R"({"b":1,"a":{"x":1,"x":2)", "[[[[", R"({"a":"\ud800"})"}) {
        EXPECT_FALSE(json.digest(text, {}, hash).has_value());
        EXPECT_EQ(json.digest(R"({"a":1})", {}, hash).value(), expected);
    }
    Canonicalizer moved = std::move(json);
    EXPECT_EQ(moved.digest(R"({"a":1})", {}, hash).value(), expected);
}

TEST(CanonicalJson, of_a_value_refuses_what_no_text_can_say) {
    Canonicalizer json{Numbers::exact, 2};
    const auto error = [&json](const boost::json::value& value) {
        return json.canonicalize(value).error();
    };
    const JsonError out_of_range{JsonFault::number_out_of_range, 0};
    EXPECT_EQ(error(boost::json::value(std::nan(""))), out_of_range);
    EXPECT_EQ(error(boost::json::value(std::numeric_limits<double>::infinity())), out_of_range);
    EXPECT_EQ(error(boost::json::value{1, -std::numeric_limits<double>::infinity()}), out_of_range);
    EXPECT_EQ(error(boost::json::string("a\xFF")), (JsonError{JsonFault::invalid_utf8, 0}));
    EXPECT_EQ(error(boost::json::object{{"\xC3(", 1}}), (JsonError{JsonFault::invalid_utf8, 0}));
    EXPECT_EQ(error(boost::json::string("\xE2\x82")).fault, JsonFault::invalid_utf8);
    const auto deep = boost::json::parse("[[[]]]");
    EXPECT_EQ(error(deep), (JsonError{JsonFault::too_deep, 0}));
    EXPECT_EQ(json.canonicalize(deep.at(0)).value(), "[[]]");
}

TEST(CanonicalJson, of_a_value_keeps_integers_exact) {
    Canonicalizer exact;
    Canonicalizer ieee754{Numbers::ieee754};
    const boost::json::value numbers{std::numeric_limits<std::int64_t>::min(),
                                     std::numeric_limits<std::uint64_t>::max(), -0.0, 0.1, 1e21};
    EXPECT_EQ(exact.canonicalize(numbers).value(),
              "[-9223372036854775808,18446744073709551615,0,0.1,1e+21]");
    EXPECT_EQ(ieee754.canonicalize(numbers).value(),
              "[-9223372036854776000,18446744073709552000,0,0.1,1e+21]");
}

}  // namespace
}  // namespace counterfoil
