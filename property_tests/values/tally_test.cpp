#include "counterfoil/tally.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace counterfoil {
namespace {

using std::chrono::nanoseconds;

using Call = std::pair<std::string, std::int64_t>;

rc::Gen<Call> call() {
    return rc::gen::pair(
        rc::gen::element<std::string>("create", "take_over", "replay", "conflict", "in_progress",
                                      "unknown", "expired", "incomparable", "unreadable", "busy"),
        rc::gen::weightedOneOf<std::int64_t>(
            {{4, rc::gen::inRange<std::int64_t>(0, 1'000'000)},
             {1, rc::gen::inRange<std::int64_t>(0, 20'000'000'000)},
             {1, rc::gen::element<std::int64_t>(50'000, 50'001, 1'000'000, 10'000'000'000,
                                                10'000'000'001)}}));
}

std::vector<Call> calls() {
    return *rc::gen::container<std::vector<Call>>(call());
}

Tally tally_of(const std::vector<Call>& calls) {
    Tally tally;
    for (const auto& [reply, duration] : calls) tally.add(reply, nanoseconds{duration});
    return tally;
}

Tally sum(Tally left, const Tally& right) {
    left += right;
    return left;
}

// The mutant that each law was seen to kill stands behind its name.

RC_GTEST_PROP(Tally, is_the_same_in_whatever_parts_it_is_counted, ()) {  // sum_ not added
    const auto first = calls();
    const auto second = calls();
    auto all = first;
    all.insert(all.end(), second.begin(), second.end());
    RC_ASSERT(sum(tally_of(first), tally_of(second)) == tally_of(all));
    RC_ASSERT(sum(tally_of(second), tally_of(first)) == tally_of(all));
    RC_ASSERT(sum(tally_of(all), {}) == tally_of(all));
}

RC_GTEST_PROP(Tally, counts_every_call_once, ()) {  // a second call of a word starts anew
    const auto all = calls();
    const Tally tally = tally_of(all);
    std::uint64_t counted = 0;
    for (const auto& [reply, count] : tally.counts()) {
        counted += count;
        const auto is_such = [&, word = reply](const Call& one) { return one.first == word; };
        RC_ASSERT(tally.count(reply) ==
                  static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), is_such)));
    }
    RC_ASSERT(counted == all.size());
    RC_ASSERT(tally.durations().total() == all.size());
}

RC_GTEST_PROP(Tally, rates_are_shares_of_what_was_judged, ()) {  // busy counted as judged
    const auto all = calls();
    const Tally tally = tally_of(all);
    const auto judged = std::count_if(all.begin(), all.end(), [](const Call& one) {
        return one.first != "unreadable" && one.first != "busy";
    });
    RC_ASSERT(tally.judged() == static_cast<std::uint64_t>(judged));
    RC_ASSERT(tally.replay_rate().has_value() == (judged != 0));
    RC_ASSERT(tally.conflict_rate().has_value() == (judged != 0));
    if (judged == 0) return;
    const double expected =
        static_cast<double>(tally.count("replay")) / static_cast<double>(judged);
    RC_ASSERT(*tally.replay_rate() == expected);
    RC_ASSERT(*tally.conflict_rate() <= 1.0);
}

RC_GTEST_PROP(Tally, a_percentile_is_the_bound_of_the_bucket_that_holds_it, ()) {  // < for <=
    const auto all = calls();
    RC_PRE(!all.empty());
    std::vector<std::int64_t> durations;
    for (const auto& [reply, duration] : all) durations.push_back(duration);
    std::sort(durations.begin(), durations.end());
    const Tally tally = tally_of(all);
    const auto rank = *rc::gen::inRange<std::size_t>(1, all.size() + 1);
    const double share = static_cast<double>(rank) / static_cast<double>(all.size());
    const nanoseconds truth{durations[rank - 1]};
    const auto told = tally.durations().percentile(share);
    const auto& bounds = Durations::bounds();
    const auto bound = std::lower_bound(bounds.begin(), bounds.end(), truth);
    RC_ASSERT(told.has_value() == (bound != bounds.end()));
    if (told) RC_ASSERT(*told == *bound);
}

TEST(Tally, has_no_rate_and_no_percentile_of_nothing) {
    EXPECT_EQ(Tally{}.replay_rate(), std::nullopt);
    EXPECT_EQ(Tally{}.durations().percentile(0.5), std::nullopt);
}

TEST(Durations, bounds_rise_and_lie_no_further_apart_than_is_said) {
    const auto& bounds = Durations::bounds();
    for (std::size_t i = 1; i < bounds.size(); ++i) {
        EXPECT_LT(bounds[i - 1], bounds[i]);
        EXPECT_LE(2 * bounds[i], 5 * bounds[i - 1]);
    }
}

}  // namespace
}  // namespace counterfoil
