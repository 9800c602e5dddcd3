#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <orders.hpp>

#include "sqlite/kit.hpp"

namespace counterfoil {
namespace {

constexpr std::string_view pen = R"({"sku":"pen","quantity":2})";
constexpr std::string_view more_pens = R"({"sku":"pen","quantity":3})";

std::string told(const Answer& answer) {
    return std::to_string(answer.status) + " " + order_lab::body_of(answer);
}

class LastDefence : public testing::Test {
protected:
    /// The receipt is lost; the order is there.
    void lose_receipt() { kit::execute(file, "DELETE FROM receipts WHERE key = 'k'"); }

    kit::Scratch scratch;
    const std::filesystem::path file{scratch.file()};
    order_lab::Orders orders{file};
};

TEST_F(LastDefence, the_same_parameters_get_the_order_that_is_there) {
    EXPECT_EQ(told(orders.place("acme", "other", pen)), R"(201 {"order_id":1})");
    EXPECT_EQ(told(orders.place("acme", "k", pen)), R"(201 {"order_id":2})");
    lose_receipt();
    EXPECT_EQ(told(orders.place("acme", "k", pen)), R"(201 {"order_id":2})");
    EXPECT_EQ(told(orders.place("acme", "k", pen)), R"(201 {"order_id":2})");
    EXPECT_EQ(orders.count(), 2);
    EXPECT_EQ(kit::wrong_with_orders(file), std::vector<std::string>{});
}

TEST_F(LastDefence, other_parameters_are_a_conflict_and_the_key_stays_what_it_was) {
    EXPECT_EQ(told(orders.place("acme", "k", pen)), R"(201 {"order_id":1})");
    lose_receipt();
    for (int time = 0; time < 2; ++time) {
        EXPECT_EQ(told(orders.place("acme", "k", more_pens)),
                  R"(409 {"error":"key_reused_with_different_payload"})");
    }
    EXPECT_EQ(kit::number(file, "SELECT quantity FROM orders"), 2);
    EXPECT_EQ(told(orders.place("acme", "k", pen)), R"(201 {"order_id":1})");
    EXPECT_EQ(orders.count(), 1);
}

/// What SQLite says to the work itself is no StoreError; the lab answers it all the same.
TEST_F(LastDefence, a_table_that_is_gone_is_an_answer) {
    kit::execute(file, "DROP TABLE orders");
    EXPECT_EQ(told(orders.place("acme", "k", pen)), R"(503 {"error":"unavailable"})");
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 0);
}

}  // namespace
}  // namespace counterfoil
