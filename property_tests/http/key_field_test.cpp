#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/http/key_field.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace counterfoil::http {
namespace {

using Lines = std::vector<std::string_view>;

std::string read(const Lines& lines, KeySyntax syntax = KeySyntax::string_or_bare) {
    const auto key = parse_key_field(lines, {}, syntax);
    return key ? "key " + key->text() : describe(key.error());
}

TEST(KeyField, is_the_same_key_quoted_or_bare) {
    EXPECT_EQ(read({"\"k-1\""}), "key k-1");
    EXPECT_EQ(read({"k-1"}), "key k-1");
    EXPECT_EQ(read({" \tk-1\t "}), "key k-1");
    EXPECT_EQ(read({"\"k-1\";v=1"}), "key k-1");
    EXPECT_EQ(read({"8e03978e-40d5-43e8-bc93-6894a57f9324"}),
              "key 8e03978e-40d5-43e8-bc93-6894a57f9324");
    EXPECT_EQ(read({"\"a\\\"b\\\\c;d,e\""}), "key a\"b\\c;d,e");
}

TEST(KeyField, takes_equal_lines_once_and_no_others) {
    EXPECT_EQ(read({"\"k\"", "k", "", " k "}), "key k");
    EXPECT_EQ(read({"k", "K"}), "there are several lines, with different keys");
    EXPECT_EQ(read({"k", "\"unfinished"}), "no well written string, from byte 11 on");
    EXPECT_EQ(read({"k, k"}), "no well written string, from byte 1 on");
}

TEST(KeyField, says_what_is_wrong_and_where) {
    EXPECT_EQ(read({}), "there is no key");
    EXPECT_EQ(read({"", " \t "}), "there is no key");
    EXPECT_EQ(read({"  \"a\"b"}), "no well written string, from byte 5 on");
    EXPECT_EQ(read({"  a\"b"}), "no well written string, from byte 3 on");
    EXPECT_EQ(read({"a;v=1"}), "no well written string, from byte 1 on");
    for (const auto* line : {"\"\"", "\"  \"", "a b", "\"a b\""}) {
        const auto key = parse_key_field({line});
        ASSERT_FALSE(key.has_value()) << line;
        EXPECT_EQ(key.error().fault, KeyFieldFault::not_a_key) << line;
        EXPECT_TRUE(key.error().name.has_value());
    }
    const auto too_long = parse_key_field({"12345"}, {.max_length = 4});
    EXPECT_EQ(too_long.error().name->fault, NameFault::too_long);
}

TEST(KeyField, of_strings_only_takes_no_bare_key_and_no_second_line) {
    constexpr auto only = KeySyntax::string_only;
    EXPECT_EQ(read({"\"k\""}, only), "key k");
    EXPECT_EQ(read({"k"}, only), "the key has to be a string: put it in double quotes");
    EXPECT_EQ(read({"\"k\"", "\"k\""}, only), "no well written string, from byte 3 on");
    EXPECT_EQ(read({"\"k\";a=\"", "\""}, only), "no well written string, from byte 7 on");
    EXPECT_EQ(read({" "}, only), "there is no key");
}

std::string as_string(std::string_view key) {
    std::string text{'"'};
    for (const char c : key) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

RC_GTEST_PROP(KeyFieldLaws, any_key_comes_back_out_of_its_quotes, ()) {
    const std::string key = *rc::gen::container<std::string>(rc::gen::inRange<char>(0x21, 0x7F));
    RC_PRE(!key.empty() && key.size() <= 255U);
    const auto line = as_string(key);
    for (const auto syntax : {KeySyntax::string_or_bare, KeySyntax::string_only}) {
        const auto read_back = parse_key_field(Lines{line}, {}, syntax);
        RC_ASSERT(read_back.has_value());
        RC_ASSERT(read_back->text() == key);
    }
    if (key.starts_with('"')) return;  // not bare, whatever follows
    const auto bare = parse_key_field(Lines{key});
    RC_ASSERT(bare.has_value() == (key.find_first_of("\",;") == std::string::npos));
    if (bare) RC_ASSERT(bare->text() == key);
}

// Whatever bytes come: a key that its rules let in, or an error with a place inside the lines.
RC_GTEST_PROP(KeyFieldLaws, reading_is_total, ()) {
    const auto byte =
        rc::gen::weightedOneOf<char>({{3, rc::gen::elementOf(std::string{"\"\\;,=ab1-*?:%@ \t"})},
                                      {1, rc::gen::arbitrary<char>()}});
    const auto line = rc::gen::oneOf(
        rc::gen::container<std::string>(byte),
        rc::gen::map(rc::gen::element<std::string>("k", "a;b", "a b", "k\\"), as_string),
        rc::gen::element<std::string>("k", " k\t", "", "\"k\";v=?1"));
    const auto lines = *rc::gen::container<std::vector<std::string>>(line);
    const Lines views{lines.begin(), lines.end()};
    std::size_t longest = 0;
    for (const auto& one : lines) longest = std::max(longest, one.size());
    for (const auto syntax : {KeySyntax::string_or_bare, KeySyntax::string_only}) {
        const auto key = parse_key_field(views, {}, syntax);
        RC_CLASSIFY(key.has_value(), "a key");
        if (key) {
            RC_ASSERT(parse_key(key->text()).has_value());
        } else {
            RC_ASSERT(key.error().at <= longest);
            RC_ASSERT(!describe(key.error()).empty());
        }
    }
}

}  // namespace
}  // namespace counterfoil::http
