#include "counterfoil/store/decisions.hpp"

#include <utility>

namespace counterfoil {

Verdict Decisions::judge(const Request& request, std::optional<Receipt>&& found, Instant now,
                         const Policy& policy) const {
    return counterfoil::judge(request, std::move(found), now, policy);
}

std::optional<Refusal> Decisions::refusal_of(const std::optional<Receipt>& found,
                                             const Permit& permit) const {
    return counterfoil::refusal_of(found, permit);
}

Completion Decisions::complete(const std::optional<Receipt>& found, const Permit& permit,
                               Outcome outcome, Instant now, const Policy& policy) const {
    return counterfoil::complete(found, permit, std::move(outcome), now, policy);
}

Renewal Decisions::renew(const std::optional<Receipt>& found, const Permit& permit, Instant now,
                         const Policy& policy) const {
    return counterfoil::renew(found, permit, now, policy);
}

Checkpointing Decisions::checkpoint(const std::optional<Receipt>& found, const Permit& permit,
                                    Checkpoint reached, Instant now) const {
    return counterfoil::checkpoint(found, permit, std::move(reached), now);
}

Release Decisions::release(const std::optional<Receipt>& found, const Permit& permit) const {
    return counterfoil::release(found, permit);
}

Marking Decisions::mark_unknown(const std::optional<Receipt>& found, const Permit& permit,
                                Instant now) const {
    return counterfoil::mark_unknown(found, permit, now);
}

Abandonment Decisions::abandon(const std::optional<Receipt>& found, const Permit& permit,
                               Effect effect, Instant now, const Policy& policy) const {
    return counterfoil::abandon(found, permit, effect, now, policy);
}

Resolving Decisions::resolve(const std::optional<Receipt>& found, const Permit& permit,
                             Resolution resolution, Instant now, const Policy& policy) const {
    return counterfoil::resolve(found, permit, std::move(resolution), now, policy);
}

const Decisions& core_decisions() {
    static const Decisions decisions;
    return decisions;
}

}  // namespace counterfoil
