#include <optional>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>

#include "generators/json_documents.hpp"
#include "vector_files.hpp"

namespace counterfoil::vectors {
namespace {

using Outcome = Result<std::string, JsonError>;

Outcome canonical(std::string_view text, Numbers numbers, std::size_t max_depth = 500) {
    std::optional<Outcome> first;
    for (const auto blocks : {detail::Blocks::fastest, detail::Blocks::portable}) {
        Canonicalizer json{numbers, max_depth, blocks};
        const auto result = json.canonicalize(text);
        const Outcome outcome = result ? Outcome{std::string{*result}} : Outcome{result.error()};
        if (first) {
            EXPECT_TRUE(*first == outcome);
        }
        first = outcome;
    }
    return *first;
}

std::string rfc8785(std::string_view text) {
    const auto outcome = canonical(text, Numbers::ieee754);
    if (outcome) return *outcome;
    std::ostringstream error;
    error << outcome.error();
    return error.str();
}

std::string text_of(const boost::json::value& test, const char* name) {
    return std::string{test.at(name).as_string()};
}

TEST(JcsVectors, authors_test_data) {
    for (const std::string name :
         {"arrays", "french", "structures", "unicode", "values", "weird"}) {
        const std::string expected = read_vector("jcs/output/" + name + ".json");
        EXPECT_EQ(rfc8785(read_vector("jcs/input/" + name + ".json")), expected);
        EXPECT_EQ(from_hex(read_vector("jcs/outhex/" + name + ".txt")), expected);
        EXPECT_EQ(rfc8785(expected), expected);
    }
}

// The README's reasons are coarser: what follows a document, its end and a byte order mark are
// `syntax` there.
bool is_reason(JsonFault fault, const std::string& reason) {
    switch (fault) {
        case JsonFault::syntax:
        case JsonFault::unexpected_end:
        case JsonFault::trailing_text:
        case JsonFault::byte_order_mark: return reason == "syntax";
        case JsonFault::invalid_utf8: return reason == "invalid_utf8";
        case JsonFault::lone_surrogate: return reason == "lone_surrogate";
        case JsonFault::duplicate_name: return reason == "duplicate_name";
        case JsonFault::number_out_of_range: return reason == "number_out_of_range";
        case JsonFault::too_deep: return false;
    }
    return false;
}

// Where both forms agree: all but numbers that a double can't hold.
void expect_exact_alike(const boost::json::value& test, const std::string& input) {
    const auto exact = canonical(input, Numbers::exact);
    const std::string group = text_of(test, "group");
    if (group == "numbers-beyond-2^53" || group == "numbers") return;
    EXPECT_TRUE(exact == canonical(input, Numbers::ieee754)) << text_of(test, "name");
}

TEST(JcsVectors, traps) {
    const auto traps = boost::json::parse(read_vector("jcs/traps.json"));
    ASSERT_EQ(traps.as_array().size(), 172U);
    for (const auto& test : traps.as_array()) {
        const std::string name = text_of(test, "name");
        const std::string input = from_hex(text_of(test, "input_hex"));
        const auto outcome = canonical(input, Numbers::ieee754);
        expect_exact_alike(test, input);
        if (text_of(test, "result") == "canonical") {
            EXPECT_EQ(rfc8785(input), from_hex(text_of(test, "canonical_hex"))) << name;
            EXPECT_EQ(to_hex(sha256(rfc8785(input))), text_of(test, "sha256")) << name;
        } else {
            ASSERT_FALSE(outcome.has_value()) << name;
            EXPECT_TRUE(is_reason(outcome.error().fault, text_of(test, "reason")))
                << name << ": " << outcome.error();
        }
    }
}

TEST(JcsVectors, traps_of_nesting_stop_at_the_depth_limit) {
    const auto traps = boost::json::parse(read_vector("jcs/traps.json"));
    for (const auto& test : traps.as_array()) {
        if (text_of(test, "group") != "nesting") continue;
        const std::string input = from_hex(text_of(test, "input_hex"));
        const std::size_t depth = input.find(']');
        EXPECT_TRUE(canonical(input, Numbers::exact, depth).has_value());
        EXPECT_EQ(canonical(input, Numbers::exact, depth - 1).error(),
                  (JsonError{JsonFault::too_deep, depth - 1}));
    }
}

TEST(JcsVectors, random_documents) {
    std::istringstream lines{read_vector("jcs/random-documents.jsonl")};
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto test = boost::json::parse(line);
        const std::string expected = from_hex(text_of(test, "canonical_hex"));
        ASSERT_EQ(rfc8785(from_hex(text_of(test, "input_hex"))), expected);
        ASSERT_EQ(rfc8785(expected), expected);
    }
    EXPECT_EQ(count, 2'500U);
}

TEST(JcsVectors, order_of_names) {
    const auto rows = read_tsv("jcs/sort-pairs.tsv");
    ASSERT_EQ(rows.size(), 1'220U);
    const auto a_before_b = [](const std::string& a, const std::string& b) {
        return '{' + a + ":1," + b + ":2}";
    };
    const auto b_before_a = [](const std::string& a, const std::string& b) {
        return '{' + b + ":2," + a + ":1}";
    };
    for (const auto& row : rows) {
        const std::string& a = row[0];
        const std::string& b = row[1];
        // Strings keep what a name becomes, so the two names are read back from an array.
        const std::string text_a = rfc8785(a);
        const std::string text_b = rfc8785(b);
        const std::string expected =
            row[2] == "<" ? a_before_b(text_a, text_b) : b_before_a(text_a, text_b);
        ASSERT_EQ(rfc8785(a_before_b(a, b)), expected);
        ASSERT_EQ(rfc8785(b_before_a(a, b)), expected);
    }
}

TEST(JcsVectors, python_json_dumps_differs_where_it_is_said_to) {
    const auto tests = boost::json::parse(read_vector("jcs/python-json-dumps.json"));
    for (const auto& test : tests.as_array()) {
        const std::string input = text_of(test, "input");
        const auto outcome = canonical(input, Numbers::ieee754);
        EXPECT_EQ(!outcome.has_value(), test.at("jcs_rejects").as_bool()) << input;
        if (outcome) {
            EXPECT_EQ(*outcome, text_of(test, "jcs"));
        }
        for (const std::string ascii : {"true", "false"}) {
            const auto& python = test.at("python_ensure_ascii_" + ascii);
            const bool identical = outcome && python.is_string() && python.as_string() == *outcome;
            EXPECT_EQ(identical, test.at("identical_" + ascii).as_bool()) << input;
        }
    }
}

}  // namespace
}  // namespace counterfoil::vectors
