#include "counterfoil/store/protocol.hpp"

#include <chrono>
#include <type_traits>
#include <utility>

#include "counterfoil/store/claim_call.hpp"
#include "counterfoil/store/fingerprinter_pool.hpp"
#include "counterfoil/store/once_call.hpp"
#include "counterfoil/store/settle_call.hpp"
#include "counterfoil/store/store_error.hpp"

namespace counterfoil {

namespace {

/// What an observer is told of a reply, beside its word.
void tell_of(Observation& observation, const Reply& reply) {
    observation.why = why(reply);
    if (const auto* performed = std::get_if<reply::Performed>(&reply)) {
        observation.attempt = performed->attempt;
    }
}

void tell_of(Observation& observation, const ClaimReply& reply) {
    observation.why = why(reply);
    if (const auto* claimed = std::get_if<reply::Claimed>(&reply)) {
        observation.attempt = claimed->attempt;
    }
}

template <class Transition>
void tell_of(Observation& /*observation*/, const Transition& /*transition*/) {}

}  // namespace

struct Protocol::Desk {
    Desk(Setup given, const Decisions& asked)
        : setup{std::move(given)},
          fingerprinters{std::exchange(setup.secrets, {})},
          decisions{asked} {}

    [[nodiscard]] Bench bench_for(const Scope& scope) const {
        return {decisions, setup.policies.policy_for(scope.operation), *setup.clock,
                setup.admitter};
    }

    /// Runs a call and tells the observer, if there is one, how it went.
    template <class Run>
    auto observed(std::string_view call, const Scope& scope, std::string_view request_id,
                  Run&& run) const {
        if (setup.observer == nullptr) return std::forward<Run>(run)();

        const auto start = std::chrono::steady_clock::now();
        Observation observation{.call = call, .scope = scope, .request_id = request_id};
        const auto tell = [&] {
            observation.duration = std::chrono::steady_clock::now() - start;
            setup.observer->observe(observation);
        };
        try {
            auto reply = std::forward<Run>(run)();
            observation.reply = word(reply);
            tell_of(observation, reply);
            tell();
            return reply;
        } catch (const StoreError& error) {
            observation.fault = error.fault();
            tell();
            throw;
        } catch (...) {
            tell();
            throw;
        }
    }

    /// Runs a call with the request of a submission; what has no fingerprint is unreadable.
    template <class AnyReply, class Run>
    AnyReply asked(const Submission& submission, const Run& run) {
        const Policy& policy = setup.policies.policy_for(submission.scope.operation);
        Result<Request, FingerprintError> made = fingerprinters.with_one([&](Fingerprinter& lent) {
            return make_request(submission.scope, submission.intent, policy, lent);
        });
        if (!made) return reply::Unreadable{std::move(made).error()};

        Request request = *std::move(made);
        return run(Question{request, [&](const SchemeName& scheme) {
                                fingerprinters.with_one([&](Fingerprinter& lent) {
                                    counterfoil::compare_under(scheme, request, submission.intent,
                                                               lent);
                                    return true;
                                });
                            }});
    }

    /// A transition of a held receipt: `decide` gets what is found, the time, and the policy.
    template <class Decide>
    auto settled(std::string_view name, Session& session, const Permit& permit,
                 std::string_view request_id, const Decide& decide) const {
        return observed(name, permit.scope, request_id, [&] {
            const Bench bench = bench_for(permit.scope);
            return settle(name, session, permit.scope, [&](const std::optional<Receipt>& found) {
                return decide(found, bench.clock.now(), bench.policy);
            });
        });
    }

