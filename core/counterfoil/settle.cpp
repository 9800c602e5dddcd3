#include "counterfoil/settle.hpp"

#include <algorithm>
#include <utility>

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

namespace {

constexpr int status_without_answer = 500;

// Whatever variant a transition returns, these three are in it.
template <class Transition>
Transition refused(Refusal refusal) {
    return std::visit([](auto&& why) { return Transition{std::forward<decltype(why)>(why)}; },
                      std::move(refusal));
}

// The receipt as it is, with another state, under the same fence.
Replace moved_to(const Receipt& found, State state) {
    Receipt receipt = found;
    receipt.state = std::move(state);
    return {std::move(receipt), found.fence};
}

State completed_at(Instant now, Answer answer, Exposure exposure, const PolicyFigures& figures) {
    return state::Completed{stored_form(std::move(answer), exposure, figures.answer_limits), now,
                            now + figures.replay_window, now + figures.tombstone_window};
}

std::optional<Checkpoint> checkpoint_of(const State& state) {
    if (const auto* held = std::get_if<state::InProgress>(&state)) return held->checkpoint;
    if (const auto* unknown = std::get_if<state::Unknown>(&state)) return unknown->checkpoint;
    return std::nullopt;
}

Timeliness timeliness(const State& state, Instant now) {
    const auto* held = std::get_if<state::InProgress>(&state);
    return held != nullptr && now < held->lease_end ? Timeliness::in_time : Timeliness::late;
}

Replace marked_unknown(const Receipt& found, Instant now) {
    if (std::holds_alternative<state::Unknown>(found.state)) return {found, found.fence};
    return moved_to(found, state::Unknown{now, UnknownCause::marked, checkpoint_of(found.state)});
}

// What the table says of a status. Whoever held a receipt before may have acted under its
// downstream key, whatever this attempt has seen.
Disposition by_the_table(const Receipt& found, int status, Effect effect, const Policy& policy) {
    const Disposition told = policy->answers.of(status, effect);
    const bool frees_too_much = told == Disposition::release && found.attempt > 1;
    return frees_too_much ? Disposition::unknown : told;
}

}  // namespace

// The order is the one that settle.hpp states.
std::optional<Refusal> refusal_of(const std::optional<Receipt>& found, const Permit& permit) {
    if (!found || found->scope != permit.scope) return refusal::Lost{};
    if (found->fence != permit.fence) return refusal::Fenced{found->fence};
    if (const auto* completed = std::get_if<state::Completed>(&found->state)) {
        return refusal::AlreadyCompleted{ending_of(*completed), completed->answer};
    }
    if (const auto* tombstone = std::get_if<state::Tombstone>(&found->state)) {
        return refusal::AlreadyCompleted{tombstone->ended, std::nullopt};
    }
    return std::nullopt;
}

Completion complete(const std::optional<Receipt>& found, const Permit& permit, Outcome outcome,
                    Instant now, const Policy& policy) {
    if (auto refusal = refusal_of(found, permit)) return refused<Completion>(*std::move(refusal));

    const Disposition disposition = outcome.disposition.value_or(
        by_the_table(*found, outcome.answer.status, outcome.effect, policy));
    switch (disposition) {
        case Disposition::keep:
            return settled::Completed{
                moved_to(*found, completed_at(now, std::move(outcome.answer), outcome.exposure,
                                              policy.figures())),
                timeliness(found->state, now)};
        case Disposition::release: return settled::Released{Erase{found->scope, found->fence}};
        case Disposition::unknown: break;
    }
    return settled::Uncertain{marked_unknown(*found, now)};
}

Renewal renew(const std::optional<Receipt>& found, const Permit& permit, Instant now,
              const Policy& policy) {
    if (auto refusal = refusal_of(found, permit)) return refused<Renewal>(*std::move(refusal));

    Instant lease_end = now + policy->lease;
    // A clock that was set back must not shorten what was granted.
    if (const auto* held = std::get_if<state::InProgress>(&found->state))
        lease_end = std::max(lease_end, held->lease_end);
    return settled::Renewed{
        moved_to(*found, state::InProgress{lease_end, checkpoint_of(found->state)}),
        timeliness(found->state, now)};
}

Checkpointing checkpoint(const std::optional<Receipt>& found, const Permit& permit,
                         Checkpoint reached, Instant now) {
    if (auto refusal = refusal_of(found, permit))
        return refused<Checkpointing>(*std::move(refusal));

    Replace write{*found, found->fence};
    if (auto* held = std::get_if<state::InProgress>(&write.receipt.state)) {
        held->checkpoint = std::move(reached);
    } else if (auto* unknown = std::get_if<state::Unknown>(&write.receipt.state)) {
        unknown->checkpoint = std::move(reached);
    }
    return settled::Checkpointed{std::move(write), timeliness(found->state, now)};
}

Release release(const std::optional<Receipt>& found, const Permit& permit) {
    if (auto refusal = refusal_of(found, permit)) return refused<Release>(*std::move(refusal));
    return settled::Released{Erase{found->scope, found->fence}};
}

Marking mark_unknown(const std::optional<Receipt>& found, const Permit& permit, Instant now) {
    if (auto refusal = refusal_of(found, permit)) return refused<Marking>(*std::move(refusal));
    return settled::Uncertain{marked_unknown(*found, now)};
}

Abandonment abandon(const std::optional<Receipt>& found, const Permit& permit, Effect effect,
                    Instant now, const Policy& policy) {
    if (auto refusal = refusal_of(found, permit)) return refused<Abandonment>(*std::move(refusal));
    if (by_the_table(*found, status_without_answer, effect, policy) == Disposition::release)
        return settled::Released{Erase{found->scope, found->fence}};
    return settled::Uncertain{marked_unknown(*found, now)};
}

Resolving resolve(const std::optional<Receipt>& found, const Permit& permit, Resolution resolution,
                  Instant now, const Policy& policy) {
    if (resolution.by.empty() || resolution.evidence.empty()) return refusal::Unattributed{};
    if (auto refusal = refusal_of(found, permit)) return refused<Resolving>(*std::move(refusal));
    if (const auto* held = std::get_if<state::InProgress>(&found->state)) {
        const Instant free_at = held->lease_end + policy->max_skew;
        if (now < free_at) return refusal::StillHeld{free_at};
    }

    ResolutionRecord record{found->scope,
                            found->fence,
                            now,
                            found->state,
                            ruling::NotApplied{},
                            std::move(resolution.by),
                            std::move(resolution.evidence)};
    if (auto* applied = std::get_if<ruling::Applied>(&resolution.ruling)) {
        const State completed =
            completed_at(now, std::move(applied->answer), applied->exposure, policy.figures());
        // The audit row holds no more of the answer than the receipt does.
        record.ruling =
            ruling::Applied{std::get<state::Completed>(completed).answer, applied->exposure};
        return settled::ResolvedApplied{moved_to(*found, completed), std::move(record)};
    }
    return settled::ResolvedNotApplied{Erase{found->scope, found->fence}, std::move(record)};
}

}  // namespace counterfoil
