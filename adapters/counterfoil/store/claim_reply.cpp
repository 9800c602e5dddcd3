#include "counterfoil/store/claim_reply.hpp"

#include "counterfoil/downstream_key.hpp"
#include "counterfoil/overloaded.hpp"

namespace counterfoil {

namespace {

std::string_view told(const reply::Ended& ended) {
    switch (ended.disposition) {
        case Disposition::keep: return "completed";
        case Disposition::release: return "released";
        case Disposition::unknown: return "unknown";
    }
    return "";
}

std::string_view told(const settled::Released& /*ended*/) {
    return "released";
}

std::string_view told(const settled::Uncertain& /*ended*/) {
    return "unknown";
}

std::string_view told(const settled::Renewed& /*held*/) {
    return "renewed";
}

std::string_view told(const settled::Checkpointed& /*held*/) {
    return "checkpointed";
}

std::string_view told(const settled::ResolvedApplied& /*ended*/) {
    return "resolved_applied";
}

std::string_view told(const settled::ResolvedNotApplied& /*ended*/) {
    return "resolved_not_applied";
}

std::string_view told(const refusal::Lost& /*refused*/) {
    return "lost";
}

std::string_view told(const refusal::Fenced& /*refused*/) {
    return "fenced";
}

std::string_view told(const refusal::AlreadyCompleted& /*refused*/) {
    return "already_completed";
}

std::string_view told(const refusal::StillHeld& /*refused*/) {
    return "still_held";
}

std::string_view told(const refusal::Unattributed& /*refused*/) {
    return "unattributed";
}

template <class... Cases>
std::string_view tell(const std::variant<Cases...>& which) {
    return std::visit([](const auto& one) { return told(one); }, which);
}

}  // namespace

std::string reply::Claimed::downstream_key(std::string_view step) const {
    return counterfoil::downstream_key(permit.scope, first_seen, step);
}

std::string reply::Claimed::downstream_key() const {
    return downstream_key(permit.scope.operation.text());
}

std::string_view word(const ClaimReply& reply) {
    return std::visit(
        overloaded{
            [](const reply::Claimed& claimed) -> std::string_view {
                return claimed.attempt > 1 ? "take_over" : "create";
            },
            [](const reply::NotAdmitted&) -> std::string_view { return "not_admitted"; },
            [](const reply::Unreadable&) -> std::string_view { return "unreadable"; },
            [](const auto& verdict) { return word(verdict); },
        },
        reply);
}

const Why* why(const ClaimReply& reply) {
    return std::visit(overloaded{
                          [](const reply::NotAdmitted&) -> const Why* { return nullptr; },
                          [](const reply::Unreadable&) -> const Why* { return nullptr; },
                          [](const auto& decided) -> const Why* { return &decided.why; },
                      },
                      reply);
}

std::string_view word(const CompleteReply& reply) {
    return tell(reply);
}

std::string_view word(const Renewal& renewal) {
    return tell(renewal);
}

std::string_view word(const Checkpointing& checkpointing) {
    return tell(checkpointing);
}

std::string_view word(const Release& release) {
    return tell(release);
}

std::string_view word(const Marking& marking) {
    return tell(marking);
}

std::string_view word(const Abandonment& abandonment) {
    return tell(abandonment);
}

std::string_view word(const Resolving& resolving) {
    return tell(resolving);
}

}  // namespace counterfoil
