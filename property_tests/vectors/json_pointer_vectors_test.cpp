#include <cctype>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>
#include <counterfoil/field_selection.hpp>
#include <gtest/gtest.h>

#include "generators/json_documents.hpp"
#include "vector_files.hpp"

namespace counterfoil::vectors {
namespace {

namespace json = boost::json;

Result<FieldSelection, PointerError> only(const json::value& pointer) {
    return FieldSelection::only(std::vector<std::string>{std::string{pointer.as_string()}});
}

std::string canonical(const json::value& value, const FieldSelection& selection = {}) {
    Canonicalizer canonicalizer;
    return std::string{canonicalizer.canonicalize(value, selection).value()};
}

// The value within the containers that enclose it in the document, and nothing else.
json::value enclosed(const json::value& document, std::string_view pointer,
                     const json::value& value) {
    if (pointer.empty()) return value;
    pointer.remove_prefix(1);
    const std::size_t size = std::min(pointer.find('/'), pointer.size());
    std::string token;
    for (std::size_t i = 0; i < size; ++i) {
        token += pointer[i] != '~' ? pointer[i] : pointer[++i] == '0' ? '~' : '/';
    }
    const std::string_view rest = pointer.substr(size);
    if (const auto* array = document.if_array()) {
        return json::array{enclosed(array->at(std::stoul(token)), rest, value)};
    }
    return json::object{{token, enclosed(document.at(token), rest, value)}};
}

void expect_found(const json::value& document, const json::value& test) {
    const auto& pointer = test.at("pointer");
    const std::string found = canonical(document, only(pointer).value());
    EXPECT_EQ(found, canonical(enclosed(document, pointer.as_string(), test.at("value"))))
        << pointer;
}

TEST(JsonPointerVectors, rfc6901) {
    const auto file = json::parse(read_vector("json-pointer/rfc6901.json"));
    ASSERT_EQ(file.at("cases").as_array().size(), 12U);
    for (const auto& test : file.at("cases").as_array()) expect_found(file.at("document"), test);
}

TEST(JsonPointerVectors, edge_cases) {
    const auto file = json::parse(read_vector("json-pointer/edge-cases.json"));
    const auto& document = file.at("document");
    for (const auto& test : file.at("cases").as_array()) {
        const auto& result = test.at("result").as_string();
        const auto selection = only(test.at("pointer"));
        if (result == "invalid_pointer") {
            EXPECT_FALSE(selection.has_value()) << test;
        } else if (result == "found") {
            expect_found(document, test);
        } else {
            EXPECT_EQ(canonical(document, selection.value()), "") << test;
        }
    }
}

TEST(JsonPointerVectors, syntax) {
    const auto groups = json::parse(read_vector("json-pointer/json-pointer.json"));
    for (const auto& group : groups.as_array()) {
        for (const auto& test : group.at("tests").as_array()) {
            if (!test.at("data").is_string()) continue;
            EXPECT_EQ(only(test.at("data")).has_value(), test.at("valid").as_bool()) << test;
        }
    }
}

}  // namespace
}  // namespace counterfoil::vectors
