#include "laws/mutants.hpp"

#include <algorithm>
#include <limits>
#include <ostream>
#include <utility>

#include <counterfoil/overloaded.hpp>

namespace counterfoil {

namespace {

using Judge = decltype(Decider::judge);
using Complete = decltype(Decider::complete);
using Sweep = decltype(Decider::sweep);

constexpr Span tick{1};

// The figures with one of them changed. They need not be valid any more: that is the point.
template <class Change>
Policy bent(const Policy& policy, const Change& change) {
    PolicyFigures figures = policy.figures();
    change(figures);
    auto valid =
        validate(std::move(figures), {.client_retry_window = Span{0}, .handler_budget = Span{0}});
    return valid ? *std::move(valid) : policy;
}

Decider judging(Judge judge) {
    Decider decider = sound();
    decider.judge = std::move(judge);
    return decider;
}

Decider completing(Complete complete) {
    Decider decider = sound();
    decider.complete = std::move(complete);
    return decider;
}

Decider sweeping(Sweep sweep) {
    Decider decider = sound();
    decider.sweep = std::move(sweep);
    return decider;
}

// A request made equal to whatever is found.
Request equal_to(Request request, const std::optional<Receipt>& found) {
    if (found) request.fingerprint = found->fingerprint;
    return request;
}

// The judge's verdict, touched up afterwards.
template <class Which, class Change>
Decider judging_then(Change change) {
    return judging([change](const Request& request, std::optional<Receipt> found, Instant now,
                            const Policy& policy) {
        auto verdict = judge(request, found, now, policy);
        if (auto* which = std::get_if<Which>(&verdict)) change(*which, found, now, policy);
        return verdict;
    });
}

template <class State, class Change>
Decider judging_state(Change change) {
    return judging([change](const Request& request, std::optional<Receipt> found, Instant now,
                            const Policy& policy) {
        if (found) {
            if (auto* state = std::get_if<State>(&found->state))
                change(*state, *found, now, policy);
        }
        return judge(request, std::move(found), now, policy);
    });
}

std::vector<Mutant> broken_judges() {
    return {
        {"no fingerprint compare", "refuses_another_request_whatever_the_state_and_the_time",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             return judge(equal_to(request, found), found, now, policy);
         })},
        {"fingerprint compared after the state",
         "refuses_another_request_whatever_the_state_and_the_time",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             const bool running = found && std::holds_alternative<state::InProgress>(found->state);
             return judge(running ? equal_to(request, found) : request, found, now, policy);
         })},
        {"fingerprint compared only while the answer is replayed",
         "refuses_another_request_whatever_the_state_and_the_time",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             const bool stub = found && std::holds_alternative<state::Tombstone>(found->state);
             return judge(stub ? equal_to(request, found) : request, found, now, policy);
         })},
        {"scheme ignored, digests compared across schemes",
         "says_incomparable_of_a_scheme_it_cannot_compute",
         judging(
             [](Request request, std::optional<Receipt> found, Instant now, const Policy& policy) {
                 if (found && request.others.empty())
                     request.fingerprint.scheme = found->fingerprint.scheme;
                 return judge(request, found, now, policy);
             })},
        {"incomparable taken for a conflict", "says_incomparable_of_a_scheme_it_cannot_compute",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) -> Verdict {
             auto verdict = judge(request, found, now, policy);
             if (auto* which = std::get_if<verdict::Incomparable>(&verdict))
                 return verdict::Conflict{which->first_seen, std::nullopt, which->why};
             return verdict;
         })},
        {"only the present scheme's fingerprint compared",
         "never_calls_an_equal_request_a_conflict",
         judging(
             [](Request request, std::optional<Receipt> found, Instant now, const Policy& policy) {
                 request.others.clear();
                 return judge(request, found, now, policy);
             })},
        {"<= for < at the end of the replay window",
         "replays_the_stored_answer_inside_the_window_and_only_there",
         judging_state<state::Completed>(
             [](state::Completed& state, Receipt&, Instant now, const Policy&) {
                 if (state.replay_until == now) state.replay_until = now + tick;
             })},
        {"replay past its window", "replays_the_stored_answer_inside_the_window_and_only_there",
         judging_state<state::Completed>(
             [](state::Completed& state, Receipt&, Instant, const Policy&) {
                 state.replay_until = state.forget_at;
             })},
        {"replay with another status", "replays_the_stored_answer_inside_the_window_and_only_there",
         judging_then<verdict::Replay>(
             [](verdict::Replay& replay, const auto&...) { replay.answer.status = 200; })},
        {"tombstone answers create", "expires_what_ended_until_it_is_forgotten",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             if (found && std::holds_alternative<state::Tombstone>(found->state)) found.reset();
             return judge(request, found, now, policy);
         })},
        {"completed answers create once its window is over",
         "expires_what_ended_until_it_is_forgotten",
         judging_state<state::Completed>(
             [](state::Completed& state, Receipt&, Instant, const Policy&) {
                 state.forget_at = state.replay_until;
             })},
        {"forgotten a tick too soon", "takes_what_is_forgotten_for_nothing_and_no_sooner",
         judging_state<state::Tombstone>(
             [](state::Tombstone& state, Receipt&, Instant, const Policy&) {
                 state.forget_at = state.forget_at - tick;
             })},
        {"< for <= where it is forgotten", "takes_what_is_forgotten_for_nothing_and_no_sooner",
         judging_state<state::Tombstone>(
             [](state::Tombstone& state, Receipt&, Instant, const Policy&) {
                 state.forget_at = state.forget_at + tick;
             })},
        {"fence not raised over what is forgotten",
         "takes_what_is_forgotten_for_nothing_and_no_sooner",
         judging_then<verdict::Create>(
             [](verdict::Create& create, const auto& found, Instant, const Policy&) {
                 if (found) create.receipt.fence = found->fence;
             })},
        {"a hold does not hold", "never_forgets_what_is_live_unknown_or_on_hold",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             if (found) found->hold.reset();
             return judge(request, found, now, policy);
         })},
        {"< for <= at the end of the lease",
         "keeps_others_out_until_the_lease_and_the_skew_are_over",
         judging_state<state::InProgress>(
             [](state::InProgress& state, Receipt&, Instant, const Policy&) {
                 state.lease_end = state.lease_end + tick;
             })},
        {"skew ignored", "keeps_others_out_until_the_lease_and_the_skew_are_over",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             return judge(request, found, now, bent(policy, [](PolicyFigures& figures) {
                              figures.max_skew = Span::zero();
                          }));
         })},
        {"retry after beyond the lease", "keeps_others_out_until_the_lease_and_the_skew_are_over",
         judging_then<verdict::InProgress>(
             [](verdict::InProgress& running, const auto&, Instant now, const Policy& policy) {
                 running.retry_after = (running.lease_end + policy->max_skew) - now;
             })},
        {"a claim without end taken for lapsed",
         "keeps_others_out_until_the_lease_and_the_skew_are_over",
         judging_state<state::InProgress>(
             [](state::InProgress& state, Receipt&, Instant now, const Policy&) {
                 if (state.lease_end >= Instant::max() - tick) state.lease_end = now - Span{1'000};
             })},
        {"attempts not counted", "takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         judging_then<verdict::TakeOver>(
             [](verdict::TakeOver& take_over, const auto&...) { take_over.receipt.attempt -= 1; })},
        {"attempts not limited", "takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             return judge(request, found, now, bent(policy, [](PolicyFigures& figures) {
                              figures.max_attempts = 1'000;
                          }));
         })},
        {"one attempt too many", "takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             return judge(request, found, now,
                          bent(policy, [](PolicyFigures& figures) { figures.max_attempts += 1; }));
         })},
        {"takes over where the policy says unknown",
         "takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             return judge(request, found, now, bent(policy, [](PolicyFigures& figures) {
                              figures.on_lapse = OnLapse::take_over;
                          }));
         })},
        {"takeover forgets the checkpoint",
         "takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         judging_then<verdict::TakeOver>([](verdict::TakeOver& take_over, const auto&...) {
             std::get<state::InProgress>(take_over.receipt.state).checkpoint.reset();
         })},
        {"takeover is born anew", "takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         judging_then<verdict::TakeOver>(
             [](verdict::TakeOver& take_over, const auto&, Instant now, const Policy&) {
                 take_over.receipt.created_at = now;
             })},
        {"takeover keeps the lapsed lease",
         "takes_over_a_lapsed_claim_as_often_as_the_policy_allows",
         judging_then<verdict::TakeOver>(
             [](verdict::TakeOver& take_over, const auto& found, Instant, const Policy&) {
                 take_over.receipt.state = found->state;
             })},
        {"fence not raised by a takeover", "raises_the_fence_whenever_the_scope_changes_hands",
         judging_then<verdict::TakeOver>(
             [](verdict::TakeOver& take_over, const auto& found, Instant, const Policy&) {
                 take_over.receipt.fence = found->fence;
             })},
        {"fence raised by one, whatever the time",
         "raises_the_fence_whenever_the_scope_changes_hands",
         judging_then<verdict::TakeOver>(
             [](verdict::TakeOver& take_over, const auto& found, Instant, const Policy&) {
                 take_over.receipt.fence = Fence{found->fence.number + 1};
             })},
        {"unknown since the time it is asked", "calls_a_lapsed_claim_that_nobody_may_take_unknown",
         judging_then<verdict::Unknown>([](verdict::Unknown& unknown, const auto&, Instant now,
                                           const Policy&) { unknown.since = now; })},
        {"unknown is not written down", "calls_a_lapsed_claim_that_nobody_may_take_unknown",
         judging_then<verdict::Unknown>(
             [](verdict::Unknown& unknown, const auto&...) { unknown.write.reset(); })},
        {"unknown answers take_over", "leaves_the_unknown_unknown_for_ever",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             if (found) {
                 if (const auto* unknown = std::get_if<state::Unknown>(&found->state))
                     found->state = state::InProgress{unknown->since, unknown->checkpoint};
             }
             return judge(request, found, now, policy);
         })},
        {"tenant left out of the scope that is written",
         "writes_only_to_the_scope_that_was_asked_for",
         judging_then<verdict::Create>([](verdict::Create& create, const auto&...) {
             create.receipt.scope.tenant = parse_tenant("everybody").value();
         })},
        {"a new receipt without its fingerprint", "creates_where_nothing_is_found",
         judging_then<verdict::Create>([](verdict::Create& create, const auto&...) {
             create.receipt.fingerprint.digest = Digest{};
         })},
        {"a lease from the beginning of time", "creates_where_nothing_is_found",
         judging_then<verdict::Create>(
             [](verdict::Create& create, const auto&, Instant, const Policy& policy) {
                 create.receipt.state = state::InProgress{Instant{} + policy->lease, std::nullopt};
             })},
        {"a conflict names a field that is equal",
         "names_the_fields_that_differ_where_both_sides_kept_them",
         judging_then<verdict::Conflict>([](verdict::Conflict& conflict, const auto&...) {
             if (conflict.differs) conflict.differs->emplace_back("/actor");
         })},
        {"fields compared across schemes",
         "names_the_fields_that_differ_where_both_sides_kept_them",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             auto verdict = judge(request, found, now, policy);
             auto* conflict = std::get_if<verdict::Conflict>(&verdict);
             if (conflict != nullptr && request.fields && found->fields)
                 conflict->differs = differing_fields(*request.fields, *found->fields);
             return verdict;
         })},
        {"old keys always refused", "expires_a_key_that_is_older_than_memory_where_asked",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             return judge(request, found, now, bent(policy, [](PolicyFigures& figures) {
                              figures.old_keys = OldKeys::refuse;
                          }));
         })},
        {"< for <= where memory ends", "expires_a_key_that_is_older_than_memory_where_asked",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) { return judge(request, found, now - tick, policy); })},
        {"a lapsed lease in force again once the clock has gone on",
         "moves_its_answer_only_forward_as_time_goes_on",
         judging([](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) {
             // As where a 64-bit sum wraps: far enough on, the time is taken for long ago.
             return judge(request, found, now >= Instant{Span{20}} ? Instant{Span{-1'000}} : now,
                          policy);
         })},
        {"another answer each time it is asked", "says_the_same_when_asked_again",
         judging([asked = std::make_shared<int>(0)](const Request& request,
                                                    std::optional<Receipt> found, Instant now,
                                                    const Policy& policy) {
             return judge(request, found, now + Span{++*asked % 2}, policy);
         })},
    };
}

