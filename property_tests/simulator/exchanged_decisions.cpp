#include "simulator/exchanged_decisions.hpp"

#include <utility>

namespace counterfoil {

namespace {

template <class Part>
void put_in_place(Part& made, const Part& of_the_library, Part of_the_decider) {
    if (of_the_decider != of_the_library) made = std::move(of_the_decider);
}

}  // namespace

Verdict ExchangedDecisions::judge(const Request& request, std::optional<Receipt>&& found,
                                  Instant now, const Policy& policy) const {
    const std::optional<Fence> before = found ? std::optional{found->fence} : std::nullopt;
    const std::optional<Fence> right = fence_after(before, now);
    const std::optional<Fence> told = decider_.fence_after(before, now);
    // judge() lets nobody in where no fence follows; one that the decider makes up has to get
    // there.
    if (told && !right) found->fence = Fence{};
    Verdict verdict = decider_.judge(request, std::move(found), now, policy);
    if (!told) return verdict;
    if (auto* create = std::get_if<verdict::Create>(&verdict)) {
        put_in_place(create->receipt.fence, right.value_or(Fence{}), *told);
        if (create->replaces) create->replaces = before;
    } else if (auto* taken = std::get_if<verdict::TakeOver>(&verdict)) {
        put_in_place(taken->receipt.fence, right.value_or(Fence{}), *told);
        taken->replaces = before.value_or(Fence{});
    }
    return verdict;
}

std::optional<Refusal> ExchangedDecisions::refusal_of(const std::optional<Receipt>& /*found*/,
                                                      const Permit& /*permit*/) const {
    return std::nullopt;
}

Completion ExchangedDecisions::complete(const std::optional<Receipt>& found, const Permit& permit,
                                        Outcome outcome, Instant now, const Policy& policy) const {
    const Answer given = outcome.answer;
    const Exposure exposure = outcome.exposure;
    if (!outcome.disposition) {
        const Disposition told =
            decider_.disposition(policy->answers, given.status, outcome.effect);
        if (told != policy->answers.of(given.status, outcome.effect)) outcome.disposition = told;
    }
    Completion completion = decider_.complete(found, permit, std::move(outcome), now, policy);
    if (auto* completed = std::get_if<settled::Completed>(&completion)) {
        if (auto* state = std::get_if<state::Completed>(&completed->write.receipt.state)) {
            put_in_place(state->answer, stored_form(given, exposure, policy->answer_limits),
                         decider_.stored_form(given, exposure, policy->answer_limits));
        }
    }
    return completion;
}

Renewal ExchangedDecisions::renew(const std::optional<Receipt>& found, const Permit& permit,
                                  Instant now, const Policy& policy) const {
    return decider_.renew(found, permit, now, policy);
}

Checkpointing ExchangedDecisions::checkpoint(const std::optional<Receipt>& found,
                                             const Permit& permit, Checkpoint reached,
                                             Instant now) const {
    return decider_.checkpoint(found, permit, std::move(reached), now);
}

Release ExchangedDecisions::release(const std::optional<Receipt>& found,
                                    const Permit& permit) const {
    return decider_.release(found, permit);
}

Marking ExchangedDecisions::mark_unknown(const std::optional<Receipt>& found, const Permit& permit,
                                         Instant now) const {
    return decider_.mark_unknown(found, permit, now);
}

Abandonment ExchangedDecisions::abandon(const std::optional<Receipt>& found, const Permit& permit,
                                        Effect effect, Instant now, const Policy& policy) const {
    return decider_.abandon(found, permit, effect, now, policy);
}

Resolving ExchangedDecisions::resolve(const std::optional<Receipt>& found, const Permit& permit,
                                      Resolution resolution, Instant now,
                                      const Policy& policy) const {
    return decider_.resolve(found, permit, std::move(resolution), now, policy);
}

}  // namespace counterfoil
