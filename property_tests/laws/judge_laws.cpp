#include <algorithm>
#include <array>
#include <utility>

#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "generators/values.hpp"
#include "laws/law.hpp"

namespace counterfoil {

namespace {

Verdict judged(const Decider& decider, const Situation& situation) {
    return decider.judge(situation.request, situation.found, situation.now, situation.policy);
}

template <class Which>
const Which* as(const Verdict& verdict) {
    return std::get_if<Which>(&verdict);
}

bool is_forgotten(const Situation& situation) {
    const auto from = forgotten_from(*situation.found);
    return from && situation.now >= *from;
}

// A receipt in such a state that is not forgotten at `now`.
Situation remembered(const rc::Gen<Receipt>& found, Likeness likeness) {
    auto situation = *gen::situation(found, likeness);
    if (is_forgotten(situation)) situation.found->hold = Hold{"anna", "audit", Instant{}};
    return situation;
}

Situation lapsed() {
    auto situation = *gen::situation(gen::receipt(gen::in_progress()), Likeness::same);
    situation.now = std::max(situation.now, Instant{});  // nothing is over at the beginning of time
    auto& held = std::get<state::InProgress>(situation.found->state);
    held.lease_end = std::min(held.lease_end, situation.now - situation.policy->max_skew);
    return situation;
}

Likeness any_likeness() {
    return *rc::gen::element(Likeness::same, Likeness::other, Likeness::incomparable);
}

// How far along its road an answer is: it never goes back as time goes on. A receipt that is
// forgotten frees its key until that is too old to be known for new.
int progress(const Verdict& verdict) {
    constexpr std::array<int, 8> by_kind{
        /*create*/ 3,   /*take_over*/ 1,   /*replay*/ 0,
        /*conflict*/ 0, /*in_progress*/ 0,
        /*unknown*/ 1,  /*expired*/ 2,     /*incomparable*/ 0};
    return why(verdict).rule == Rule::key_predates_memory ? 4 : by_kind[verdict.index()];
}

void says_the_same_when_asked_again(const Decider& decider) {
    const auto situation = *gen::situation();
    const auto verdict = judged(decider, situation);
    RC_ASSERT(judged(decider, situation) == verdict);
    RC_ASSERT(why(verdict).now == situation.now);
    RC_ASSERT(why(verdict).rule >= Rule::key_predates_memory);
    RC_ASSERT(why(verdict).rule <= Rule::no_takeover);
}

void refuses_another_request_whatever_the_state_and_the_time(const Decider& decider) {
    const auto situation = remembered(gen::receipt(), Likeness::other);
    RC_CLASSIFY(std::holds_alternative<state::InProgress>(situation.found->state), "in progress");
    const auto verdict = judged(decider, situation);
    RC_ASSERT((as<verdict::Conflict>(verdict) != nullptr));
    RC_ASSERT(as<verdict::Conflict>(verdict)->first_seen == situation.found->created_at);
    RC_ASSERT(why(verdict).rule == Rule::other_fingerprint);
}

void says_incomparable_of_a_scheme_it_cannot_compute(const Decider& decider) {
    const auto situation = remembered(gen::receipt(), Likeness::incomparable);
    const auto verdict = judged(decider, situation);
    RC_ASSERT((as<verdict::Incomparable>(verdict) != nullptr));
    RC_ASSERT(as<verdict::Incomparable>(verdict)->scheme == situation.found->fingerprint.scheme);
}

void never_calls_an_equal_request_a_conflict(const Decider& decider) {
    const auto verdict = judged(decider, *gen::situation(gen::receipt(), Likeness::same));
    RC_ASSERT((as<verdict::Conflict>(verdict) == nullptr));
    RC_ASSERT((as<verdict::Incomparable>(verdict) == nullptr));
}

void replays_the_stored_answer_inside_the_window_and_only_there(const Decider& decider) {
    const auto situation = remembered(gen::receipt(gen::completed()), Likeness::same);
    const auto& completed = std::get<state::Completed>(situation.found->state);
    const auto verdict = judged(decider, situation);
    const auto* replay = as<verdict::Replay>(verdict);
    RC_CLASSIFY(situation.now < completed.replay_until, "inside");
    RC_ASSERT((replay != nullptr) == (situation.now < completed.replay_until));
    if (replay == nullptr) return;
    RC_ASSERT(replay->answer == completed.answer);
    RC_ASSERT(replay->first_seen == situation.found->created_at);
    RC_ASSERT(replay->completed_at == completed.completed_at);
    RC_ASSERT(replay->replay_until == completed.replay_until);
    RC_ASSERT(replay->attempt == situation.found->attempt);
}

void expires_what_ended_until_it_is_forgotten(const Decider& decider) {
    const auto situation = remembered(
        gen::receipt(rc::gen::oneOf(gen::completed(), gen::tombstone())), Likeness::same);
    const auto* completed = std::get_if<state::Completed>(&situation.found->state);
    if (completed != nullptr && situation.now < completed->replay_until)
        return;  // the law of replay
    const auto verdict = judged(decider, situation);
    const auto* expired = as<verdict::Expired>(verdict);
    RC_ASSERT((expired != nullptr));
    const auto* seen = std::get_if<verdict::Seen>(&expired->seen);
    RC_ASSERT((seen != nullptr));
    RC_ASSERT(seen->first_seen == situation.found->created_at);
    const auto ended = completed != nullptr
                           ? ending_of(*completed)
                           : std::get<state::Tombstone>(situation.found->state).ended;
    RC_ASSERT(seen->ended == ended);
}

void creates_where_nothing_is_found(const Decider& decider) {
    const auto request = *gen::request();
    const auto now = *gen::instant();
    const auto policy = gen::with_old_keys(*gen::policy(), OldKeys::create);
    const auto verdict = decider.judge(request, std::nullopt, now, policy);
    const auto* create = as<verdict::Create>(verdict);
    RC_ASSERT((create != nullptr));
    RC_ASSERT(!create->replaces.has_value());
    RC_ASSERT(create->receipt.scope == request.scope);
    RC_ASSERT(create->receipt.fingerprint == request.fingerprint);
    RC_ASSERT(create->receipt.fields == request.fields);
    RC_ASSERT(create->receipt.created_at == now);
    RC_ASSERT(create->receipt.attempt == 1);
    RC_ASSERT(!create->receipt.hold.has_value());
    RC_ASSERT(create->receipt.state == State(state::InProgress{now + policy->lease, std::nullopt}));
    RC_ASSERT(create->permit() == (Permit{request.scope, create->receipt.fence}));
    RC_ASSERT(create->receipt.fence >= Fence{now.time_since_epoch().count()});
    RC_ASSERT(create->receipt.fence > Fence{});
}

void takes_what_is_forgotten_for_nothing_and_no_sooner(const Decider& decider) {
    auto situation = *gen::situation(
        gen::receipt(rc::gen::oneOf(gen::completed(), gen::tombstone())), any_likeness());
    situation.policy = gen::with_old_keys(situation.policy, OldKeys::create);
    const auto& found = *situation.found;
    const auto verdict = judged(decider, situation);
    const auto* create = as<verdict::Create>(verdict);
    const bool room_for_a_fence = fence_after(found.fence, situation.now).has_value();
    RC_CLASSIFY(is_forgotten(situation), "forgotten");
    RC_ASSERT((create != nullptr) == (is_forgotten(situation) && room_for_a_fence));
    if (create == nullptr) return;
    auto from_nothing = std::get<verdict::Create>(
        decider.judge(situation.request, std::nullopt, situation.now, situation.policy));
    RC_ASSERT(create->replaces == found.fence);
    RC_ASSERT(create->receipt.fence > found.fence);
    from_nothing.receipt.fence = create->receipt.fence;
    RC_ASSERT(create->receipt == from_nothing.receipt);
    RC_ASSERT(create->why.rule == Rule::forgotten);
}

void never_forgets_what_is_live_unknown_or_on_hold(const Decider& decider) {
    auto situation = *gen::situation(gen::receipt(), any_likeness());
    const auto& state = situation.found->state;
    const bool open = std::holds_alternative<state::InProgress>(state) ||
                      std::holds_alternative<state::Unknown>(state);
    if (!open) situation.found->hold = Hold{"anna", "audit", Instant{}};
    situation.now = *rc::gen::element(situation.now, Instant::max());
    RC_ASSERT((as<verdict::Create>(judged(decider, situation)) == nullptr));
}

void keeps_others_out_until_the_lease_and_the_skew_are_over(const Decider& decider) {
    const auto situation = *gen::situation(gen::receipt(gen::in_progress()), Likeness::same);
    const auto lease_end = std::get<state::InProgress>(situation.found->state).lease_end;
    const bool over = situation.now >= lease_end + situation.policy->max_skew;
    const auto verdict = judged(decider, situation);
    const auto* running = as<verdict::InProgress>(verdict);
    RC_CLASSIFY(over, "over");
    RC_ASSERT((running == nullptr) == over);
    if (running == nullptr) return;
    RC_ASSERT(running->retry_after > Span::zero());
    RC_ASSERT(running->retry_after <= situation.policy->lease);
    RC_ASSERT(running->retry_after ==
              std::min(situation.policy->lease,
                       (lease_end + situation.policy->max_skew) - situation.now));
    RC_ASSERT(running->lease_end == lease_end);
    RC_ASSERT(running->attempt == situation.found->attempt);
    RC_ASSERT(running->first_seen == situation.found->created_at);
}

void takes_over_a_lapsed_claim_as_often_as_the_policy_allows(const Decider& decider) {
    const auto situation = lapsed();
    const auto& found = *situation.found;
    const auto& held = std::get<state::InProgress>(found.state);
    const bool allowed = found.attempt < situation.policy->max_attempts &&
                         situation.policy->on_lapse == OnLapse::take_over &&
                         fence_after(found.fence, situation.now).has_value();
    const auto verdict = judged(decider, situation);
    const auto* take_over = as<verdict::TakeOver>(verdict);
    RC_CLASSIFY(allowed, "allowed");
    RC_ASSERT((take_over != nullptr) == allowed);
    if (take_over == nullptr) return;
    Receipt expected = found;
    expected.attempt = found.attempt + 1;
    expected.fence = take_over->receipt.fence;
    expected.state = state::InProgress{situation.now + situation.policy->lease, held.checkpoint};
    RC_ASSERT(take_over->receipt == expected);
    RC_ASSERT(take_over->replaces == found.fence);
    RC_ASSERT(take_over->checkpoint() == held.checkpoint);
}

void calls_a_lapsed_claim_that_nobody_may_take_unknown(const Decider& decider) {
    const auto situation = lapsed();
    const auto& found = *situation.found;
    const auto& held = std::get<state::InProgress>(found.state);
    const auto verdict = judged(decider, situation);
    if (as<verdict::TakeOver>(verdict) != nullptr) return;  // the law of takeover
    const auto* unknown = as<verdict::Unknown>(verdict);
    RC_ASSERT((unknown != nullptr));
    RC_ASSERT(unknown->since == held.lease_end + situation.policy->max_skew);
    RC_ASSERT(unknown->write.has_value());
    Receipt expected = found;
    expected.state = state::Unknown{unknown->since, unknown->cause, held.checkpoint};
    RC_ASSERT(unknown->write->receipt == expected);
    RC_ASSERT(unknown->write->expected == found.fence);
    const bool exhausted =
        found.attempt >= situation.policy->max_attempts || !fence_after(found.fence, situation.now);
    RC_ASSERT(unknown->cause ==
              (exhausted ? UnknownCause::attempts_exhausted : UnknownCause::lease_lapsed));
}

void leaves_the_unknown_unknown_for_ever(const Decider& decider) {
    auto situation = *gen::situation(gen::receipt(gen::unknown()), Likeness::same);
    situation.now = *rc::gen::element(situation.now, Instant::min(), Instant::max());
    const auto& state = std::get<state::Unknown>(situation.found->state);
    const auto verdict = judged(decider, situation);
    const auto* unknown = as<verdict::Unknown>(verdict);
    RC_ASSERT((unknown != nullptr));
    RC_ASSERT(!unknown->write.has_value());
    RC_ASSERT(unknown->since == state.since);
    RC_ASSERT(unknown->cause == state.cause);
}

void raises_the_fence_whenever_the_scope_changes_hands(const Decider& decider) {
    const auto situation = *rc::gen::oneOf(
        gen::situation(gen::receipt(gen::in_progress()), Likeness::same),
        gen::situation(gen::receipt(rc::gen::oneOf(gen::completed(), gen::tombstone())),
                       Likeness::same));
    const auto verdict = judged(decider, situation);
    const auto now = Fence{situation.now.time_since_epoch().count()};
    if (const auto* create = as<verdict::Create>(verdict)) {
        RC_ASSERT(create->receipt.fence > situation.found->fence);
        RC_ASSERT(create->receipt.fence >= now);
    } else if (const auto* take_over = as<verdict::TakeOver>(verdict)) {
        RC_ASSERT(take_over->receipt.fence > situation.found->fence);
        RC_ASSERT(take_over->receipt.fence >= now);
    }
}

void moves_its_answer_only_forward_as_time_goes_on(const Decider& decider) {
    auto situation = *gen::situation(gen::receipt(), Likeness::same);
    const auto later = *gen::instant_near(*situation.found, situation.policy);
    const auto first = std::min(situation.now, later);
    const auto second = std::max(situation.now, later);
    situation.now = first;
    const int before = progress(judged(decider, situation));
    situation.now = second;
    RC_ASSERT(before <= progress(judged(decider, situation)));
}

void writes_only_to_the_scope_that_was_asked_for(const Decider& decider) {
    const auto situation = *gen::situation();
    const auto verdict = judged(decider, situation);
    if (const auto* create = as<verdict::Create>(verdict))
        RC_ASSERT(create->receipt.scope == situation.request.scope);
    if (const auto* take_over = as<verdict::TakeOver>(verdict))
        RC_ASSERT(take_over->receipt.scope == situation.request.scope);
    if (const auto* unknown = as<verdict::Unknown>(verdict); unknown != nullptr && unknown->write) {
        RC_ASSERT(unknown->write->receipt.scope == situation.request.scope);
    }
}

void names_the_fields_that_differ_where_both_sides_kept_them(const Decider& decider) {
    const auto situation = remembered(gen::receipt(), Likeness::other);
    const auto verdict = judged(decider, situation);
    const auto* conflict = as<verdict::Conflict>(verdict);
    RC_ASSERT((conflict != nullptr));
    const auto& asked = situation.request.fields;
    const auto& kept = situation.found->fields;
    const bool same_scheme =
        situation.request.fingerprint.scheme == situation.found->fingerprint.scheme;
    RC_ASSERT(conflict->differs.has_value() == (asked && kept && same_scheme));
    if (!conflict->differs) return;
    RC_CLASSIFY(!conflict->differs->empty(), "some differ");
    for (const auto& pointer : {"/actor", "/body/amount", "/body/to"}) {
        const auto value_in = [&](const FieldDigests& digests) {
            const auto found =
                std::find_if(digests.fields.begin(), digests.fields.end(),
                             [&](const FieldDigest& field) { return field.pointer == pointer; });
            return found == digests.fields.end() ? std::optional<FieldDigest>{}
                                                 : std::optional{*found};
        };
        const bool named = std::find(conflict->differs->begin(), conflict->differs->end(),
                                     pointer) != conflict->differs->end();
        RC_ASSERT(named == (value_in(*asked) != value_in(*kept)));
    }
}

void expires_a_key_that_is_older_than_memory_where_asked(const Decider& decider) {
    const auto born_ms = *rc::gen::inRange<std::int64_t>(0, 4);
    auto request = *gen::request();
    request.scope.key = gen::key_born_at(born_ms);
    const auto policy =
        gen::with_old_keys(*gen::policy(), *rc::gen::element(OldKeys::create, OldKeys::refuse));
    const auto end = Instant{std::chrono::milliseconds{born_ms}} + policy->tombstone_window;
    const auto now = end + Span{*rc::gen::element<std::int64_t>(-1'000, -1, 0, 1, 1'000)};
    const auto verdict = decider.judge(request, std::nullopt, now, policy);
    const auto* expired = as<verdict::Expired>(verdict);
    const bool too_old = policy->old_keys == OldKeys::refuse && now >= end;
    RC_CLASSIFY(too_old, "too old");
    RC_ASSERT((expired != nullptr) == too_old);
    if (expired == nullptr) return;
    const auto* maybe = std::get_if<verdict::MaybeSeen>(&expired->seen);
    RC_ASSERT((maybe != nullptr));
    RC_ASSERT(maybe->born == Instant{std::chrono::milliseconds{born_ms}});
}

}  // namespace

std::vector<Law> judge_laws() {
    return {
        {"says_the_same_when_asked_again", says_the_same_when_asked_again},
        {"refuses_another_request_whatever_the_state_and_the_time",
         refuses_another_request_whatever_the_state_and_the_time},
        {"says_incomparable_of_a_scheme_it_cannot_compute",
         says_incomparable_of_a_scheme_it_cannot_compute},
        {"never_calls_an_equal_request_a_conflict", never_calls_an_equal_request_a_conflict},
        {"replays_the_stored_answer_inside_the_window_and_only_there",
         replays_the_stored_answer_inside_the_window_and_only_there},
        {"expires_what_ended_until_it_is_forgotten", expires_what_ended_until_it_is_forgotten},
        {"creates_where_nothing_is_found", creates_where_nothing_is_found},
        {"takes_what_is_forgotten_for_nothing_and_no_sooner",
         takes_what_is_forgotten_for_nothing_and_no_sooner},
        {"never_forgets_what_is_live_unknown_or_on_hold",
         never_forgets_what_is_live_unknown_or_on_hold},
        {"keeps_others_out_until_the_lease_and_the_skew_are_over",
         keeps_others_out_until_the_lease_and_the_skew_are_over},
        {"takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         takes_over_a_lapsed_claim_as_often_as_the_policy_allows},
        {"calls_a_lapsed_claim_that_nobody_may_take_unknown",
         calls_a_lapsed_claim_that_nobody_may_take_unknown},
        {"leaves_the_unknown_unknown_for_ever", leaves_the_unknown_unknown_for_ever},
        {"raises_the_fence_whenever_the_scope_changes_hands",
         raises_the_fence_whenever_the_scope_changes_hands},
        {"moves_its_answer_only_forward_as_time_goes_on",
         moves_its_answer_only_forward_as_time_goes_on},
        {"writes_only_to_the_scope_that_was_asked_for",
         writes_only_to_the_scope_that_was_asked_for},
        {"names_the_fields_that_differ_where_both_sides_kept_them",
         names_the_fields_that_differ_where_both_sides_kept_them},
        {"expires_a_key_that_is_older_than_memory_where_asked",
         expires_a_key_that_is_older_than_memory_where_asked},
    };
}

}  // namespace counterfoil