std::vector<Mutant> broken_settlers() {
    Decider renews_backwards = sound();
    renews_backwards.renew = [](const std::optional<Receipt>& found, const Permit& permit,
                                Instant now, const Policy& policy) {
        auto renewal = renew(found, permit, now, policy);
        if (auto* renewed = std::get_if<settled::Renewed>(&renewal))
            std::get<state::InProgress>(renewed->write.receipt.state).lease_end =
                now + policy->lease;
        return renewal;
    };
    Decider renewal_drops_the_checkpoint = sound();
    renewal_drops_the_checkpoint.renew = [](const std::optional<Receipt>& found,
                                            const Permit& permit, Instant now,
                                            const Policy& policy) {
        auto renewal = renew(found, permit, now, policy);
        if (auto* renewed = std::get_if<settled::Renewed>(&renewal))
            std::get<state::InProgress>(renewed->write.receipt.state).checkpoint.reset();
        return renewal;
    };
    Decider checkpoint_ends_the_lease = sound();
    checkpoint_ends_the_lease.checkpoint = [](const std::optional<Receipt>& found,
                                              const Permit& permit, Checkpoint reached,
                                              Instant now) {
        auto result = checkpoint(found, permit, std::move(reached), now);
        if (auto* done = std::get_if<settled::Checkpointed>(&result)) {
            if (auto* held = std::get_if<state::InProgress>(&done->write.receipt.state))
                held->lease_end = now;
        }
        return result;
    };
    Decider releases_whatever_the_fence = sound();
    releases_whatever_the_fence.release = [](const std::optional<Receipt>& found,
                                             const Permit& permit) {
        return release(found, found ? Permit{permit.scope, found->fence} : permit);
    };
    Decider release_expects_no_fence = sound();
    release_expects_no_fence.release = [](const std::optional<Receipt>& found,
                                          const Permit& permit) {
        auto result = release(found, permit);
        if (auto* released = std::get_if<settled::Released>(&result))
            released->write.expected = Fence{};
        return result;
    };
    Decider marks_again_and_again = sound();
    marks_again_and_again.mark_unknown = [](const std::optional<Receipt>& found,
                                            const Permit& permit, Instant now) {
        auto result = mark_unknown(found, permit, now);
        if (auto* marked = std::get_if<settled::Uncertain>(&result))
            std::get<state::Unknown>(marked->write.receipt.state).since = now;
        return result;
    };
    Decider abandons_in_silence = sound();
    abandons_in_silence.abandon = [](const std::optional<Receipt>& found, const Permit& permit,
                                     Effect, Instant now, const Policy& policy) {
        return abandon(found, permit, Effect::not_begun, now, policy);
    };
    Decider abandons_in_doubt = sound();
    abandons_in_doubt.abandon = [](const std::optional<Receipt>& found, const Permit& permit,
                                   Effect, Instant now, const Policy& policy) {
        return abandon(found, permit, Effect::may_have_begun, now, policy);
    };
    Decider abandons_a_takeover_as_a_first = sound();
    abandons_a_takeover_as_a_first.abandon = [](std::optional<Receipt> found, const Permit& permit,
                                                Effect effect, Instant now, const Policy& policy) {
        auto of_a_first = found;
        if (of_a_first) of_a_first->attempt = 1;
        auto result = abandon(of_a_first, permit, effect, now, policy);
        if (std::holds_alternative<settled::Released>(result)) return result;
        return abandon(found, permit, effect, now, policy);
    };
    Decider resolves_the_living = sound();
    resolves_the_living.resolve = [](const std::optional<Receipt>& found, const Permit& permit,
                                     Resolution resolution, Instant, const Policy& policy) {
        return resolve(found, permit, std::move(resolution), Instant::max(), policy);
    };
    Decider resolves_for_nobody = sound();
    resolves_for_nobody.resolve = [](const std::optional<Receipt>& found, const Permit& permit,
                                     Resolution resolution, Instant now, const Policy& policy) {
        if (resolution.by.empty()) resolution.by = "nobody";
        if (resolution.evidence.empty()) resolution.evidence = "none";
        return resolve(found, permit, std::move(resolution), now, policy);
    };
    Decider audit_row_keeps_the_secret = sound();
    audit_row_keeps_the_secret.resolve = [](const std::optional<Receipt>& found,
                                            const Permit& permit, Resolution resolution,
                                            Instant now, const Policy& policy) {
        auto result = resolve(found, permit, resolution, now, policy);
        if (auto* applied = std::get_if<settled::ResolvedApplied>(&result))
            applied->record.ruling = resolution.ruling;
        return result;
    };

    return {
        {"fence not checked", "refuses_every_transition_under_another_fence",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             return complete(found, found ? Permit{permit.scope, found->fence} : permit,
                             std::move(outcome), now, policy);
         })},
        {"an older fence is refused, a newer one is not",
         "refuses_every_transition_under_another_fence",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             const bool newer = found && permit.fence > found->fence;
             return complete(found, newer ? Permit{permit.scope, found->fence} : permit,
                             std::move(outcome), now, policy);
         })},
        {"release without the fence", "refuses_every_transition_under_another_fence",
         releases_whatever_the_fence},
        {"the late answer of an overtaken worker is taken",
         "refuses_the_late_answer_of_whoever_was_overtaken",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             const bool older = found && permit.fence < found->fence;
             return complete(found, older ? Permit{permit.scope, found->fence} : permit,
                             std::move(outcome), now, policy);
         })},
        {"tenant left out of the permit", "says_lost_where_nothing_of_the_scope_is_found",
         completing([](const std::optional<Receipt>& found, Permit permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             if (found) permit.scope = found->scope;
             return complete(found, permit, std::move(outcome), now, policy);
         })},
        {"a second complete overwrites the first",
         "answers_what_is_completed_already_with_what_is_stored",
         completing([](std::optional<Receipt> found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             if (found && std::holds_alternative<state::Completed>(found->state))
                 found->state = state::InProgress{now, std::nullopt};
             return complete(found, permit, std::move(outcome), now, policy);
         })},
        {"windows from the creation, not from completion",
         "completes_with_the_stored_form_and_the_windows_of_the_policy",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             auto completion = complete(found, permit, std::move(outcome), now, policy);
             if (auto* done = std::get_if<settled::Completed>(&completion)) {
                 std::get<state::Completed>(done->write.receipt.state).replay_until =
                     found->created_at + policy->replay_window;
             }
             return completion;
         })},
        {"complete drops the fingerprint",
         "completes_with_the_stored_form_and_the_windows_of_the_policy",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             auto completion = complete(found, permit, std::move(outcome), now, policy);
             if (auto* done = std::get_if<settled::Completed>(&completion))
                 done->write.receipt.fingerprint = Fingerprint{};
             return completion;
         })},
        {"a lapsed lease may not complete", "tells_whether_the_lease_still_ran",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) -> Completion {
             auto completion = complete(found, permit, std::move(outcome), now, policy);
             const auto* done = std::get_if<settled::Completed>(&completion);
             if (done != nullptr && done->timeliness == Timeliness::late) return refusal::Lost{};
             return completion;
         })},
        {"released answer kept", "lets_the_outcome_or_else_the_table_say_what_an_answer_does",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             if (outcome.answer.status == 404) outcome.disposition = Disposition::keep;
             return complete(found, permit, std::move(outcome), now, policy);
         })},
        {"the embedder's word on an answer ignored",
         "lets_the_outcome_or_else_the_table_say_what_an_answer_does",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             outcome.disposition.reset();
             return complete(found, permit, std::move(outcome), now, policy);
         })},
        {"a takeover's answer frees the key as a first attempt's does",
         "lets_the_outcome_or_else_the_table_say_what_an_answer_does",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             if (!outcome.disposition &&
                 policy->answers.of(outcome.answer.status, outcome.effect) == Disposition::release)
                 outcome.disposition = Disposition::release;
             return complete(found, permit, std::move(outcome), now, policy);
         })},
        {"an unknown outcome released as if nothing had happened",
         "lets_the_outcome_or_else_the_table_say_what_an_answer_does",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             outcome.effect = Effect::not_begun;
             return complete(found, permit, std::move(outcome), now, policy);
         })},
        {"body kept when secret", "never_keeps_the_body_of_a_secret_answer",
         completing([](const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             outcome.exposure = Exposure::ordinary;
             return complete(found, permit, std::move(outcome), now, policy);
         })},
        {"the audit row keeps the secret", "never_keeps_the_body_of_a_secret_answer",
         audit_row_keeps_the_secret},
        {"a completed answer comes back with a new window each time",
         "a_completed_answer_is_replayed_until_its_window_is_over",
         completing([](std::optional<Receipt> found, const Permit& permit, Outcome outcome,
                       Instant now, const Policy& policy) {
             auto completion = complete(found, permit, std::move(outcome), now, policy);
             if (auto* done = std::get_if<settled::Completed>(&completion)) {
                 auto& state = std::get<state::Completed>(done->write.receipt.state);
                 state.replay_until = state.forget_at;
             }
             return completion;
         })},
        {"a renewal shortens the lease", "renews_from_now_on_and_never_backwards",
         renews_backwards},
        {"a renewal drops the checkpoint", "renews_from_now_on_and_never_backwards",
         renewal_drops_the_checkpoint},
        {"a checkpoint ends the lease", "notes_a_checkpoint_and_touches_nothing_else",
         checkpoint_ends_the_lease},
        {"a release erases whatever is there", "frees_the_key_on_release",
         release_expects_no_fence},
        {"an abandoned claim is released whatever may have begun",
         "abandons_as_the_table_says_of_a_500_and_keeps_nothing", abandons_in_silence},
        {"an abandoned claim is unknown though nothing had begun",
         "abandons_as_the_table_says_of_a_500_and_keeps_nothing", abandons_in_doubt},
        {"an abandoned takeover frees the key as a first attempt does",
         "abandons_as_the_table_says_of_a_500_and_keeps_nothing", abandons_a_takeover_as_a_first},
        {"marked unknown anew each time", "marks_unknown_once_and_keeps_what_was_reached",
         marks_again_and_again},
        {"resolves what is still held", "resolves_only_what_nobody_holds", resolves_the_living},
        {"resolves without a name", "resolves_nothing_without_a_name_and_a_ground",
         resolves_for_nobody},
    };
}

