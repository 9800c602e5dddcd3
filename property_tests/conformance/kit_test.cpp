#include <set>
#include <sstream>
#include <string>

#include <counterfoil/testing/map_store.hpp>
#include <gtest/gtest.h>

#include "conformance/rule_table.hpp"
#include "conformance/subjects.hpp"
#include "written/page.hpp"

namespace counterfoil::testing {
namespace {

/// A sound store that can do less than it could.
class LesserStore final : public Subject {
public:
    explicit LesserStore(std::vector<Ability> abilities) : abilities_{std::move(abilities)} {}

    [[nodiscard]] std::vector<Ability> abilities() const override { return abilities_; }

    void make_empty() override { store_->make_empty(); }

    [[nodiscard]] std::unique_ptr<Session> session() override { return store_->session(); }

    void reopen() override { FAIL() << "opened again without the ability"; }

private:
    std::vector<Ability> abilities_;
    std::unique_ptr<Subject> store_{map_store()};
};

TEST(RunAll, prints_a_line_for_each_rule_and_the_sum) {
    std::ostringstream out;
    const Tally tally = run_all(*map_store(), out);
    EXPECT_TRUE(tally.is_good());
    EXPECT_EQ(tally.exit_code(), 0);
    EXPECT_EQ(tally.passed, rules().size());
    for (const Rule& rule : rules()) {
        EXPECT_NE(out.str().find("holds    " + rule.sentence), std::string::npos);
    }
    const std::string count = std::to_string(rules().size());
    EXPECT_NE(out.str().find(count + " rules: " + count + " hold, 0 are broken, 0 are skipped\n"),
              std::string::npos);
}

TEST(RunAll, fails_with_a_counterexample_where_a_rule_is_broken) {
    std::ostringstream out;
    const Tally tally = run_all(*map_store(Defect::hold_is_lost), out);
    EXPECT_EQ(tally.exit_code(), 1);
    EXPECT_GT(tally.failed, 0U);
    EXPECT_NE(out.str().find("(a_receipt_reads_back_equal)"), std::string::npos);
    EXPECT_NE(out.str().find("hold\n    found    none\n    expected anna, audit"),
              std::string::npos)
        << out.str();
    EXPECT_NE(out.str().find("RC_PARAMS"), std::string::npos);
}

TEST(RunAll, wants_just_as_many_skips_as_are_expected) {
    LesserStore store{{}};
    std::size_t with_needs = 0;
    for (const Rule& rule : rules()) with_needs += rule.needs.empty() ? 0U : 1U;
    std::ostringstream out;
    EXPECT_EQ(run_all(store, out, with_needs).exit_code(), 0);
    EXPECT_NE(out.str().find("the store has no ability two_sessions"), std::string::npos);
    for (const std::size_t expected : {std::size_t{0}, with_needs - 1, with_needs + 1}) {
        std::ostringstream again;
        EXPECT_EQ(run_all(store, again, expected).exit_code(), 1);
        EXPECT_NE(again.str().find("where " + std::to_string(expected) + " were expected"),
                  std::string::npos);
    }
}

TEST(Rules, have_a_name_of_their_own_and_a_sentence) {
    std::set<std::string> names;
    for (const Rule& rule : rules()) {
        EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
        EXPECT_EQ(rule.sentence.back(), '.') << rule.sentence;
        EXPECT_EQ(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos);
    }
}

TEST(RuleTable, is_the_one_of_the_page_on_adapters) {
    const auto page = written::read(std::string{COUNTERFOIL_DOCS} + "/adapters.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(written::part(*page, "the table of rules"), conformance::rule_table());
}

}  // namespace
}  // namespace counterfoil::testing
