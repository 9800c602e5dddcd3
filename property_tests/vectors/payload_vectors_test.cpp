#include <cstdint>
#include <string>

#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>

#include "generators/json_documents.hpp"
#include "vector_files.hpp"

namespace counterfoil::vectors {
namespace {

using testing::Json;

struct Payload {
    std::string name;
    std::string body;
    std::string sha256_raw;
    std::string sha256_canonical;
};

std::vector<Payload> payloads() {
    const std::string folder = "../payloads/";
    std::vector<Payload> all;
    for (const auto& row : read_tsv(folder + "golden.tsv")) {
        if (row[0] == "file") continue;
        all.push_back({row[0], read_vector(folder + row[0]), row[3], row[4]});
        EXPECT_EQ(std::to_string(all.back().body.size()), row[1]);
    }
    return all;
}

std::string digest(std::string_view text, Numbers numbers) {
    Canonicalizer json{numbers};
    Sha256 hash;
    return to_hex(json.digest(text, {}, hash).value());
}

// All numbers of the payloads are integers and short decimals.
testing::Number number_of(std::string text) {
    testing::Number number;
    number.negative = text.front() == '-';
    if (number.negative) text.erase(0, 1);
    std::size_t point = std::min(text.find('.'), text.size());
    if (point < text.size()) text.erase(point, 1);
    while (!text.empty() && text.back() == '0') text.pop_back();
    number.exponent = static_cast<std::int64_t>(point) - 1;
    while (!text.empty() && text.front() == '0') {
        text.erase(0, 1);
        --number.exponent;
    }
    number.digits = text;
    return text.empty() ? testing::Number{} : number;
}

Json document(const boost::json::value& value) {
    if (const auto* object = value.if_object()) {
        Json::Object members;
        for (const auto& member : *object) {
            members.push_back({std::string{member.key()}, document(member.value())});
        }
        return Json{members};
    }
    if (const auto* array = value.if_array()) {
        Json::Array elements;
        for (const auto& element : *array) elements.push_back(document(element));
        return Json{elements};
    }
    if (const auto* text = value.if_string()) return Json{std::string{*text}};
    if (const auto* truth = value.if_bool()) return Json{*truth};
    if (value.is_null()) return Json{nullptr};
    Canonicalizer json;
    return Json{number_of(std::string{json.canonicalize(value).value()})};
}

TEST(PayloadVectors, golden_digests) {
    const auto all = payloads();
    EXPECT_EQ(all.size(), 19U);
    for (const Payload& payload : all) {
        EXPECT_EQ(to_hex(sha256(payload.body)), payload.sha256_raw) << payload.name;
        for (const Numbers numbers : {Numbers::exact, Numbers::ieee754}) {
            EXPECT_EQ(digest(payload.body, numbers), payload.sha256_canonical) << payload.name;
        }
    }
}

TEST(PayloadVectors, digest_stays_however_the_payload_is_spelt) {
    for (const Payload& payload : payloads()) {
        const Json body = document(boost::json::parse(payload.body));
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            EXPECT_EQ(digest(testing::respelt(body, seed), Numbers::exact),
                      payload.sha256_canonical)
                << payload.name << ' ' << seed;
        }
    }
}

TEST(PayloadVectors, digest_changes_with_any_leaf_or_name) {
    for (const Payload& payload : payloads()) {
        const Json body = document(boost::json::parse(payload.body));
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const Json other = testing::with_one_change(body, seed);
            EXPECT_NE(digest(testing::respelt(other, seed), Numbers::exact),
                      payload.sha256_canonical)
                << payload.name << ' ' << seed;
        }
    }
}

}  // namespace
}  // namespace counterfoil::vectors
