#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>
#include <order_rows.hpp>

#include "sqlite/kit.hpp"

namespace order_service {
namespace {

namespace cf = counterfoil;
using namespace std::chrono_literals;

std::string parsed(std::string_view body) {
    const auto order = parse_order(body);
    return order ? order->sku + " " + std::to_string(order->quantity) : order.error();
}

TEST(Order, IsReadWhateverTheSpelling) {
    EXPECT_EQ(parsed(R"({"sku":"pen","quantity":2})"), "pen 2");
    EXPECT_EQ(parsed(R"( {"quantity":2.0, "tenant":"zeta", "sku":"p\u0065n"} )"), "pen 2");
    EXPECT_EQ(parsed(R"({"sku":"pen","quantity":9223372036854775807})"), "pen 9223372036854775807");
}

TEST(Order, TheFirstThingThatIsWrongIsTold) {
    EXPECT_EQ(parsed(""), "the body is no JSON");
    EXPECT_EQ(parsed("[]"), "the body is no JSON object");
    EXPECT_EQ(parsed("{}"), "sku must be a text");
    EXPECT_EQ(parsed(R"({"sku":""})"), "sku must have 1 to 100 characters");
    EXPECT_EQ(parsed(R"({"sku":")" + std::string(101, 'a') + "\"}"),
              "sku must have 1 to 100 characters");
    for (const std::string_view quantity :
         {"0", "-1", "1.5", "\"2\"", "null", "9223372036854775808"}) {
        EXPECT_EQ(parsed(R"({"sku":"pen","quantity":)" + std::string{quantity} + "}"),
                  "quantity must be an integer from 1 on");
    }
}

class OrdersTest : public testing::Test {
protected:
    std::string insert(const std::optional<cf::Key>& under, const Order& order,
                       const Identity& who = anna) {
        cf::Answer answer;
        store.write([&](const cf::sqlite::Transaction& rows) {
            answer = order_service::insert(rows, who, under, order);
        });
        const std::string& body = std::get<cf::body::Bytes>(answer.body).bytes;
        return answer.status == 201 ? body : std::to_string(answer.status);
    }

    static inline const Identity anna{cf::parse_tenant("acme").value(), "anna"};
    static inline const Identity bert{cf::parse_tenant("acme").value(), "bert"};
    static inline const Identity robot{cf::parse_tenant("acme").value(), std::nullopt};
    static inline const cf::Key key = cf::parse_key("k").value();

    cf::kit::Scratch scratch;
    cf::sqlite::Store store{
        scratch.file(), {.policies = cf::kit::book()}, {.on_connect = make_table}};
    OrderReader reader{scratch.file(), 1s};
};

TEST_F(OrdersTest, AKeyMakesOneOrderWhoeverAsksAgain) {
    EXPECT_EQ(insert(key, {"pen", 2}), R"({"order_id":1,"status":"created"})");
    EXPECT_EQ(insert(key, {"pen", 2}), R"({"order_id":1,"status":"created"})");
    EXPECT_EQ(insert(key, {"pen", 3}), "422");
    EXPECT_EQ(insert(key, {"pens", 2}), "422");
    EXPECT_EQ(insert(key, {"pen", 2}, bert), "422");
    EXPECT_EQ(insert(key, {"pen", 2}, robot), "422");
    EXPECT_EQ(cf::kit::number(scratch.file(), "SELECT count(*) FROM orders"), 1);
}

TEST_F(OrdersTest, OrdersWithoutAKeyAreEachTheirOwn) {
    EXPECT_EQ(insert(std::nullopt, {"pen", 2}), R"({"order_id":1,"status":"created"})");
    EXPECT_EQ(insert(std::nullopt, {"pen", 2}), R"({"order_id":2,"status":"created"})");
}

TEST_F(OrdersTest, AreReadByTheirTenantAlone) {
    insert(key, {"pen", 2}, robot);
    const std::optional<Order> found = reader.find(anna.tenant, 1);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->sku, "pen");
    EXPECT_EQ(found->quantity, 2);
    EXPECT_FALSE(reader.find(cf::parse_tenant("zeta").value(), 1));
    EXPECT_FALSE(reader.find(anna.tenant, 2));
}

TEST_F(OrdersTest, AProbeFailsWhereTheTableIsGone) {
    reader.probe();
    cf::kit::execute(scratch.file(), "DROP TABLE orders");
    EXPECT_EQ(cf::kit::fault_of([&] { reader.probe(); }),
              "unavailable: reading the orders: no such table: orders");
}

}  // namespace
}  // namespace order_service
