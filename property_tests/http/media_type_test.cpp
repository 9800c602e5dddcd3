#include <string>
#include <string_view>

#include <counterfoil/http/media_type.hpp>
#include <gtest/gtest.h>

namespace counterfoil::http {
namespace {

std::string read(std::string_view text) {
    const auto type = parse_media_type(text);
    if (!type) return "fault at " + std::to_string(type.error().at);
    return type->type + (type->is_json() ? " json" : "") +
           (type->charset ? " in " + *type->charset : "");
}

TEST(MediaType, says_whether_it_is_json_and_in_what) {
    EXPECT_EQ(read("application/json"), "application/json json");
    EXPECT_EQ(read("Application/JSON; Charset=UTF-8"), "application/json json in utf-8");
    EXPECT_EQ(read("application/json;charset=\"utf-\\8\";q=1"), "application/json json in utf-8");
    EXPECT_EQ(read("application/problem+json ; a=b"), "application/problem+json json");
    EXPECT_EQ(read("application/json;"), "application/json json");
    EXPECT_EQ(read("application/jsonl"), "application/jsonl");
    EXPECT_EQ(read("text/json"), "text/json");
    EXPECT_EQ(read("text/plain;charset=latin1;charset=utf-8"), "text/plain in latin1");
}

TEST(MediaType, is_refused_at_the_first_byte_that_is_wrong) {
    EXPECT_EQ(read(""), "fault at 0");
    EXPECT_EQ(read("json"), "fault at 4");
    EXPECT_EQ(read("application/"), "fault at 12");
    EXPECT_EQ(read("application/json, text/plain"), "fault at 16");
    EXPECT_EQ(read("a/b; c"), "fault at 6");
    EXPECT_EQ(read("a/b; c=\"d"), "fault at 9");
    EXPECT_EQ(read("a/b; c=\"d\\"), "fault at 10");
    EXPECT_EQ(read("a/b; c="), "fault at 7");
}

}  // namespace
}  // namespace counterfoil::http
