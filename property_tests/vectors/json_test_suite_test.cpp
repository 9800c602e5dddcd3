#include <set>
#include <sstream>
#include <string>

#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>

#include "generators/json_documents.hpp"
#include "vector_files.hpp"

namespace counterfoil::vectors {
namespace {

const std::filesystem::path folder =
    std::filesystem::path{COUNTERFOIL_TEST_DATA} / "json-test-suite";

std::string outcome(Canonicalizer& json, const std::string& text) {
    const auto result = json.canonicalize(text);
    if (result) return std::string{*result};
    std::ostringstream error;
    error << result.error().fault;
    EXPECT_LE(result.error().at, text.size());
    return error.str();
}

std::string outcome(const std::string& name, Numbers numbers = Numbers::exact) {
    const std::string text = read_file(folder / "test_parsing" / (name + ".json"));
    Canonicalizer blocks{numbers};
    Canonicalizer portable{numbers, Canonicalizer::default_max_depth, detail::Blocks::portable};
    EXPECT_EQ(outcome(blocks, text), outcome(portable, text)) << name;
    return outcome(blocks, text);
}

bool is_refused(const std::string& outcome) {
    static const std::set<std::string> faults{
        "syntax",         "unexpected_end", "trailing_text", "byte_order_mark",    "invalid_utf8",
        "lone_surrogate", "duplicate_name", "too_deep",      "number_out_of_range"};
    return faults.contains(outcome);
}

TEST(JsonTestSuite, accepts_and_refuses_what_it_must) {
    std::size_t count = 0;
    for (const auto& file : files(folder / "test_parsing", ".json")) {
        const std::string name = file.stem().string();
        const std::string result = outcome(name);
        ++count;
        if (name.starts_with("y_object_duplicated_key")) {
            EXPECT_EQ(result, "duplicate_name") << name;
        } else if (name.starts_with("y_")) {
            EXPECT_FALSE(is_refused(result)) << name << ": " << result;
        } else if (name.starts_with("n_") || name.starts_with("i_string_")) {
            EXPECT_TRUE(is_refused(result)) << name;
        }
    }
    EXPECT_EQ(count, 318U);
}

TEST(JsonTestSuite, choices_that_it_leaves) {
    EXPECT_EQ(outcome("i_object_key_lone_2nd_surrogate"), "lone_surrogate");
    EXPECT_EQ(outcome("i_structure_500_nested_arrays"), "too_deep");
    EXPECT_EQ(outcome("i_structure_UTF-8_BOM_empty_object"), "byte_order_mark");
}

TEST(JsonTestSuite, numbers_of_its_choice) {
    struct Case {
        std::string name;
        std::string exact;
        std::string ieee754;
    };

    const std::string refused = "number_out_of_range";
    const std::vector<Case> cases{
        {"double_huge_neg_exp", "[1.23456e-787]", "[0]"},
        {"huge_exp", refused, refused},
        {"neg_int_huge_exp", "[-1e+9999]", refused},
        {"pos_double_huge_exp", "[1.5e+9999]", refused},
        {"real_neg_overflow", "[-1.23123e+100005]", refused},
        {"real_pos_overflow", "[1.23123e+100005]", refused},
        {"real_underflow", "[1.23e-9999998]", "[0]"},
        {"too_big_neg_int", "[-1.23123123123123123123123123123e+29]", "[-1.2312312312312312e+29]"},
        {"too_big_pos_int", "[100000000000000000000]", "[100000000000000000000]"},
        {"very_big_negative_int", "[-2.37462374673276894279832749832423479823246327846e+47]",
         "[-2.374623746732769e+47]"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(outcome("i_number_" + c.name, Numbers::exact), c.exact);
        EXPECT_EQ(outcome("i_number_" + c.name, Numbers::ieee754), c.ieee754);
    }
}

TEST(JsonTestSuite, documents_that_parsers_read_differently) {
    const auto transform = [](const std::string& name) {
        Canonicalizer json;
        return outcome(json, read_file(folder / "test_transform" / (name + ".json")));
    };
    EXPECT_EQ(transform("number_1.000000000000000005"), "[1.000000000000000005]");
    EXPECT_EQ(transform("number_10000000000000000999"), "[10000000000000000999]");
    EXPECT_EQ(transform("number_1e-999"), "[1e-999]");
    EXPECT_EQ(transform("number_-9223372036854775809"), "[-9223372036854775809]");
    EXPECT_EQ(transform("number_1.0"), "[1]");
    EXPECT_EQ(transform("number_1e6"), "[1000000]");
    EXPECT_EQ(transform("object_same_key_different_values"), "duplicate_name");
    EXPECT_EQ(transform("object_same_key_same_value"), "duplicate_name");
    EXPECT_EQ(transform("object_same_key_unclear_values"), "duplicate_name");
    EXPECT_EQ(transform("object_key_nfc_nfd"), transform("object_key_nfd_nfc"));
    EXPECT_EQ(transform("string_1_escaped_invalid_codepoint"), "lone_surrogate");
    EXPECT_EQ(transform("string_1_invalid_codepoint"), "invalid_utf8");
    EXPECT_EQ(transform("string_with_escaped_NULL"), R"(["A\u0000B"])");
}

}  // namespace
}  // namespace counterfoil::vectors
