#include <algorithm>
#include <cctype>
#include <ostream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/detail/TestListenerAdapter.h>
#include <rapidcheck/gtest.h>

#include "laws/law.hpp"
#include "laws/law_table.hpp"
#include "laws/mutants.hpp"
#include "written/page.hpp"

namespace counterfoil {

namespace {

std::string test_name(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return text;
}

class Laws : public testing::TestWithParam<Law> {};

TEST_P(Laws, hold_of_the_library) {
    rc::detail::checkGTest([&] { GetParam().property(sound()); });
}

INSTANTIATE_TEST_SUITE_P(decider, Laws, testing::ValuesIn(decider_laws()),
                         [](const auto& law) { return law.param.sentence; });

// With a seed of its own, so that a mutant that is caught today is caught tomorrow.
bool catches(const Law& law, const Decider& decider) {
    rc::detail::TestParams params;
    params.seed = 20'261'201;
    params.maxSuccess = 2'000;
    params.disableShrinking = true;
    rc::detail::TestMetadata metadata;
    metadata.id = law.sentence;
    rc::detail::TestListenerAdapter silent;
    const auto result =
        rc::detail::checkTestable([&] { law.property(decider); }, metadata, params, silent);
    return result.template is<rc::detail::FailureResult>();
}

const Law* law_named(const std::vector<Law>& laws, const std::string& sentence) {
    const auto found = std::find_if(laws.begin(), laws.end(),
                                    [&](const Law& law) { return law.sentence == sentence; });
    return found == laws.end() ? nullptr : &*found;
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, are_caught_by_the_law_that_names_them) {
    const auto laws = decider_laws();
    const auto* law = law_named(laws, GetParam().killed_by);
    ASSERT_NE(law, nullptr) << "no law says " << GetParam().killed_by;
    EXPECT_TRUE(catches(*law, GetParam().decider))
        << '"' << GetParam().name << "\" survives " << law->sentence;
}

INSTANTIATE_TEST_SUITE_P(decider, Mutants, testing::ValuesIn(mutants()),
                         [](const auto& mutant) { return test_name(mutant.param.name); });

// The check of the check: the library itself is no mutant, so what catches mutants lets it pass.
TEST(Mutants, the_library_survives_what_catches_them) {
    for (const auto& law : decider_laws()) EXPECT_FALSE(catches(law, sound())) << law.sentence;
}

TEST(Mutants, every_law_has_one) {
    std::set<std::string> named;
    for (const auto& mutant : mutants()) named.insert(mutant.killed_by);
    for (const auto& law : decider_laws())
        EXPECT_TRUE(named.count(law.sentence) == 1)
            << law.sentence << " is a comment: no mutant breaks it";
}

TEST(LawTable, is_the_one_of_the_page_on_testing) {
    const auto page = written::read(std::string{COUNTERFOIL_DOCS} + "/testing.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(written::part(*page, "the table of laws"), law_table());
}

}  // namespace
}  // namespace counterfoil
