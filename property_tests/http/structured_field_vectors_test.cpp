#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/http/key_field.hpp>
#include <gtest/gtest.h>

namespace counterfoil::http {
namespace {

namespace json = boost::json;

json::array records(const std::string& name) {
    std::ifstream file{std::string{COUNTERFOIL_TEST_DATA} + "/structured-fields/" + name + ".json"};
    return json::parse(std::string{std::istreambuf_iterator<char>{file}, {}}).as_array();
}

bool is_set(const json::object& record, std::string_view member) {
    const auto* const value = record.if_contains(member);
    return value != nullptr && value->as_bool();
}

// What a record asks of the strict reading: a key, a value of another type, or a refusal.
void check(const json::object& record) {
    std::vector<std::string_view> lines;
    for (const auto& line : record.at("raw").as_array()) lines.emplace_back(line.as_string());
    const auto key = parse_key_field(lines, KeyRules::widest(), KeySyntax::string_only);
    const auto fault = key ? std::nullopt : std::optional{key.error().fault};
    if (is_set(record, "must_fail")) {
        EXPECT_TRUE(fault == KeyFieldFault::malformed || fault == KeyFieldFault::missing);
        return;
    }
    if (is_set(record, "can_fail") && fault == KeyFieldFault::malformed) return;
    const auto& expected = record.at("expected").as_array().at(0);
    if (!expected.is_string()) {
        EXPECT_EQ(fault, KeyFieldFault::not_a_string);
        return;
    }
    // A string that is all blank, or longer than any key, is well written and no key.
    const auto key_of_it = parse_key(expected.as_string(), KeyRules::widest());
    if (key_of_it) {
        ASSERT_TRUE(key.has_value());
        EXPECT_EQ(key->text(), expected.as_string());
    } else {
        EXPECT_EQ(fault, KeyFieldFault::not_a_key);
    }
}

TEST(StructuredFieldVectors, of_items_are_read_as_they_say) {
    constexpr std::array<const char*, 10> files{
        "idempotency-key", "string", "string-generated", "item",   "token",
        "token-generated", "binary", "boolean",          "number", "examples"};
    std::size_t checked = 0;
    for (const auto* file : files) {
        for (const auto& value : records(file)) {
            const auto& record = value.as_object();
            if (record.at("header_type").as_string() != "item") continue;
            SCOPED_TRACE(std::string{file} + ": " + json::value_to<std::string>(record.at("name")));
            check(record);
            ++checked;
        }
    }
    EXPECT_EQ(checked, 642U);
}

}  // namespace
}  // namespace counterfoil::http