    Setup setup;
    FingerprinterPool fingerprinters;
    const Decisions& decisions;
};

Protocol::Protocol(Setup setup, const Decisions& decisions)
    : desk_{std::make_unique<Desk>(std::move(setup), decisions)} {}

Protocol::~Protocol() = default;

Result<Request, FingerprintError> Protocol::request_of(const Submission& submission) {
    const Policy& policy = desk_->setup.policies.policy_for(submission.scope.operation);
    return desk_->fingerprinters.with_one([&](Fingerprinter& fingerprinter) {
        return make_request(submission.scope, submission.intent, policy, fingerprinter);
    });
}

Reply Protocol::once(Session& session, const Submission& submission,
                     const std::function<Outcome()>& work) {
    return desk_->observed("once", submission.scope, submission.request_id, [&] {
        return desk_->asked<Reply>(submission, [&](const Question& question) {
            return counterfoil::once(session, question, desk_->bench_for(submission.scope), work);
        });
    });
}

Reply Protocol::once(Session& session, const Request& request, const std::function<Outcome()>& work,
                     std::string_view request_id) {
    return desk_->observed("once", request.scope, request_id, [&] {
        return counterfoil::once(session, Question{request}, desk_->bench_for(request.scope), work);
    });
}

ClaimReply Protocol::claim(Session& session, const Submission& submission, const Wait& wait) {
    return desk_->observed("claim", submission.scope, submission.request_id, [&] {
        return desk_->asked<ClaimReply>(submission, [&](const Question& question) {
            return counterfoil::claim(session, question, desk_->bench_for(submission.scope), wait);
        });
    });
}

ClaimReply Protocol::claim(Session& session, const Request& request, const Wait& wait,
                           std::string_view request_id) {
    return desk_->observed("claim", request.scope, request_id, [&] {
        return counterfoil::claim(session, Question{request}, desk_->bench_for(request.scope),
                                  wait);
    });
}

CompleteReply Protocol::complete(Session& session, const Permit& permit,
                                 const std::function<Outcome()>& work,
                                 std::string_view request_id) {
    return desk_->observed("complete", permit.scope, request_id, [&] {
        return counterfoil::complete(session, permit, desk_->bench_for(permit.scope), work);
    });
}

Renewal Protocol::renew(Session& session, const Permit& permit, std::string_view request_id) {
    return desk_->settled("renew", session, permit, request_id,
                          [&](const auto& found, Instant now, const Policy& policy) {
                              return desk_->decisions.renew(found, permit, now, policy);
                          });
}

Checkpointing Protocol::checkpoint(Session& session, const Permit& permit,
                                   const Checkpoint& reached, std::string_view request_id) {
    return desk_->settled("checkpoint", session, permit, request_id,
                          [&](const auto& found, Instant now, const Policy&) {
                              return desk_->decisions.checkpoint(found, permit, reached, now);
                          });
}

Release Protocol::release(Session& session, const Permit& permit, std::string_view request_id) {
    return desk_->settled("release", session, permit, request_id,
                          [&](const auto& found, Instant, const Policy&) {
                              return desk_->decisions.release(found, permit);
                          });
}

Marking Protocol::mark_unknown(Session& session, const Permit& permit,
                               std::string_view request_id) {
    return desk_->settled("mark_unknown", session, permit, request_id,
                          [&](const auto& found, Instant now, const Policy&) {
                              return desk_->decisions.mark_unknown(found, permit, now);
                          });
}

Abandonment Protocol::abandon(Session& session, const Permit& permit, Effect effect,
                              std::string_view request_id) {
    return desk_->settled("abandon", session, permit, request_id,
                          [&](const auto& found, Instant now, const Policy& policy) {
                              return desk_->decisions.abandon(found, permit, effect, now, policy);
                          });
}

Resolving Protocol::resolve(Session& session, const Permit& permit, const Resolution& resolution,
                            std::string_view request_id) {
    return desk_->settled("resolve", session, permit, request_id,
                          [&](const auto& found, Instant now, const Policy& policy) {
                              return desk_->decisions.resolve(found, permit, resolution, now,
                                                              policy);
                          });
}

const Setup& Protocol::setup() const noexcept {
    return desk_->setup;
}

}  // namespace counterfoil
