#include "counterfoil/admission.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "counterfoil/words.hpp"

// Beside each law stands the fault in admit() that it was seen to find.

namespace counterfoil {
namespace {

using admission::Admitted;
using admission::FellOpen;
using admission::Ground;
using admission::Refused;
using std::chrono::seconds;

constexpr Instant noon{seconds{1'796'126'400}};
constexpr FallbackRule rule{
    .reads = 2, .window = Span{seconds{10}}, .create_again_in = Span{seconds{3}}};

// The four cases, and what a budget that is spent or a fallback that is used up makes of them.
TEST(AdmissionTable, says_who_may_run) {
    struct Case {
        Access access;
        Budget budget;
        std::optional<FallbackUse> used;
        Admission expected;
    };

    const FallbackUse one{noon - Span{seconds{4}}, 1};
    const FallbackUse all{noon - Span{seconds{4}}, 2};
    const FallbackUse over{noon - Span{seconds{10}}, 2};
    const std::vector<Case> cases{
        {Access::create, budget::Within{}, all, Admitted{}},
        {Access::read, budget::Within{}, all, Admitted{}},
        {Access::create, budget::Spent{seconds{7}}, {}, Refused{Ground::budget_spent, seconds{7}}},
        {Access::read, budget::Spent{seconds{7}}, {}, Refused{Ground::budget_spent, seconds{7}}},
        {Access::create, budget::Unreachable{}, {}, Refused{Ground::dependency_down, seconds{3}}},
        {Access::read, budget::Unreachable{}, {}, FellOpen{{noon, 1}}},
        {Access::read, budget::Unreachable{}, one, FellOpen{{one.opened, 2}}},
        {Access::read, budget::Unreachable{}, all, Refused{Ground::dependency_down, seconds{6}}},
        {Access::read, budget::Unreachable{}, over, FellOpen{{noon, 1}}},
    };
    for (const Case& one_case : cases) {
        SCOPED_TRACE(&one_case - cases.data());
        EXPECT_EQ(admit(one_case.access, one_case.budget, noon, rule, one_case.used),
                  one_case.expected);
    }
}

TEST(AdmissionTable, has_words_for_its_grounds) {
    EXPECT_EQ(word(Ground::budget_spent), "budget_spent");
    EXPECT_EQ(from_word<Ground>("dependency_down"), Ground::dependency_down);
    EXPECT_EQ(from_word<Ground>("down"), std::nullopt);
}

rc::Gen<std::int64_t> figure() {
    return rc::gen::weightedOneOf<std::int64_t>(
        {{6, rc::gen::inRange<std::int64_t>(-5, 30)},
         {1, rc::gen::element(std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max())}});
}

Budget any_budget() {
    switch (*rc::gen::inRange(0, 3)) {
        case 0: return budget::Within{};
        case 1: return budget::Spent{Span{*figure()}};
        default: return budget::Unreachable{};
    }
}

FallbackRule any_rule() {
    return {.reads = *figure(),
            .window = std::max(Span{*figure()}, Span{1}),
            .create_again_in = Span{*figure()}};
}

std::optional<FallbackUse> any_use() {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    return FallbackUse{Instant{Span{*figure()}}, *rc::gen::inRange<std::int64_t>(0, 30)};
}

// Falls open for creates as well.
RC_GTEST_PROP(Admission, lets_no_create_run_where_nobody_can_tell, ()) {
    const Admission came_to = admit(Access::create, budget::Unreachable{}, Instant{Span{*figure()}},
                                    any_rule(), any_use());
    const auto* refused = std::get_if<Refused>(&came_to);
    RC_ASSERT(refused != nullptr);
    RC_ASSERT(refused->ground == Ground::dependency_down);
}

// What the dependency said is overruled by the fallback.
RC_GTEST_PROP(Admission, is_the_dependencys_to_say_while_it_is_up, ()) {
    const Instant now{Span{*figure()}};
    const Access access = *rc::gen::element(Access::create, Access::read);
    const Span back_in{*figure()};
    RC_ASSERT(admit(access, budget::Within{}, now, any_rule(), any_use()) == Admission{Admitted{}});
    RC_ASSERT(admit(access, budget::Spent{back_in}, now, any_rule(), any_use()) ==
              Admission(Refused{Ground::budget_spent, std::max(back_in, Span{1})}));
}

// The wait of a limiter that counts in whole seconds, 0, is passed on.
RC_GTEST_PROP(Admission, asks_nobody_to_come_back_at_once, ()) {
    const Admission came_to = admit(*rc::gen::element(Access::create, Access::read), any_budget(),
                                    Instant{Span{*figure()}}, any_rule(), any_use());
    if (const auto* refused = std::get_if<Refused>(&came_to)) {
        RC_ASSERT(refused->retry_after > Span{0});
    }
}

// <= for < at the limit; a use that isn't counted; > for >= at a window's end; a clock that is set
// back opens a new window.
RC_GTEST_PROP(Admission, lets_no_more_reads_fall_open_than_a_window_has, ()) {
    FallbackRule some = any_rule();
    some.window = Span{*rc::gen::inRange<std::int64_t>(1, 20)};
    some.reads = *rc::gen::inRange<std::int64_t>(0, 6);
    std::optional<FallbackUse> use;
    Instant now{Span{0}};
    Span passed{0};  // of real time since the first read of the window fell open
    std::int64_t opened_reads = 0;
    const auto steps =
        *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 8));
    const bool set_back = *rc::gen::arbitrary<bool>();
    for (std::size_t step = 0; step < steps.size(); ++step) {
        now = now + Span{steps[step]};
        passed += Span{steps[step]};
        if (set_back && step % 5 == 4) now = now - Span{some.window * 2};
        const Admission came_to = admit(Access::read, budget::Unreachable{}, now, some, use);
        if (const auto* fell_open = std::get_if<FellOpen>(&came_to)) {
            if (fell_open->use.reads == 1) {
                RC_ASSERT(!use || passed >= some.window);
                passed = Span{0};
                opened_reads = 0;
            }
            use = fell_open->use;
            RC_ASSERT(++opened_reads <= some.reads);
            continue;
        }
        // And it gives what it has: only a window that is used up refuses.
        RC_ASSERT(opened_reads == some.reads);
        RC_ASSERT(set_back || some.reads == 0 || passed < some.window);
    }
}

// The rest of the window is told too short.
RC_GTEST_PROP(Admission, a_read_may_run_when_it_was_told_to_come_back, ()) {
    FallbackRule some = any_rule();
    some.reads = *rc::gen::inRange<std::int64_t>(1, 6);
    some.window = Span{*rc::gen::inRange<std::int64_t>(1, 20)};
    const std::optional<FallbackUse> use = any_use();
    const Instant now{Span{*rc::gen::inRange<std::int64_t>(-5, 30)}};
    const Admission came_to = admit(Access::read, budget::Unreachable{}, now, some, use);
    const auto* refused = std::get_if<Refused>(&came_to);
    if (refused == nullptr) return;
    RC_ASSERT(refused->retry_after <= some.window);
    if (use->opened > now) return;  // set back: nobody else keeps the window that opened anew
    RC_ASSERT(std::holds_alternative<FellOpen>(
        admit(Access::read, budget::Unreachable{}, now + refused->retry_after, some, use)));
}

}  // namespace
}  // namespace counterfoil
