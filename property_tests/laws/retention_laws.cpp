#include <algorithm>
#include <utility>

#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "generators/values.hpp"
#include "laws/law.hpp"

namespace counterfoil {

namespace {

struct Swept {
    Receipt receipt;
    Instant now;
    Policy policy;
};

Swept any_of(const rc::Gen<Receipt>& receipts) {
    const auto policy = *gen::policy();
    auto receipt = *receipts;
    const auto now = *gen::instant_near(receipt, policy);
    return {std::move(receipt), now, policy};
}

rc::Gen<Receipt> ended() {
    return gen::receipt(rc::gen::oneOf(gen::completed(), gen::tombstone()));
}

int progress(const Retention& retention) {
    if (std::holds_alternative<retention::Purge>(retention)) return 2;
    return std::holds_alternative<retention::Keep>(retention) ? 0 : 1;
}

void never_purges_what_is_live_unknown_or_on_hold(const Decider& decider) {
    auto given = any_of(gen::receipt());
    const auto& state = given.receipt.state;
    const bool open = std::holds_alternative<state::InProgress>(state) ||
                      std::holds_alternative<state::Unknown>(state);
    if (!open) given.receipt.hold = Hold{"anna", "audit", Instant{}};
    const auto retention =
        decider.sweep(given.receipt, *rc::gen::element(given.now, Instant::max()), given.policy);
    RC_ASSERT(!std::holds_alternative<retention::Purge>(retention));
    RC_ASSERT(!std::holds_alternative<retention::MakeTombstone>(retention));
}

void purges_what_ended_from_the_promised_instant_on(const Decider& decider) {
    const auto given = any_of(ended());
    const auto forget_at = *forgotten_from(given.receipt);
    const auto retention = decider.sweep(given.receipt, given.now, given.policy);
    const auto* purge = std::get_if<retention::Purge>(&retention);
    RC_CLASSIFY(purge != nullptr, "purged");
    RC_ASSERT((purge != nullptr) == (given.now >= forget_at));
    if (purge == nullptr) return;
    RC_ASSERT(purge->write == (Erase{given.receipt.scope, given.receipt.fence}));
    RC_ASSERT(purge->forget_at == forget_at);
}

void drops_the_answer_between_the_two_windows_and_keeps_the_stub(const Decider& decider) {
    const auto given = any_of(gen::receipt(gen::completed()));
    const auto& completed = std::get<state::Completed>(given.receipt.state);
    const auto retention = decider.sweep(given.receipt, given.now, given.policy);
    const auto* made = std::get_if<retention::MakeTombstone>(&retention);
    const bool due = given.now >= completed.replay_until && given.now < completed.forget_at;
    RC_CLASSIFY(due, "due");
    RC_ASSERT((made != nullptr) == due);
    if (made == nullptr) return;
    Receipt expected = given.receipt;
    expected.state = state::Tombstone{ending_of(completed), given.now, completed.forget_at};
    RC_ASSERT(made->write == (Replace{expected, given.receipt.fence}));
}

void marks_unknown_what_lapsed_and_was_abandoned(const Decider& decider) {
    const auto given = any_of(gen::receipt(gen::in_progress()));
    const auto& held = std::get<state::InProgress>(given.receipt.state);
    const auto lapsed_at = held.lease_end + given.policy->max_skew;
    const auto retention = decider.sweep(given.receipt, given.now, given.policy);
    const auto* marked = std::get_if<retention::MarkUnknown>(&retention);
    RC_CLASSIFY(marked != nullptr, "abandoned");
    RC_ASSERT((marked != nullptr) == (given.now >= lapsed_at + given.policy->abandon_after));
    if (marked == nullptr) return;
    Receipt expected = given.receipt;
    expected.state = state::Unknown{lapsed_at, UnknownCause::lease_lapsed, held.checkpoint};
    RC_ASSERT(marked->write == (Replace{expected, given.receipt.fence}));
}

void says_when_its_answer_changes_and_not_a_tick_off(const Decider& decider) {
    const auto given = any_of(gen::receipt());
    const auto retention = decider.sweep(given.receipt, given.now, given.policy);
    const auto* keep = std::get_if<retention::Keep>(&retention);
    if (keep == nullptr) return;
    if (!keep->look_again) {
        RC_ASSERT(decider.sweep(given.receipt, Instant::max(), given.policy) == retention);
        return;
    }
    RC_ASSERT(*keep->look_again > given.now);
    RC_ASSERT(decider.sweep(given.receipt, *keep->look_again - Span{1}, given.policy) == retention);
    RC_ASSERT(decider.sweep(given.receipt, *keep->look_again, given.policy) != retention);
}

void only_forgets_more_as_time_goes_on(const Decider& decider) {
    const auto given = any_of(gen::receipt());
    const auto other = *gen::instant_near(given.receipt, given.policy);
    RC_ASSERT(progress(decider.sweep(given.receipt, std::min(given.now, other), given.policy)) <=
              progress(decider.sweep(given.receipt, std::max(given.now, other), given.policy)));
}

void keeps_the_windows_that_were_promised_whatever_the_policy_says_now(const Decider& decider) {
    const auto given = any_of(ended());
    RC_ASSERT(decider.sweep(given.receipt, given.now, *gen::policy()) ==
              decider.sweep(given.receipt, given.now, given.policy));
}

void changes_no_verdict_by_dropping_the_answer(const Decider& decider) {
    const auto given = any_of(gen::receipt(gen::completed()));
    const auto retention = decider.sweep(given.receipt, given.now, given.policy);
    const auto* made = std::get_if<retention::MakeTombstone>(&retention);
    if (made == nullptr) return;
    const auto request = *gen::request_for(
        given.receipt, *rc::gen::element(Likeness::same, Likeness::other, Likeness::incomparable));
    const auto before = decider.judge(request, given.receipt, given.now, given.policy);
    const auto after = decider.judge(request, made->write.receipt, given.now, given.policy);
    RC_ASSERT(before.index() == after.index());
    RC_ASSERT(why(before).rule == why(after).rule);
    if (const auto* expired = std::get_if<verdict::Expired>(&before))
        RC_ASSERT(std::get<verdict::Expired>(after).seen == expired->seen);
}

void purges_only_what_a_create_would_overwrite(const Decider& decider) {
    const auto given = any_of(gen::receipt());
    if (!std::holds_alternative<retention::Purge>(
            decider.sweep(given.receipt, given.now, given.policy)))
        return;
    if (!fence_after(given.receipt.fence, given.now))
        return;  // the last fence there is: nothing may follow
    const auto request = *gen::request_for(given.receipt, Likeness::other);
    const auto policy = gen::with_old_keys(given.policy, OldKeys::create);
    RC_ASSERT(std::holds_alternative<verdict::Create>(
        decider.judge(request, given.receipt, given.now, policy)));
}

}  // namespace

std::vector<Law> retention_laws() {
    return {
        {"never_purges_what_is_live_unknown_or_on_hold",
         never_purges_what_is_live_unknown_or_on_hold},
        {"purges_what_ended_from_the_promised_instant_on",
         purges_what_ended_from_the_promised_instant_on},
        {"drops_the_answer_between_the_two_windows_and_keeps_the_stub",
         drops_the_answer_between_the_two_windows_and_keeps_the_stub},
        {"marks_unknown_what_lapsed_and_was_abandoned",
         marks_unknown_what_lapsed_and_was_abandoned},
        {"says_when_its_answer_changes_and_not_a_tick_off",
         says_when_its_answer_changes_and_not_a_tick_off},
        {"only_forgets_more_as_time_goes_on", only_forgets_more_as_time_goes_on},
        {"keeps_the_windows_that_were_promised_whatever_the_policy_says_now",
         keeps_the_windows_that_were_promised_whatever_the_policy_says_now},
        {"changes_no_verdict_by_dropping_the_answer", changes_no_verdict_by_dropping_the_answer},
        {"purges_only_what_a_create_would_overwrite", purges_only_what_a_create_would_overwrite},
    };
}

}  // namespace counterfoil
