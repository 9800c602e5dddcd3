#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <money.hpp>
#include <rapidcheck/gtest.h>

namespace payments {
namespace {

std::string of(const std::string& amount, const std::string& currency = "EUR") {
    return R"({"amount":")" + amount + R"(","currency":")" + currency + R"("})";
}

RC_GTEST_PROP(MoneyLaws, every_sum_has_one_text_and_is_read_back, ()) {
    const auto cents = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000);
    const std::string digits = std::to_string(cents % 100);
    const std::string amount =
        std::to_string(cents / 100) + "." + (digits.size() == 1 ? "0" : "") + digits;
    const auto money = parse_money(of(amount));
    RC_ASSERT(money.has_value());
    RC_ASSERT(money->amount == amount);
    RC_ASSERT((parse_money(to_json(*money)) == money));
}

TEST(Money, members_may_come_in_any_order_and_with_others) {
    const Money expected{"0.01", "USD"};
    EXPECT_EQ(parse_money(R"({ "currency": "USD", "note": null, "amount": "0.01" })"), expected);
}

TEST(Money, refuses_what_is_no_sum) {
    for (const char* amount : {"", "0.00", "1", "1.5", "1.500", ".50", "-1.00", "01.00", "1,00",
                               "1.0x", "1x.00", "12345678901.00", "1.00 "}) {
        EXPECT_EQ(parse_money(of(amount)), std::nullopt) << amount;
    }
    for (const char* currency : {"", "eur", "EU", "EURO", "E R"}) {
        EXPECT_EQ(parse_money(of("1.00", currency)), std::nullopt) << currency;
    }
    for (const char* text : {"", "null", "[]", "{}", R"({"amount":1.00,"currency":"EUR"})",
                             R"({"amount":"1.00"})", R"({"amount":"1.00","currency":"EUR"} x)"}) {
        EXPECT_EQ(parse_money(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace payments