std::vector<Mutant> broken_sweepers() {
    const auto with_state = [](auto change) {
        return [change](Receipt receipt, Instant now, const Policy& policy) {
            change(receipt, policy);
            return sweep(receipt, now, policy);
        };
    };
    return {
        {"purge ignores live", "never_purges_what_is_live_unknown_or_on_hold",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) -> Retention {
             const auto* held = std::get_if<state::InProgress>(&receipt.state);
             const auto end =
                 held != nullptr ? held->lease_end + policy->tombstone_window : Instant::max();
             if (held != nullptr && now >= end)
                 return retention::Purge{Erase{receipt.scope, receipt.fence}, end};
             return sweep(receipt, now, policy);
         })},
        {"purge ignores unknown", "never_purges_what_is_live_unknown_or_on_hold",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) -> Retention {
             const auto* unknown = std::get_if<state::Unknown>(&receipt.state);
             if (unknown != nullptr && now > unknown->since)
                 return retention::Purge{Erase{receipt.scope, receipt.fence}, unknown->since};
             return sweep(receipt, now, policy);
         })},
        {"purge ignores holds", "never_purges_what_is_live_unknown_or_on_hold",
         sweeping(with_state([](Receipt& receipt, const Policy&) { receipt.hold.reset(); }))},
        {"purged when the answer is dropped", "purges_what_ended_from_the_promised_instant_on",
         sweeping(with_state([](Receipt& receipt, const Policy&) {
             if (auto* completed = std::get_if<state::Completed>(&receipt.state))
                 completed->forget_at = completed->replay_until;
         }))},
        {"purge expects no fence", "purges_what_ended_from_the_promised_instant_on",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) {
             auto retention = sweep(receipt, now, policy);
             if (auto* purge = std::get_if<retention::Purge>(&retention))
                 purge->write.expected = Fence{};
             return retention;
         })},
        {"the answer dropped a tick too soon",
         "drops_the_answer_between_the_two_windows_and_keeps_the_stub",
         sweeping(with_state([](Receipt& receipt, const Policy&) {
             if (auto* completed = std::get_if<state::Completed>(&receipt.state))
                 completed->replay_until = completed->replay_until - tick;
         }))},
        {"a tombstone says that all went well",
         "drops_the_answer_between_the_two_windows_and_keeps_the_stub",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) {
             auto retention = sweep(receipt, now, policy);
             if (auto* made = std::get_if<retention::MakeTombstone>(&retention))
                 std::get<state::Tombstone>(made->write.receipt.state).ended.status = 200;
             return retention;
         })},
        {"abandoned as soon as the lease is over", "marks_unknown_what_lapsed_and_was_abandoned",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) {
             return sweep(receipt, now, bent(policy, [](PolicyFigures& figures) {
                              figures.abandon_after = Span::zero();
                          }));
         })},
        {"looks again a tick late", "says_when_its_answer_changes_and_not_a_tick_off",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) {
             auto retention = sweep(receipt, now, policy);
             if (auto* keep = std::get_if<retention::Keep>(&retention);
                 keep != nullptr && keep->look_again)
                 keep->look_again = *keep->look_again + tick;
             return retention;
         })},
        {"looks again at the end of all windows only",
         "says_when_its_answer_changes_and_not_a_tick_off",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) {
             auto retention = sweep(receipt, now, policy);
             const auto* completed = std::get_if<state::Completed>(&receipt.state);
             if (auto* keep = std::get_if<retention::Keep>(&retention);
                 keep != nullptr && completed != nullptr && keep->look_again)
                 keep->look_again = completed->forget_at;
             return retention;
         })},
        {"the present policy's windows instead of the promised ones",
         "keeps_the_windows_that_were_promised_whatever_the_policy_says_now",
         sweeping(with_state([](Receipt& receipt, const Policy& policy) {
             if (auto* completed = std::get_if<state::Completed>(&receipt.state))
                 completed->replay_until = completed->completed_at + policy->replay_window;
         }))},
        {"forgets, and remembers again", "only_forgets_more_as_time_goes_on",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) {
             return sweep(receipt, now >= Instant{Span{20}} ? Instant{Span{-1'000}} : now, policy);
         })},
        {"a tombstone of nobody's request", "changes_no_verdict_by_dropping_the_answer",
         sweeping([](const Receipt& receipt, Instant now, const Policy& policy) {
             auto retention = sweep(receipt, now, policy);
             if (auto* made = std::get_if<retention::MakeTombstone>(&retention))
                 made->write.receipt.fingerprint.digest.bytes.fill(0xff);
             return retention;
         })},
        {"purged before a create may follow", "purges_only_what_a_create_would_overwrite",
         sweeping(with_state([](Receipt& receipt, const Policy&) {
             if (auto* tombstone = std::get_if<state::Tombstone>(&receipt.state))
                 tombstone->forget_at = tombstone->since;
         }))},
    };
}

