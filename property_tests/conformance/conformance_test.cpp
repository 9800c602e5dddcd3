#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include <counterfoil/testing/map_store.hpp>
#include <gtest/gtest.h>

#include "conformance/subjects.hpp"

namespace counterfoil::conformance {
namespace {

struct Store {
    std::string name;
    std::function<std::unique_ptr<testing::Subject>()> open;
    std::vector<std::string> skips{};  ///< rules that it has no ability for, and no others
};

std::ostream& operator<<(std::ostream& out, const Store& store) {
    return out << store.name;
}

std::vector<Store> stores() {
    return {{"map", [] { return testing::map_store(); }},
            {"memory", memory_subject, {"reopening_keeps_what_was_committed"}},
            {"sqlite", sqlite_subject}};
}

std::vector<std::string> names_of_rules() {
    std::vector<std::string> names;
    for (const testing::Rule& rule : testing::rules()) names.push_back(rule.name);
    return names;
}

const testing::Rule& rule_named(const std::string& name) {
    const auto& all = testing::rules();
    return *std::find_if(all.begin(), all.end(),
                         [&](const testing::Rule& rule) { return rule.name == name; });
}

class Stores : public ::testing::TestWithParam<std::tuple<Store, std::string>> {};

TEST_P(Stores, conform) {
    const auto& [store, name] = GetParam();
    const std::unique_ptr<testing::Subject> subject = store.open();
    const testing::Finding finding = testing::run(rule_named(name), *subject);
    if (const auto* failed = std::get_if<testing::finding::Failed>(&finding)) {
        FAIL() << failed->text;
    }
    const bool is_skipped = std::holds_alternative<testing::finding::Skipped>(finding);
    const bool may_skip =
        std::find(store.skips.begin(), store.skips.end(), name) != store.skips.end();
    EXPECT_EQ(is_skipped, may_skip);
}

INSTANTIATE_TEST_SUITE_P(every, Stores,
                         ::testing::Combine(::testing::ValuesIn(stores()),
                                            ::testing::ValuesIn(names_of_rules())),
                         [](const auto& one) {
                             return std::get<0>(one.param).name + "_" + std::get<1>(one.param);
                         });

}  // namespace
}  // namespace counterfoil::conformance
