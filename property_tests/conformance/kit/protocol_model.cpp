#include "protocol_model.hpp"

#include <utility>
#include <variant>

#include <rapidcheck.h>

#include "counterfoil/describe.hpp"
#include "counterfoil/judge.hpp"
#include "counterfoil/overloaded.hpp"

namespace counterfoil::testing {

std::optional<Receipt> CoreOverMap::find(const Scope& scope) const {
    const auto found = receipts_.find(scope);
    if (found == receipts_.end()) return std::nullopt;
    return found->second;
}

void CoreOverMap::set(const Scope& scope, const std::optional<Receipt>& receipt) {
    if (receipt) {
        receipts_.insert_or_assign(scope, *receipt);
    } else {
        receipts_.erase(scope);
    }
}

Fingerprint CoreOverMap::fingerprint(const Intent& intent) {
    return fingerprinter_.fingerprint(policy_->scheme, intent).value();
}

Result<Verdict, FingerprintError> CoreOverMap::judged(const Submission& submission, Instant now) {
    Result<Request, FingerprintError> made =
        make_request(submission.scope, submission.intent, policy_, fingerprinter_);
    if (!made) return made.error();
    Request request = *std::move(made);
    const std::optional<Receipt> found = find(request.scope);
    if (found) {
        compare_under(found->fingerprint.scheme, request, submission.intent, fingerprinter_);
    }
    return judge(request, found, now, policy_);
}

std::optional<Reply> CoreOverMap::once(const Submission& submission, const WorkResult& work,
                                       Instant now) {
    runs_ = 0;
    const Result<Verdict, FingerprintError> verdict = judged(submission, now);
    if (!verdict) return reply::Unreadable{verdict.error()};
    return std::visit(overloaded{
                          [&](const verdict::Create& create) {
                              return perform(create.receipt, false, create.why, work, now);
                          },
                          [&](const verdict::TakeOver& take_over) {
                              return perform(take_over.receipt, true, take_over.why, work, now);
                          },
                          [&](const verdict::Unknown& unknown) -> std::optional<Reply> {
                              if (unknown.write) set(submission.scope, unknown.write->receipt);
                              return unknown;
                          },
                          [](const auto& told) -> std::optional<Reply> { return told; },
                      },
                      *verdict);
}

ClaimReply CoreOverMap::claim(const Submission& submission, Instant now) {
    const Result<Verdict, FingerprintError> verdict = judged(submission, now);
    if (!verdict) return reply::Unreadable{verdict.error()};
    const auto claimed = [&](const auto& leave) -> ClaimReply {
        set(submission.scope, leave.receipt);
        const auto& held = std::get<state::InProgress>(leave.receipt.state);
        return reply::Claimed{.permit = leave.permit(),
                              .first_seen = leave.receipt.created_at,
                              .lease_end = held.lease_end,
                              .attempt = leave.receipt.attempt,
                              .checkpoint = held.checkpoint,
                              .why = leave.why};
    };
    return std::visit(overloaded{
                          [&](const verdict::Create& create) { return claimed(create); },
                          [&](const verdict::TakeOver& take_over) { return claimed(take_over); },
                          [&](const verdict::Unknown& unknown) -> ClaimReply {
                              if (unknown.write) set(submission.scope, unknown.write->receipt);
                              return unknown;
                          },
                          [](const auto& told) -> ClaimReply { return told; },
                      },
                      *verdict);
}

template <class Transition>
Transition CoreOverMap::written(Transition transition) {
    std::visit(
        [&](const auto& came_to) {
            if constexpr (requires { came_to.write.receipt; }) {
                set(came_to.write.receipt.scope, came_to.write.receipt);
            } else if constexpr (requires { came_to.write; }) {
                set(came_to.write.scope, std::nullopt);
            }
            if constexpr (requires { came_to.record; }) resolutions_.push_back(came_to.record);
        },
        transition);
    return transition;
}

CompleteReply CoreOverMap::complete(const Permit& permit, const Outcome& outcome, Instant now) {
    const auto ended = [&](Disposition disposition, Timeliness timeliness) -> CompleteReply {
        return reply::Ended{outcome.answer, disposition, timeliness};
    };
    return std::visit(
        overloaded{
            [&](const settled::Completed& completed) {
                return ended(Disposition::keep, completed.timeliness);
            },
            [&](const settled::Released&) {
                return ended(Disposition::release, Timeliness::in_time);
            },
            [&](const settled::Uncertain&) {
                return ended(Disposition::unknown, Timeliness::in_time);
            },
            [](const auto& refused) -> CompleteReply { return refused; },
        },
        written(counterfoil::complete(find(permit.scope), permit, outcome, now, policy_)));
}

Renewal CoreOverMap::renew(const Permit& permit, Instant now) {
    return written(counterfoil::renew(find(permit.scope), permit, now, policy_));
}

Checkpointing CoreOverMap::checkpoint(const Permit& permit, const Checkpoint& reached,
                                      Instant now) {
    return written(counterfoil::checkpoint(find(permit.scope), permit, reached, now));
}

Release CoreOverMap::release(const Permit& permit) {
    return written(counterfoil::release(find(permit.scope), permit));
}

Marking CoreOverMap::mark_unknown(const Permit& permit, Instant now) {
    return written(counterfoil::mark_unknown(find(permit.scope), permit, now));
}

Abandonment CoreOverMap::abandon(const Permit& permit, Effect effect, Instant now) {
    return written(counterfoil::abandon(find(permit.scope), permit, effect, now, policy_));
}

Resolving CoreOverMap::resolve(const Permit& permit, const Resolution& resolution, Instant now) {
    return written(counterfoil::resolve(find(permit.scope), permit, resolution, now, policy_));
}

std::optional<Reply> CoreOverMap::perform(Receipt held, bool takes_over, const Why& why,
                                          const WorkResult& work, Instant now) {
    ++runs_;
    if (!work) return std::nullopt;
    const Scope scope = held.scope;
    reply::Performed performed{.answer = work->answer,
                               .disposition = Disposition::release,
                               .attempt = held.attempt,
                               .first_seen = held.created_at,
                               .why = why};
    const Permit permit{scope, held.fence};
    const Completion completion =
        counterfoil::complete(std::optional{std::move(held)}, permit, *work, now, policy_);
    if (const auto* completed = std::get_if<settled::Completed>(&completion)) {
        performed.disposition = Disposition::keep;
        set(scope, completed->write.receipt);
    } else if (const auto* uncertain = std::get_if<settled::Uncertain>(&completion)) {
        performed.disposition = Disposition::unknown;
        set(scope, uncertain->write.receipt);
    } else if (takes_over) {
        set(scope, std::nullopt);
    }
    return performed;
}

std::string describe(const std::optional<Reply>& reply) {
    if (!reply) return "the work's exception";
    std::string text{word(*reply)};
    if (const Why* reason = why(*reply)) text += ", " + describe(*reason);
    if (const Answer* answer = answer_of(*reply)) text += ", " + describe(*answer);
    return text;
}

std::optional<Reply> once_through(Protocol& protocol, Session& session,
                                  const Submission& submission, const WorkResult& work, int& runs) {
    runs = 0;
    try {
        return protocol.once(session, submission, [&] {
            ++runs;
            if (!work) throw WorkFailed{};
            return *work;
        });
    } catch (const WorkFailed&) {
        return std::nullopt;
    }
}

void expect_same_reply(const std::optional<Reply>& found, const std::optional<Reply>& expected,
                       const std::string& where) {
    if (found == expected) return;
    RC_FAIL(where + "\n  found    " + describe(found) + "\n  expected " + describe(expected));
}

}  // namespace counterfoil::testing