std::vector<Mutant> broken_values() {
    Decider fence_wraps = sound();
    fence_wraps.fence_after = [](std::optional<Fence> previous,
                                 Instant now) -> std::optional<Fence> {
        const auto next = fence_after(previous, now);
        return next ? next : std::optional{Fence{1}};
    };
    Decider fence_without_the_time = sound();
    fence_without_the_time.fence_after = [](std::optional<Fence> previous, Instant) {
        return fence_after(previous, Instant::min());
    };
    Decider fence_is_the_time = sound();
    fence_is_the_time.fence_after = [](std::optional<Fence> previous,
                                       Instant now) -> std::optional<Fence> {
        if (!fence_after(previous, now)) return std::nullopt;
        return Fence{now.time_since_epoch().count()};
    };
    Decider tenant_left_out = sound();
    tenant_left_out.downstream_key = [](Scope scope, Instant created_at, std::string_view step) {
        scope.tenant = parse_tenant("everybody").value();
        return downstream_key(scope, created_at, step);
    };
    Decider one_key_for_every_step = sound();
    one_key_for_every_step.downstream_key = [](const Scope& scope, Instant created_at,
                                               std::string_view) {
        return downstream_key(scope, created_at, "");
    };
    Decider new_key_for_nothing = sound();
    new_key_for_nothing.downstream_key = [](const Scope& scope, Instant, std::string_view step) {
        return downstream_key(scope, Instant{}, step);
    };
    Decider large_bodies_cut = sound();
    large_bodies_cut.stored_form = [](Answer answer, Exposure exposure,
                                      const AnswerLimits& limits) {
        if (auto* bytes = std::get_if<body::Bytes>(&answer.body))
            bytes->bytes.resize(std::min(bytes->bytes.size(), limits.max_body_bytes));
        return stored_form(std::move(answer), exposure, limits);
    };
    Decider credentials_kept = sound();
    credentials_kept.stored_form = [](const Answer& answer, Exposure exposure,
                                      const AnswerLimits& limits) {
        Answer stored = stored_form(answer, exposure, limits);
        stored.fields = answer.fields;
        return stored;
    };
    Decider location_lost = sound();
    location_lost.stored_form = [](Answer answer, Exposure exposure, const AnswerLimits& limits) {
        Answer stored = stored_form(std::move(answer), exposure, limits);
        stored.fields.clear();
        return stored;
    };
    Decider reference_lost_with_the_body = sound();
    reference_lost_with_the_body.stored_form = [](Answer answer, Exposure exposure,
                                                  const AnswerLimits& limits) {
        Answer stored = stored_form(std::move(answer), exposure, limits);
        if (std::holds_alternative<body::Omitted>(stored.body)) stored.reference.reset();
        return stored;
    };
    Decider doubts_released = sound();
    doubts_released.disposition = [](const Dispositions& table, int status, Effect) {
        return table.of(status, Effect::not_begun);
    };
    Decider refusals_kept = sound();
    refusals_kept.disposition = [](const Dispositions& table, int status, Effect effect) {
        return status == 422 ? Disposition::keep : table.of(status, effect);
    };

    const std::string fences = "a_fence_is_above_the_one_before_and_not_below_the_time";
    const std::string keys = "one_receipt_and_step_has_one_downstream_key_and_no_other_has_it";
    const std::string answers = "a_stored_answer_is_all_that_may_be_kept_and_says_what_is_missing";
    const std::string table = "the_default_table_keeps_releases_and_doubts_as_the_contract_says";
    return {
        {"a fence wraps", fences, fence_wraps},
        {"a fence leaves out the time", fences, fence_without_the_time},
        {"a fence is the time alone", fences, fence_is_the_time},
        {"tenant left out of the downstream key", keys, tenant_left_out},
        {"one downstream key for every step", keys, one_key_for_every_step},
        {"downstream key outlives the receipt", keys, new_key_for_nothing},
        {"a large body is cut", answers, large_bodies_cut},
        {"credentials kept", answers, credentials_kept},
        {"Location lost", answers, location_lost},
        {"the reference is lost with the body", answers, reference_lost_with_the_body},
        {"doubtful answers released", table, doubts_released},
        {"a refusal is kept", table, refusals_kept},
    };
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Mutant& mutant) {
    return out << mutant.name;
}

std::vector<Mutant> mutants() {
    std::vector<Mutant> all;
    for (auto family : {broken_judges(), broken_settlers(), broken_sweepers(), broken_values()}) {
        std::move(family.begin(), family.end(), std::back_inserter(all));
    }
    return all;
}

std::optional<Mutant> mutant_named(std::string_view name) {
    for (const Mutant& mutant : mutants()) {
        if (mutant.name == name) return mutant;
    }
    return std::nullopt;
}

}  // namespace counterfoil
