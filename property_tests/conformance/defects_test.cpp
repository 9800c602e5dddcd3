#include <algorithm>
#include <ostream>
#include <set>
#include <string>

#include <counterfoil/testing/map_store.hpp>
#include <gtest/gtest.h>

namespace counterfoil::testing {

std::ostream& operator<<(std::ostream& out, const DefectRecord& record) {
    return out << record.name;
}

namespace {

// Threads meet by chance, and seldom where others are at work, so a rule that needs them has many
// tries.
bool is_caught_by(const std::string& name, Defect defect) {
    constexpr int tries_of_threads = 300;
    const auto rule = std::find_if(rules().begin(), rules().end(),
                                   [&](const Rule& one) { return one.name == name; });
    if (rule == rules().end()) return false;
    const bool threads = std::count(rule->needs.begin(), rule->needs.end(), Ability::threads) != 0;
    for (int left = threads ? tries_of_threads : 1; left > 0; --left) {
        const Finding finding = run(*rule, *map_store(defect));
        if (std::holds_alternative<finding::Failed>(finding)) return true;
    }
    return false;
}

class Defects : public ::testing::TestWithParam<DefectRecord> {};

TEST_P(Defects, are_caught_by_each_rule_that_is_named) {
    ASSERT_FALSE(GetParam().caught_by.empty());
    for (const std::string& name : GetParam().caught_by) {
        EXPECT_TRUE(is_caught_by(name, GetParam().defect))
            << GetParam().name << " survives " << name;
    }
}

INSTANTIATE_TEST_SUITE_P(map_store, Defects, ::testing::ValuesIn(defects()),
                         [](const auto& one) { return one.param.name; });

TEST(Rules, each_catches_a_defect) {
    std::set<std::string> named;
    for (const DefectRecord& record : defects()) {
        named.insert(record.caught_by.begin(), record.caught_by.end());
    }
    for (const Rule& rule : rules()) {
        EXPECT_EQ(named.count(rule.name), 1U) << rule.name << " is a comment: it catches nothing";
    }
}

TEST(Defects, are_all_in_the_list) {
    std::set<Defect> listed{Defect::none};
    for (const DefectRecord& record : defects()) listed.insert(record.defect);
    const auto last = static_cast<int>(Defect::evidence_is_cut);
    EXPECT_EQ(listed.size(), static_cast<std::size_t>(last) + 1);
    EXPECT_EQ(defects().size(), static_cast<std::size_t>(last));
}

}  // namespace
}  // namespace counterfoil::testing
