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

std::optional<Reply> CoreOverMap::once(const Submission& submission, const WorkResult& work,
                                       Instant now) {
    runs_ = 0;
    Result<Request, FingerprintError> made =
        make_request(submission.scope, submission.intent, policy_, fingerprinter_);
    if (!made) return reply::Unreadable{made.error()};
    Request request = *std::move(made);
    const std::optional<Receipt> found = find(request.scope);
    if (found) {
        compare_under(found->fingerprint.scheme, request, submission.intent, fingerprinter_);
    }
    return std::visit(overloaded{
                          [&](const verdict::Create& create) {
                              return perform(create.receipt, false, create.why, work, now);
                          },
                          [&](const verdict::TakeOver& take_over) {
                              return perform(take_over.receipt, true, take_over.why, work, now);
                          },
                          [&](const verdict::Unknown& unknown) -> std::optional<Reply> {
                              if (unknown.write) set(request.scope, unknown.write->receipt);
                              return unknown;
                          },
                          [](const auto& told) -> std::optional<Reply> { return told; },
                      },
                      judge(request, found, now, policy_));
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
        complete(std::optional{std::move(held)}, permit, *work, now, policy_);
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
