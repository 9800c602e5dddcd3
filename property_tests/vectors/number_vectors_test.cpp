#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include <boost/json/value.hpp>
#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>

#include "es6_numbers.hpp"
#include "generators/json_documents.hpp"
#include "vector_files.hpp"

namespace counterfoil::vectors {
namespace {

const JsonError out_of_range{JsonFault::number_out_of_range, 0};

double from_bits(const std::string& hex) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(std::stoull(hex, nullptr, 16)));
}

TEST(NumberVectors, rfc8785_appendix_b) {
    for (const Numbers numbers : {Numbers::exact, Numbers::ieee754}) {
        Canonicalizer json{numbers};
        const auto rows = read_tsv("jcs/numbers/appendix-b.tsv");
        ASSERT_EQ(rows.size(), 26U);
        for (const auto& row : rows) {
            const auto result = json.canonicalize(boost::json::value(from_bits(row[0])));
            if (row[1] == "ERROR") {
                EXPECT_EQ(result.error(), out_of_range);
            } else {
                EXPECT_EQ(result.value(), row[1]);
            }
        }
    }
}

// The token rounds to the double, so both have the same text; zero has no sign there.
TEST(NumberVectors, text_to_double_to_text) {
    Canonicalizer json{Numbers::ieee754};
    const auto rows = read_tsv("jcs/numbers/number-parse.tsv");
    ASSERT_EQ(rows.size(), 6'748U);
    for (const auto& row : rows) {
        const auto result = json.canonicalize(row[0]);
        if (row[2] == "ERROR") {
            ASSERT_EQ(result.error(), out_of_range) << row[0];
            continue;
        }
        ASSERT_EQ(result.value(), row[2]) << row[0];
        ASSERT_EQ(json.canonicalize(boost::json::value(from_bits(row[1]))).value(), row[2])
            << row[0];
    }
}

TEST(NumberVectors, first_lines_of_the_es6_sequence) {
    EXPECT_EQ(es6_lines(10'000), read_vector("jcs/numbers/es6-first-10000.txt"));
}

TEST(NumberVectors, published_checksums_of_the_es6_sequence) {
    for (const auto& row : read_tsv("jcs/numbers/es6-checksums.tsv")) {
        const std::uint64_t lines = std::stoull(row[0]);
        if (lines > 100'000) continue;  // the program es6_numbers does the others
        const Es6Checksum checksum = es6_checksum(lines);
        EXPECT_EQ(std::to_string(checksum.bytes), row[1]);
        EXPECT_EQ(to_hex(checksum.digest), row[2]);
    }
}

}  // namespace
}  // namespace counterfoil::vectors
