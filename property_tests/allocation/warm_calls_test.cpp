#include <string>
#include <vector>

#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>

#include "allocation/counted_memory.hpp"

namespace counterfoil {
namespace {

template <class Call>
std::size_t allocations_of(Call call) {
    const std::size_t before = allocations();
    call();
    return allocations() - before;
}

std::string unsorted_object(std::size_t members, std::size_t value_size) {
    std::string text = "{";
    for (std::size_t i = members; i != 0; --i) {
        text += R"("name )" + std::to_string(i) + R"(\n":")" + std::string(value_size, 'x') + "\",";
    }
    text.back() = '}';
    return text;
}

std::vector<std::string> bodies() {
    return {
        R"({"b":[1,2.50,{"y":null,"x":true}],"a":"\u00e9\n"})",
        R"([12345678901234567890123,1e-7,0.1e5,333333333.33333329,-0])",
        unsorted_object(10, 5),
        unsorted_object(10, 1'000),
        unsorted_object(300, 1),
        unsorted_object(1'000, 20),
        "[" + unsorted_object(20, 300) + "," + unsorted_object(3, 100) + "]",
        R"({"a":1,"a":2})",
        R"(["unclosed)",
    };
}

TEST(Allocation, is_counted) {
    EXPECT_GT(allocations_of([] { static_cast<void>(std::string(1'000, 'x')); }), 0U);
    const std::size_t before = openssl_allocations();
    EXPECT_GT(allocations_of([] { static_cast<void>(Sha256{}); }), 0U);
    EXPECT_GT(openssl_allocations(), before);
}

TEST(Allocation, none_in_warm_calls) {
    const std::vector<std::string> pointers{"/a", "/*/x", "/name 1\n", "/0/name 2\n"};
    const std::vector<FieldSelection> selections{FieldSelection{},
                                                 FieldSelection::only(pointers).value(),
                                                 FieldSelection::omit(pointers).value()};
    for (const Numbers numbers : {Numbers::exact, Numbers::ieee754}) {
        Canonicalizer json{numbers};
        Sha256 hash;
        HmacSha256 hmac{"secret"};
        const auto bodies_of_all_kinds = bodies();
        const auto all = [&] {
            for (const std::string& body : bodies_of_all_kinds) {
                for (const FieldSelection& selection : selections) {
                    static_cast<void>(json.canonicalize(body, selection));
                    static_cast<void>(json.digest(body, selection, hash));
                    static_cast<void>(json.digest(body, selection, hmac));
                }
            }
        };
        EXPECT_GT(allocations_of(all), 0U);
        EXPECT_EQ(allocations_of(all), 0U);
        EXPECT_EQ(allocations_of(all), 0U);
    }
}

// A large body's memory is given back when its digest is made: the next one needs it anew.
TEST(Allocation, of_a_large_body_is_given_back) {
    Canonicalizer json;
    Sha256 hash;
    const std::string large = '"' + std::string(2 * Canonicalizer::retained_bytes, 'x') + '"';
    const auto call = [&] { static_cast<void>(json.digest(large, {}, hash)); };
    call();
    EXPECT_GT(allocations_of(call), 0U);
    const std::string small = '"' + std::string(Canonicalizer::retained_bytes / 2, 'x') + '"';
    const auto small_call = [&] { static_cast<void>(json.digest(small, {}, hash)); };
    small_call();
    EXPECT_EQ(allocations_of(small_call), 0U);
}

// OpenSSL 3.0 makes the state of a hash anew for each message, and nothing else is to be made.
TEST(Allocation, by_openssl_is_one_for_each_message_hashed) {
    Canonicalizer json;
    Sha256 hash;
    HmacSha256 hmac{"secret"};
    const std::string body = unsorted_object(30, 200);
    std::size_t before = openssl_allocations();
    static_cast<void>(json.digest(body, {}, hash));
    EXPECT_LE(openssl_allocations() - before, 1U);
    before = openssl_allocations();
    static_cast<void>(json.digest(body, {}, hmac));
    EXPECT_LE(openssl_allocations() - before, 2U);
}

}  // namespace
}  // namespace counterfoil
