#include <string>

#include <counterfoil/fingerprint.hpp>
#include <gtest/gtest.h>

#include "allocation/counted_memory.hpp"

namespace counterfoil {
namespace {

std::string order() {
    std::string text = R"({"customer":"cus_1","lines":[)";
    for (int i = 0; i < 100; ++i) {
        if (i > 0) text += ',';
        text += R"({"sku":"A-)" + std::to_string(i) + R"(","amount":12.50,"count":)" +
                std::to_string(i) + "}";
    }
    return text + "]}";
}

std::size_t allocations_of(Fingerprinter& fingerprinter, const Scheme& scheme,
                           const Intent& intent) {
    for (int i = 0; i < 3; ++i) (void)fingerprinter.fingerprint(scheme, intent);
    const auto before = allocations();
    const auto made = fingerprinter.fingerprint(scheme, intent);
    const auto after = allocations();
    EXPECT_TRUE(made.has_value());
    return after - before;
}

TEST(WarmFingerprinter, allocates_nothing_but_a_long_name) {
    Fingerprinter fingerprinter{{{"k", "a secret"}}};
    const std::string body = order();
    for (const Intent& intent : {Intent{intent::Json{body}}, Intent{intent::Json{"{}"}}}) {
        EXPECT_EQ(allocations_of(fingerprinter, {}, intent), 0U);
        EXPECT_EQ(allocations_of(fingerprinter, {Form::rfc8785, {}, {}}, intent), 0U);
        EXPECT_EQ(allocations_of(fingerprinter, {Form::raw, {}, {}}, intent), 0U);
        EXPECT_EQ(allocations_of(fingerprinter, {Form::raw, {}, "k"}, intent), 1U);
        EXPECT_EQ(allocations_of(fingerprinter, {Form::exact_json, {}, "k"}, intent), 1U);
        EXPECT_EQ(allocations_of(fingerprinter, {Form::rfc8785, {}, "k"}, intent), 1U);
    }
    EXPECT_EQ(allocations_of(fingerprinter, {Form::raw, {}, {}}, intent::Bytes{body}), 0U);
    EXPECT_EQ(allocations_of(fingerprinter, {Form::raw, {}, "k"}, intent::Bytes{body}), 1U);
}

}  // namespace
}  // namespace counterfoil
