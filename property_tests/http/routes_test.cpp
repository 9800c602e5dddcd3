#include <string>
#include <string_view>

#include <counterfoil/http/routes.hpp>
#include <gtest/gtest.h>

namespace counterfoil::http {
namespace {

bool matched(std::string pattern, std::string_view path) {
    return matches(
        {.method = "POST", .path = std::move(pattern), .operation = parse_operation("op").value()},
        "POST", path);
}

TEST(Routes, match_segment_by_segment) {
    EXPECT_TRUE(matched("/orders", "/orders"));
    EXPECT_FALSE(matched("/orders", "/orders/"));
    EXPECT_FALSE(matched("/orders", "/orders/7"));
    EXPECT_FALSE(matched("/orders", "/Orders"));
    EXPECT_FALSE(matched("/orders", ""));
    EXPECT_FALSE(matched("/orders", "orders"));
    EXPECT_TRUE(matched("/", "/"));
    EXPECT_TRUE(matched("/orders/{id}/lines", "/orders/7/lines"));
    EXPECT_FALSE(matched("/orders/{id}/lines", "/orders//lines"));
    EXPECT_FALSE(matched("/orders/{id}/lines", "/orders/7/8/lines"));
    EXPECT_TRUE(matched("/orders/**", "/orders"));
    EXPECT_TRUE(matched("/orders/**", "/orders/7/8"));
    EXPECT_FALSE(matched("/orders/**", "/ordersx"));
}

TEST(Routes, see_through_percent_encoding_but_not_of_a_slash) {
    EXPECT_TRUE(matched("/~a", "/%7ea"));
    EXPECT_FALSE(matched("/a/b", "/a%2Fb"));
}

TEST(Routes, without_a_method_are_for_those_that_are_not_idempotent) {
    const Route route{.path = "/**", .operation = parse_operation("op").value()};
    for (const auto* method : {"POST", "PATCH", "LOCK", "get"}) {
        EXPECT_TRUE(matches(route, method, "/a")) << method;
        EXPECT_FALSE(is_idempotent(method)) << method;
    }
    for (const auto* method : {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"}) {
        EXPECT_FALSE(matches(route, method, "/a")) << method;
        EXPECT_TRUE(is_idempotent(method)) << method;
    }
}

}  // namespace
}  // namespace counterfoil::http
