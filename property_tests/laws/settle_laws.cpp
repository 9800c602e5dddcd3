#include <algorithm>
#include <utility>

#include <counterfoil/overloaded.hpp>

#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "generators/values.hpp"
#include "laws/law.hpp"

namespace counterfoil {

namespace {

// A receipt that is held: in progress, or unknown under the fence of its holder.
struct Held {
    Receipt receipt;
    Instant now;
    Policy policy;
};

Held held() {
    const auto policy = *gen::policy();
    auto receipt = *gen::receipt(rc::gen::oneOf(gen::in_progress(), gen::unknown()));
    const auto now = *gen::instant_near(receipt, policy);
    return {std::move(receipt), now, policy};
}

Receipt ended() {
    return *gen::receipt(rc::gen::oneOf(gen::completed(), gen::tombstone()));
}

const std::optional<Checkpoint>& checkpoint_in(const State& state) {
    if (const auto* in_progress = std::get_if<state::InProgress>(&state))
        return in_progress->checkpoint;
    return std::get<state::Unknown>(state).checkpoint;
}

bool in_time(const Held& given) {
    const auto* in_progress = std::get_if<state::InProgress>(&given.receipt.state);
    return in_progress != nullptr && given.now < in_progress->lease_end;
}

Checkpoint a_checkpoint() {
    return parse_checkpoint("booked", R"({"id":9})", 64).value();
}

// Calls every transition with the same receipt and permit, and hands each result to `check`.
template <class Check>
void every_transition(const Decider& decider, const std::optional<Receipt>& found,
                      const Permit& permit, const Check& check) {
    const auto now = *gen::instant();
    const auto policy = *gen::policy();
    check(decider.complete(found, permit, *gen::outcome(), now, policy));
    check(decider.renew(found, permit, now, policy));
    check(decider.checkpoint(found, permit, a_checkpoint(), now));
    check(decider.release(found, permit));
    check(decider.mark_unknown(found, permit, now));
    check(decider.abandon(found, permit, Effect::not_begun, now, policy));
    check(decider.resolve(found, permit, *gen::resolution(), now, policy));
}

Outcome kept(Outcome outcome) {
    outcome.disposition = Disposition::keep;
    return outcome;
}

void refuses_every_transition_under_another_fence(const Decider& decider) {
    const auto found = *gen::receipt();
    every_transition(decider, found, *gen::stranger(found), [&](const auto& result) {
        const auto* fenced = std::get_if<refusal::Fenced>(&result);
        RC_ASSERT((fenced != nullptr));
        RC_ASSERT(fenced->newest == found.fence);
    });
}

void says_lost_where_nothing_of_the_scope_is_found(const Decider& decider) {
    const auto receipt = *gen::receipt();
    Permit elsewhere = gen::permit_of(receipt);
    elsewhere.scope = *rc::gen::distinctFrom(gen::scope(), receipt.scope);
    const auto is_lost = [](const auto& result) {
        RC_ASSERT(std::holds_alternative<refusal::Lost>(result));
    };
    every_transition(decider, std::nullopt, gen::permit_of(receipt), is_lost);
    every_transition(decider, receipt, elsewhere, is_lost);
}

void answers_what_is_completed_already_with_what_is_stored(const Decider& decider) {
    const auto found = ended();
    every_transition(decider, found, gen::permit_of(found), [&](const auto& result) {
        const auto* already = std::get_if<refusal::AlreadyCompleted>(&result);
        RC_ASSERT((already != nullptr));
        if (const auto* completed = std::get_if<state::Completed>(&found.state)) {
            RC_ASSERT(already->answer == completed->answer);
            RC_ASSERT(already->ended == ending_of(*completed));
        } else {
            RC_ASSERT(!already->answer.has_value());
            RC_ASSERT(already->ended == std::get<state::Tombstone>(found.state).ended);
        }
    });
}

void completes_with_the_stored_form_and_the_windows_of_the_policy(const Decider& decider) {
    const auto given = held();
    const auto outcome = kept(*gen::outcome());
    const auto completion = decider.complete(given.receipt, gen::permit_of(given.receipt), outcome,
                                             given.now, given.policy);
    const auto* completed = std::get_if<settled::Completed>(&completion);
    RC_ASSERT((completed != nullptr));
    Receipt expected = given.receipt;
    expected.state = state::Completed{
        stored_form(outcome.answer, outcome.exposure, given.policy->answer_limits), given.now,
        given.now + given.policy->replay_window, given.now + given.policy->tombstone_window};
    RC_ASSERT(completed->write == (Replace{expected, given.receipt.fence}));
}

void tells_whether_the_lease_still_ran(const Decider& decider) {
    const auto given = held();
    const auto permit = gen::permit_of(given.receipt);
    const auto expected = in_time(given) ? Timeliness::in_time : Timeliness::late;
    RC_CLASSIFY(in_time(given), "in time");
    const auto completion =
        decider.complete(given.receipt, permit, kept(*gen::outcome()), given.now, given.policy);
    RC_ASSERT(std::get<settled::Completed>(completion).timeliness == expected);
    const auto renewal = decider.renew(given.receipt, permit, given.now, given.policy);
    RC_ASSERT(std::get<settled::Renewed>(renewal).timeliness == expected);
    const auto reached = decider.checkpoint(given.receipt, permit, a_checkpoint(), given.now);
    RC_ASSERT(std::get<settled::Checkpointed>(reached).timeliness == expected);
}

// An attempt before may have acted, so that the table frees no key of a takeover.
Disposition by_the_table(const Held& given, int status, Effect effect) {
    const auto told = given.policy->answers.of(status, effect);
    RC_CLASSIFY(given.receipt.attempt > 1, "a takeover");
    if (given.receipt.attempt > 1 && told == Disposition::release) return Disposition::unknown;
    return told;
}

void lets_the_outcome_or_else_the_table_say_what_an_answer_does(const Decider& decider) {
    const auto given = held();
    const auto outcome = *gen::outcome();
    const auto completion = decider.complete(given.receipt, gen::permit_of(given.receipt), outcome,
                                             given.now, given.policy);
    const auto disposition =
        outcome.disposition.value_or(by_the_table(given, outcome.answer.status, outcome.effect));
    RC_TAG(std::string{word(disposition)});
    RC_ASSERT(std::holds_alternative<settled::Completed>(completion) ==
              (disposition == Disposition::keep));
    RC_ASSERT(std::holds_alternative<settled::Released>(completion) ==
              (disposition == Disposition::release));
    RC_ASSERT(std::holds_alternative<settled::Uncertain>(completion) ==
              (disposition == Disposition::unknown));
}

void never_keeps_the_body_of_a_secret_answer(const Decider& decider) {
    const auto given = held();
    const auto permit = gen::permit_of(given.receipt);
    auto outcome = kept(*gen::outcome());
    outcome.exposure = Exposure::secret;
    const auto completion =
        decider.complete(given.receipt, permit, outcome, given.now, given.policy);
    const auto& state = std::get<settled::Completed>(completion).write.receipt.state;
    RC_ASSERT(!std::holds_alternative<body::Bytes>(std::get<state::Completed>(state).answer.body));

    const Resolution resolution{ruling::Applied{outcome.answer, Exposure::secret}, "anna", "log"};
    const auto resolved =
        decider.resolve(given.receipt, permit, resolution, Instant::max(), given.policy);
    const auto& applied = std::get<settled::ResolvedApplied>(resolved);
    RC_ASSERT(!std::holds_alternative<body::Bytes>(
        std::get<ruling::Applied>(applied.record.ruling).answer.body));
    RC_ASSERT(!std::holds_alternative<body::Bytes>(
        std::get<state::Completed>(applied.write.receipt.state).answer.body));
}

void renews_from_now_on_and_never_backwards(const Decider& decider) {
    const auto given = held();
    const auto renewal =
        decider.renew(given.receipt, gen::permit_of(given.receipt), given.now, given.policy);
    const auto* renewed = std::get_if<settled::Renewed>(&renewal);
    RC_ASSERT((renewed != nullptr));
    Instant end = given.now + given.policy->lease;
    if (const auto* running = std::get_if<state::InProgress>(&given.receipt.state))
        end = std::max(end, running->lease_end);
    Receipt expected = given.receipt;
    expected.state = state::InProgress{end, checkpoint_in(given.receipt.state)};
    RC_ASSERT(renewed->write == (Replace{expected, given.receipt.fence}));
}

void notes_a_checkpoint_and_touches_nothing_else(const Decider& decider) {
    const auto given = held();
    const auto result =
        decider.checkpoint(given.receipt, gen::permit_of(given.receipt), a_checkpoint(), given.now);
    const auto* reached = std::get_if<settled::Checkpointed>(&result);
    RC_ASSERT((reached != nullptr));
    RC_ASSERT(checkpoint_in(reached->write.receipt.state) == a_checkpoint());
    // With the checkpoint put back, it is the receipt that was.
    Receipt undone = reached->write.receipt;
    std::visit(
        overloaded{
            [&](state::InProgress& state) {
                state.checkpoint = checkpoint_in(given.receipt.state);
            },
            [&](state::Unknown& state) { state.checkpoint = checkpoint_in(given.receipt.state); },
            [](state::Completed&) { RC_FAIL("completed"); },
            [](state::Tombstone&) { RC_FAIL("tombstone"); },
        },
        undone.state);
    RC_ASSERT(undone == given.receipt);
    RC_ASSERT(reached->write.expected == given.receipt.fence);
}

void frees_the_key_on_release(const Decider& decider) {
    const auto given = held();
    const auto result = decider.release(given.receipt, gen::permit_of(given.receipt));
    RC_ASSERT(std::get<settled::Released>(result).write ==
              (Erase{given.receipt.scope, given.receipt.fence}));
}

void marks_unknown_once_and_keeps_what_was_reached(const Decider& decider) {
    const auto given = held();
    const auto result =
        decider.mark_unknown(given.receipt, gen::permit_of(given.receipt), given.now);
    const auto* marked = std::get_if<settled::Uncertain>(&result);
    RC_ASSERT((marked != nullptr));
    Receipt expected = given.receipt;
    if (std::holds_alternative<state::InProgress>(given.receipt.state)) {
        expected.state =
            state::Unknown{given.now, UnknownCause::marked, checkpoint_in(given.receipt.state)};
    }
    RC_ASSERT(marked->write == (Replace{expected, given.receipt.fence}));
}

void abandons_as_the_table_says_of_a_500_and_keeps_nothing(const Decider& decider) {
    const auto given = held();
    const auto permit = gen::permit_of(given.receipt);
    const auto effect = *rc::gen::element(Effect::not_begun, Effect::may_have_begun);
    const auto result = decider.abandon(given.receipt, permit, effect, given.now, given.policy);
    const auto* released = std::get_if<settled::Released>(&result);
    const auto* uncertain = std::get_if<settled::Uncertain>(&result);
    const bool frees = by_the_table(given, 500, effect) == Disposition::release;
    RC_CLASSIFY(frees, "the key is freed");
    RC_ASSERT((released != nullptr) == frees);
    RC_ASSERT((uncertain != nullptr) == !frees);
    if (released != nullptr) {
        RC_ASSERT(released->write == (Erase{given.receipt.scope, given.receipt.fence}));
    } else {
        const auto marked = mark_unknown(given.receipt, permit, given.now);
        RC_ASSERT(*uncertain == std::get<settled::Uncertain>(marked));
    }
}

void resolves_only_what_nobody_holds(const Decider& decider) {
    const auto given = held();
    const auto resolution = *gen::resolution();
    const auto result = decider.resolve(given.receipt, gen::permit_of(given.receipt), resolution,
                                        given.now, given.policy);
    const auto* running = std::get_if<state::InProgress>(&given.receipt.state);
    const auto free_at =
        running != nullptr ? running->lease_end + given.policy->max_skew : Instant::min();
    const auto* still_held = std::get_if<refusal::StillHeld>(&result);
    RC_CLASSIFY(still_held != nullptr, "still held");
    RC_ASSERT((still_held != nullptr) == (given.now < free_at));
    if (still_held != nullptr) {
        RC_ASSERT(still_held->until == free_at);
        return;
    }
    const auto* applied = std::get_if<settled::ResolvedApplied>(&result);
    const auto* not_applied = std::get_if<settled::ResolvedNotApplied>(&result);
    const auto* ruled = std::get_if<ruling::Applied>(&resolution.ruling);
    RC_ASSERT((applied != nullptr) == (ruled != nullptr));
    RC_ASSERT((not_applied != nullptr) == (ruled == nullptr));
    const auto& record = applied != nullptr ? applied->record : not_applied->record;
    RC_ASSERT(record.scope == given.receipt.scope);
    RC_ASSERT(record.fence == given.receipt.fence);
    RC_ASSERT(record.before == given.receipt.state);
    RC_ASSERT(record.by == resolution.by);
    RC_ASSERT(record.evidence == resolution.evidence);
    RC_ASSERT(record.resolved_at == given.now);
    if (not_applied != nullptr) {
        RC_ASSERT(not_applied->write == (Erase{given.receipt.scope, given.receipt.fence}));
        return;
    }
    Receipt expected = given.receipt;
    expected.state = state::Completed{
        stored_form(ruled->answer, ruled->exposure, given.policy->answer_limits), given.now,
        given.now + given.policy->replay_window, given.now + given.policy->tombstone_window};
    RC_ASSERT(applied->write == (Replace{expected, given.receipt.fence}));
}

void resolves_nothing_without_a_name_and_a_ground(const Decider& decider) {
    const auto given = held();
    auto resolution = *gen::resolution();
    (*rc::gen::arbitrary<bool>() ? resolution.by : resolution.evidence).clear();
    const auto result = decider.resolve(given.receipt, gen::permit_of(given.receipt), resolution,
                                        Instant::max(), given.policy);
    RC_ASSERT(std::holds_alternative<refusal::Unattributed>(result));
}

void a_completed_answer_is_replayed_until_its_window_is_over(const Decider& decider) {
    const auto given = held();
    const auto permit = gen::permit_of(given.receipt);
    const auto outcome = kept(*gen::outcome());
    const auto completion =
        decider.complete(given.receipt, permit, outcome, given.now, given.policy);
    const auto& written = std::get<settled::Completed>(completion).write.receipt;
    const auto& answer = std::get<state::Completed>(written.state).answer;

    // Whatever the policy is by then.
    const auto policy_by_then = *gen::policy();
    const auto request = *gen::request_for(written, Likeness::same);
    const auto later = given.now + Span{*rc::gen::inRange<std::int64_t>(0, 40)};
    const auto verdict = decider.judge(request, written, later, policy_by_then);
    const bool inside = later < given.now + given.policy->replay_window;
    RC_CLASSIFY(inside, "inside");
    RC_ASSERT(std::holds_alternative<verdict::Replay>(verdict) == inside);
    if (inside) RC_ASSERT(std::get<verdict::Replay>(verdict).answer == answer);

    const auto again = decider.complete(written, permit, *gen::outcome(), later, policy_by_then);
    RC_ASSERT(std::get<refusal::AlreadyCompleted>(again).answer == answer);
}

void refuses_the_late_answer_of_whoever_was_overtaken(const Decider& decider) {
    auto situation = *gen::situation(gen::receipt(gen::in_progress()), Likeness::same);
    situation.now = std::max(situation.now, Instant{});
    auto& found = *situation.found;
    found.fence = Fence{*rc::gen::inRange<std::int64_t>(1, 25)};
    auto& state = std::get<state::InProgress>(found.state);
    state.lease_end = std::min(state.lease_end, situation.now - situation.policy->max_skew);
    const auto verdict = decider.judge(situation.request, found, situation.now, situation.policy);
    const auto* take_over = std::get_if<verdict::TakeOver>(&verdict);
    if (take_over == nullptr) return;  // nobody may take over: another law
    const auto outcome = kept(*gen::outcome());
    const auto late = decider.complete(take_over->receipt, gen::permit_of(found), outcome,
                                       situation.now, situation.policy);
    RC_ASSERT(std::holds_alternative<refusal::Fenced>(late));
    const auto newest = decider.complete(take_over->receipt, take_over->permit(), outcome,
                                         situation.now, situation.policy);
    RC_ASSERT(std::holds_alternative<settled::Completed>(newest));
}

}  // namespace

std::vector<Law> settle_laws() {
    return {
        {"refuses_every_transition_under_another_fence",
         refuses_every_transition_under_another_fence},
        {"says_lost_where_nothing_of_the_scope_is_found",
         says_lost_where_nothing_of_the_scope_is_found},
        {"answers_what_is_completed_already_with_what_is_stored",
         answers_what_is_completed_already_with_what_is_stored},
        {"completes_with_the_stored_form_and_the_windows_of_the_policy",
         completes_with_the_stored_form_and_the_windows_of_the_policy},
        {"tells_whether_the_lease_still_ran", tells_whether_the_lease_still_ran},
        {"lets_the_outcome_or_else_the_table_say_what_an_answer_does",
         lets_the_outcome_or_else_the_table_say_what_an_answer_does},
        {"never_keeps_the_body_of_a_secret_answer", never_keeps_the_body_of_a_secret_answer},
        {"renews_from_now_on_and_never_backwards", renews_from_now_on_and_never_backwards},
        {"notes_a_checkpoint_and_touches_nothing_else",
         notes_a_checkpoint_and_touches_nothing_else},
        {"frees_the_key_on_release", frees_the_key_on_release},
        {"marks_unknown_once_and_keeps_what_was_reached",
         marks_unknown_once_and_keeps_what_was_reached},
        {"abandons_as_the_table_says_of_a_500_and_keeps_nothing",
         abandons_as_the_table_says_of_a_500_and_keeps_nothing},
        {"resolves_only_what_nobody_holds", resolves_only_what_nobody_holds},
        {"resolves_nothing_without_a_name_and_a_ground",
         resolves_nothing_without_a_name_and_a_ground},
        {"a_completed_answer_is_replayed_until_its_window_is_over",
         a_completed_answer_is_replayed_until_its_window_is_over},
        {"refuses_the_late_answer_of_whoever_was_overtaken",
         refuses_the_late_answer_of_whoever_was_overtaken},
    };
}

}  // namespace counterfoil
