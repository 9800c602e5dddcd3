#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "laws/mutants.hpp"
#include "simulator/world.hpp"
#include "written/page.hpp"

namespace counterfoil {
namespace {

constexpr std::uint64_t histories = 10'000;

TEST(Simulator, HoldsInEveryHistory) {
    const std::uint64_t seed = rc::detail::configuration().testParams.seed;
    const Decider decider = sound();
    const std::optional<Finding> finding = search(seed, histories, decider);
    EXPECT_FALSE(finding.has_value()) << story_of(*finding, decider);
}

TEST(Simulator, FindsEveryBrokenDecider) {
    for (const Mutant& mutant : mutants()) {
        EXPECT_TRUE(search(1, histories, mutant.decider).has_value()) << mutant.name;
    }
}

class Shrinking : public testing::TestWithParam<const char*> {};

TEST_P(Shrinking, LeavesNoStepThatCanBeLeftOut) {
    const Decider decider = mutant_named(GetParam()).value().decider;
    const std::optional<Finding> finding = search(1, histories, decider);
    ASSERT_TRUE(finding.has_value());
    const History drawn = history_of(finding->seed);
    const History story = shrunk(drawn, decider);

    EXPECT_TRUE(broken_by(story, decider).has_value());
    EXPECT_FALSE(broken_by(story, sound()).has_value());
    EXPECT_LT(story.steps.size(), drawn.steps.size());
    for (std::size_t i = 0; i < story.steps.size(); ++i) {
        History part = story;
        part.steps.erase(part.steps.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(broken_by(part, decider).has_value()) << "without step " << i + 1;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Some, Shrinking,
    testing::Values("fence not checked", "skew ignored", "takeover forgets the checkpoint",
                    "a takeover's answer frees the key as a first attempt's does",
                    "purge ignores unknown", "downstream key outlives the receipt"));

TEST(Simulator, TellsTheStoryThatTheDocsTell) {
    const auto page = written::read(std::string{COUNTERFOIL_DOCS} + "/testing.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_TRUE(documented_story().has_value());
    EXPECT_EQ(written::part(*page, "a story"), documented_story());
}

}  // namespace
}  // namespace counterfoil
