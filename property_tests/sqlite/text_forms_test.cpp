#include <cstddef>
#include <string>
#include <vector>

#include <counterfoil/sqlite/field_digest_text.hpp>
#include <counterfoil/sqlite/field_lines.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/intents.hpp"
#include "generators/situations.hpp"

namespace counterfoil::sqlite {
namespace {

/// Texts of the bytes that have a meaning in lines, and of two that have none.
rc::Gen<std::string> awkward() {
    return rc::gen::container<std::string>(
        rc::gen::element('\\', '\n', '\r', '\0', ':', 'n', 'r', '0', '\xe9'));
}

rc::Gen<std::vector<Field>> awkward_fields() {
    return rc::gen::container<std::vector<Field>>(rc::gen::apply(
        [](std::string name, std::string value) {
            return Field{std::move(name), std::move(value)};
        },
        awkward(), awkward()));
}

TEST(FieldLines, are_written_so) {
    EXPECT_EQ(to_lines({}), "");
    EXPECT_EQ(to_lines({{"Content-Type", "text/plain"}, {"ETag", "\"a:b\""}}),
              "Content-Type:text/plain\nETag:\"a:b\"\n");
    EXPECT_EQ(to_lines({{"a:b", "c\\d\r\n"}}), "a\\:b:c\\\\d\\r\\n\n");
}

RC_GTEST_PROP(FieldLines, come_back_whatever_their_bytes, ()) {
    const std::vector<Field> fields = *awkward_fields();
    RC_ASSERT(from_lines(to_lines(fields)) == std::optional{fields});
}

RC_GTEST_PROP(FieldLines, are_read_only_as_they_are_written, ()) {
    const std::string text = *awkward();
    const std::optional<std::vector<Field>> read = from_lines(text);
    RC_CLASSIFY(read.has_value(), "lines");
    if (read) RC_ASSERT(to_lines(*read) == text);
}

RC_GTEST_PROP(FieldLines, are_refused_when_cut_inside_a_line, ()) {
    const std::string lines = to_lines(*rc::gen::nonEmpty(awkward_fields()));
    for (std::size_t size = 1; size < lines.size(); ++size) {
        if (lines[size - 1] == '\n') continue;  // the end of a line is the end of shorter lines
        RC_ASSERT(!from_lines(lines.substr(0, size)).has_value());
    }
}

TEST(FieldLines, are_refused_where_they_are_not_what_is_written) {
    for (const char* text : {"a", "a:b", "a\n", "a\\:b\n", "a:\\x\n", "a:b\\:c\n", "a:b\rc\n",
                             "a\rb:c\n", "a:b\\", "\n"}) {
        EXPECT_EQ(from_lines(text), std::nullopt) << text;
    }
    EXPECT_EQ(from_lines(std::string_view{"a:\0\n", 4}), std::nullopt);
}

rc::Gen<FieldDigests> digests() {
    return rc::gen::apply(
        [](std::string secret, std::size_t depth, std::size_t most, std::size_t left_out,
           const std::vector<std::string>& pointers) {
            FieldDigests made{
                .rules = {std::move(secret), depth, most}, .fields = {}, .left_out = left_out};
            for (const std::string& pointer : pointers) {
                made.fields.push_back({pointer, {}});
                made.fields.back().digest.fill(static_cast<std::uint8_t>(made.fields.size() * 37));
            }
            return made;
        },
        rc::gen::element<std::string>("s1", "a \"secret\"", ""),
        rc::gen::inRange<std::size_t>(0, 4), rc::gen::inRange<std::size_t>(0, 99),
        rc::gen::inRange<std::size_t>(0, 3),
        rc::gen::container<std::vector<std::string>>(
            rc::gen::element<std::string>("", "/a", "/\xc3\xa9/\"~1")));
}

TEST(FieldDigestText, is_written_so) {
    FieldDigests given{.rules = {"s1", 2, 64}, .fields = {{"/amount", {}}}, .left_out = 1};
    given.fields.front().digest.fill(0xAB);
    EXPECT_EQ(to_text(given), R"({"secret":"s1","depth":2,"max_fields":64,"left_out":1,)"
                              R"("fields":[["/amount","abababababababababababababababab"]]})");
}

RC_GTEST_PROP(FieldDigestText, comes_back_and_no_truncation_does, ()) {
    const FieldDigests given = *digests();
    const std::string text = to_text(given);
    RC_ASSERT(field_digests_from_text(text) == std::optional{given});
    for (std::size_t size = 0; size < text.size(); ++size) {
        RC_ASSERT(!field_digests_from_text(text.substr(0, size)).has_value());
    }
}

TEST(FieldDigestText, is_refused_in_any_other_spelling) {
    const std::string hex(32, 'a');
    const std::string head = R"({"secret":"s","depth":2,"max_fields":64,"left_out":0,"fields":)";
    const auto one_field = [](const std::string& digest) {
        return R"([["/a",")" + digest + R"("]]})";
    };
    ASSERT_TRUE(field_digests_from_text(head + one_field(hex)).has_value());
    for (const std::string& tail :
         std::vector<std::string>{one_field(hex.substr(1)), one_field(std::string(32, 'A')),
                                  one_field(std::string(32, 'g')), R"([["/a"]]})", R"(["/a"]})",
                                  R"([[1,")" + hex + R"("]]})", "{}}", "[] }", R"([],"more":1})"}) {
        EXPECT_EQ(field_digests_from_text(head + tail), std::nullopt) << tail;
    }
    for (const char* text :
         {"", "[]", "null", "{}",
          R"({"secret":1,"depth":2,"max_fields":64,"left_out":0,"fields":[]})",
          R"({"secret":"s","depth":-1,"max_fields":64,"left_out":0,"fields":[]})",
          R"({"secret":"s","depth":2.0,"max_fields":64,"left_out":0,"fields":[]})"}) {
        EXPECT_EQ(field_digests_from_text(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace counterfoil::sqlite
