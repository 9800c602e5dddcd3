#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <counterfoil/fingerprint.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/receipt.hpp>
#include <counterfoil/settle.hpp>
#include <counterfoil/store/claim_reply.hpp>
#include <counterfoil/store/clock.hpp>
#include <counterfoil/store/protocol.hpp>
#include <counterfoil/store/reply.hpp>
#include <counterfoil/store/submission.hpp>

namespace counterfoil::testing {

/// A clock that stands still until it is set forward.
class ManualClock final : public Clock {
public:
    explicit ManualClock(Instant start) : now_us_{start.time_since_epoch().count()} {}

    [[nodiscard]] Instant now() override { return Instant{Span{now_us_}}; }

    void advance(Span by) { now_us_ += by.count(); }

private:
    std::atomic<std::int64_t> now_us_;
};

/// What work comes to: an outcome, or nothing where it throws.
using WorkResult = std::optional<Outcome>;

/// Thrown by work in the rules.
struct WorkFailed {};

/// The core over a map: what a call of a sound store replies, and what is there afterwards.
class CoreOverMap {
public:
    CoreOverMap(Policy policy, const Secrets& secrets)
        : policy_{std::move(policy)}, fingerprinter_{secrets} {}

    /// Nothing where the work ran and threw.
    std::optional<Reply> once(const Submission& submission, const WorkResult& work, Instant now);

    ClaimReply claim(const Submission& submission, Instant now);
    CompleteReply complete(const Permit& permit, const Outcome& outcome, Instant now);
    Renewal renew(const Permit& permit, Instant now);
    Checkpointing checkpoint(const Permit& permit, const Checkpoint& reached, Instant now);
    Release release(const Permit& permit);
    Marking mark_unknown(const Permit& permit, Instant now);
    Abandonment abandon(const Permit& permit, Effect effect, Instant now);
    Resolving resolve(const Permit& permit, const Resolution& resolution, Instant now);

    /// The audit rows of all scopes, in the order in which they were made.
    [[nodiscard]] const std::vector<ResolutionRecord>& resolutions() const { return resolutions_; }

    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) const;

    /// Puts what is there, or nothing, in the place of what was.
    void set(const Scope& scope, const std::optional<Receipt>& receipt);

    [[nodiscard]] const std::map<Scope, Receipt>& receipts() const { return receipts_; }

    /// How often the work ran in the last call.
    [[nodiscard]] int runs() const { return runs_; }

    /// The fingerprint of an intent under the policy's scheme.
    [[nodiscard]] Fingerprint fingerprint(const Intent& intent);

private:
    Result<Verdict, FingerprintError> judged(const Submission& submission, Instant now);
    template <class Transition>
    Transition written(Transition transition);

    std::optional<Reply> perform(Receipt held, bool takes_over, const Why& why,
                                 const WorkResult& work, Instant now);

    Policy policy_;
    Fingerprinter fingerprinter_;
    std::map<Scope, Receipt> receipts_;
    std::vector<ResolutionRecord> resolutions_;
    int runs_{};
};

/// One line for a reply.
std::string describe(const std::optional<Reply>& reply);

/// Calls once() as the core does: nothing where the work threw. `runs` counts the work's runs.
std::optional<Reply> once_through(Protocol& protocol, Session& session,
                                  const Submission& submission, const WorkResult& work, int& runs);

/// Ends the case where two replies differ.
void expect_same_reply(const std::optional<Reply>& found, const std::optional<Reply>& expected,
                       const std::string& where);

}  // namespace counterfoil::testing
