#include <string>

#include <boost/json.hpp>
#include <counterfoil/sha256.hpp>
#include <gtest/gtest.h>

#include "vector_files.hpp"

namespace counterfoil::vectors {
namespace {

template <class Hash>
Digest in_pieces(Hash& hash, std::string_view message, std::size_t size) {
    for (std::size_t at = 0; at < message.size(); at += size) hash.update(message.substr(at, size));
    return hash.finish();
}

// One object for all messages and all sizes of pieces, so that nothing may be left of the last one.
void expect_digest(Sha256& hash, std::string_view message, const std::string& digest) {
    EXPECT_EQ(to_hex(sha256(message)), digest);
    for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{63}, std::size_t{64},
                                   std::size_t{65}, message.size() + 1}) {
        EXPECT_EQ(to_hex(in_pieces(hash, message, size)), digest) << "pieces of " << size;
    }
}

TEST(Sha256Vectors, cavp) {
    Sha256 hash;
    const auto rows = read_tsv("sha256/cavp-short.tsv");
    ASSERT_EQ(rows.size(), 65U);
    for (const auto& row : rows) expect_digest(hash, from_hex(row[1]), row[2]);
}

TEST(Sha256Vectors, fips180_and_repeated_bytes) {
    Sha256 hash;
    for (const auto& row : read_tsv("sha256/fips180-examples.tsv")) {
        std::string message;
        for (int i = 0; i < std::stoi(row[1]); ++i) message += from_hex(row[0]);
        expect_digest(hash, message, row[2]);
    }
}

TEST(HmacVectors, rfc4231) {
    for (const auto& row : read_tsv("hmac/rfc4231-sha256.tsv")) {
        HmacSha256 hmac{from_hex(row[1])};
        const std::size_t digits = 2 * std::stoul(row[4]);
        for (const std::size_t size : {1U, 3U, 63U, 64U, 65U, 1'000U}) {
            EXPECT_EQ(to_hex(in_pieces(hmac, from_hex(row[2]), size)).substr(0, digits), row[3])
                << "case " << row[0];
        }
    }
}

TEST(HmacVectors, wycheproof) {
    const auto file = boost::json::parse(read_vector("hmac/hmac_sha256_test.json"));
    std::size_t count = 0;
    for (const auto& group : file.at("testGroups").as_array()) {
        const auto digits = static_cast<std::size_t>(group.at("tagSize").as_int64() / 4);
        for (const auto& test : group.at("tests").as_array()) {
            const auto text = [&test](const char* name) {
                return std::string{test.at(name).as_string()};
            };
            HmacSha256 hmac{from_hex(text("key"))};
            hmac.update(from_hex(text("msg")));
            EXPECT_EQ(to_hex(hmac.finish()).substr(0, digits) == text("tag"),
                      text("result") == "valid")
                << test.at("tcId");
            ++count;
        }
    }
    EXPECT_EQ(count, 174U);
}

TEST(Digest, is_read_from_hexadecimal_digits_of_either_case) {
    const Digest digest = sha256("abc");
    std::string text = to_hex(digest);
    EXPECT_EQ(digest_from_hex(text), digest);
    for (char& byte : text) byte = static_cast<char>(std::toupper(byte));
    EXPECT_EQ(digest_from_hex(text), digest);
    EXPECT_EQ(digest_from_hex(text + "0"), std::nullopt);
    EXPECT_EQ(digest_from_hex(text.substr(1)), std::nullopt);
    EXPECT_EQ(digest_from_hex(""), std::nullopt);
    for (const char byte : {'g', 'G', ' ', '/', ':', '@', '`', '\0'}) {
        std::string wrong = text;
        wrong[63] = byte;
        EXPECT_EQ(digest_from_hex(wrong), std::nullopt);
    }
}

TEST(Sha256, goes_on_in_what_it_was_moved_to) {
    Sha256 hash;
    hash.update("a");
    Sha256 moved = std::move(hash);
    moved.update("bc");
    EXPECT_EQ(moved.finish(), sha256("abc"));
    HmacSha256 hmac{"Jefe"};
    HmacSha256 moved_hmac = std::move(hmac);
    moved_hmac.update("what do ya want for nothing?");
    EXPECT_EQ(to_hex(moved_hmac.finish()),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace
}  // namespace counterfoil::vectors
