#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "counterfoil/fingerprint.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/request.hpp"
#include "counterfoil/settle.hpp"
#include "counterfoil/store/admitter.hpp"
#include "counterfoil/store/claim_reply.hpp"
#include "counterfoil/store/clock.hpp"
#include "counterfoil/store/decisions.hpp"
#include "counterfoil/store/observer.hpp"
#include "counterfoil/store/reply.hpp"
#include "counterfoil/store/session.hpp"
#include "counterfoil/store/submission.hpp"
#include "counterfoil/store/wait.hpp"

namespace counterfoil {

/// What a store is set up with, beside its own settings.
struct Setup {
    PolicyBook policies;
    Secrets secrets{};              ///< for hmac- schemes and conflict detail
    Clock* clock{&system_clock()};  ///< borrowed; outlives the store
    Observer* observer{};           ///< borrowed; outlives the store; may be null
    Admitter* admitter{};           ///< borrowed; outlives the store; null admits everything
};

/// The five steps, written once for every store: parse, stamp the time, load, ask the core, write.
/// It has no opinion of its own; what it does is what judge() and the transitions of settle.hpp
/// say.
///
/// Threads: any; each call with a session of its own.
class Protocol {
public:
    explicit Protocol(Setup setup, const Decisions& decisions = core_decisions());
    ~Protocol();
    Protocol(const Protocol&) = delete;
    Protocol& operator=(const Protocol&) = delete;

    /// Does the work of a request once, in one transaction with its receipt.
    ///
    /// | verdict             | what happens                                                   |
    /// |---------------------|----------------------------------------------------------------|
    /// | create, take_over   | the work runs; its answer is kept and all is committed, or, as |
    /// |                     | the policy's table says, it is rolled back and the key is free |
    /// |                     | again, or rolled back and the receipt says unknown             |
    /// | unknown, to be      | the receipt is written as unknown                              |
    /// | written             |                                                                |
    /// | any other           | nothing is written; a plain read answers, no lock is waited for|
    ///
    /// Where the verdict gives leave, Setup::admitter may still refuse: then nothing is written.
    ///
    /// Whoever has to write takes the store's lock and is judged again under it. Losing a race for
    /// the scope is no error: the work is rolled back, the winner's receipt read and judged.
    ///
    /// Errors: StoreError, as session.hpp says; busy where eight races in a row were lost. What the
    ///         work throws. After either, nothing was written.
    Reply once(Session& session, const Submission& submission,
               const std::function<Outcome()>& work);

    /// The same for a request whose fingerprint is known. A receipt under a scheme that the request
    /// doesn't carry makes it incomparable.
    Reply once(Session& session, const Request& request, const std::function<Outcome()>& work,
               std::string_view request_id = {});

    /// Asks for leave to do a request whose effect is outside the store.
    ///
    /// | verdict             | what happens                                                   |
    /// |---------------------|----------------------------------------------------------------|
    /// | create, take_over   | the receipt says in_progress, and that is committed            |
    /// | unknown, to be      | the receipt is written as unknown                              |
    /// | written             |                                                                |
    /// | in_progress         | while there is time to wait: read and judged again             |
    /// | any other           | nothing is written; a plain read answers, no lock is waited for|
    ///
    /// Setup::admitter is asked as by once().
    ///
    /// Errors: StoreError, as once(). Where a commit's own error leaves open whether it was made,
    ///         the lease does the rest: the scope is free again when it is over.
    [[nodiscard]] ClaimReply claim(Session& session, const Submission& submission,
                                   const Wait& wait = {});

    /// The same for a request whose fingerprint is known.
    [[nodiscard]] ClaimReply claim(Session& session, const Request& request, const Wait& wait = {},
                                   std::string_view request_id = {});

    /// Ends a claim with an answer, in one transaction with the rows that `work` writes.
    ///
    /// The work runs only under a permit that is good, and at most once a transaction. Its answer
    /// is kept and all is committed, or, as the policy's table says, its rows are rolled back and
    /// the key is free again, or they are rolled back and the receipt says unknown.
    ///
    /// Errors: StoreError; what the work throws. After either, nothing was written, and the claim
    ///         is still held.
    [[nodiscard]] CompleteReply complete(Session& session, const Permit& permit,
                                         const std::function<Outcome()>& work,
                                         std::string_view request_id = {});

    // What settle.hpp says of each, read and written in one transaction.
    //
    // Errors: StoreError. Then nothing was written.
    [[nodiscard]] Renewal renew(Session& session, const Permit& permit,
                                std::string_view request_id = {});
    [[nodiscard]] Checkpointing checkpoint(Session& session, const Permit& permit,
                                           const Checkpoint& reached,
                                           std::string_view request_id = {});
    [[nodiscard]] Release release(Session& session, const Permit& permit,
                                  std::string_view request_id = {});
    [[nodiscard]] Marking mark_unknown(Session& session, const Permit& permit,
                                       std::string_view request_id = {});
    [[nodiscard]] Abandonment abandon(Session& session, const Permit& permit, Effect effect,
                                      std::string_view request_id = {});
    [[nodiscard]] Resolving resolve(Session& session, const Permit& permit,
                                    const Resolution& resolution, std::string_view request_id = {});

    [[nodiscard]] const Setup& setup() const noexcept;

    /// The request of a submission, by the policy of its operation.
    [[nodiscard]] Result<Request, FingerprintError> request_of(const Submission& submission);

private:
    struct Desk;
    std::unique_ptr<Desk> desk_;
};

}  // namespace counterfoil
