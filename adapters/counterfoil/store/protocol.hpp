#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "counterfoil/fingerprint.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/request.hpp"
#include "counterfoil/settle.hpp"
#include "counterfoil/store/clock.hpp"
#include "counterfoil/store/observer.hpp"
#include "counterfoil/store/reply.hpp"
#include "counterfoil/store/session.hpp"
#include "counterfoil/store/submission.hpp"

namespace counterfoil {

/// What a store is set up with, beside its own settings.
struct Setup {
    PolicyBook policies;
    Secrets secrets{};              ///< for hmac- schemes and conflict detail
    Clock* clock{&system_clock()};  ///< borrowed; outlives the store
    Observer* observer{};           ///< borrowed; outlives the store; may be null
};

/// The five steps, written once for every store: parse, stamp the time, load, ask the core, write.
/// It has no opinion of its own; what it does is what judge() and complete() say.
///
/// Threads: any; each call with a session of its own.
class Protocol {
public:
    explicit Protocol(Setup setup);
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

    [[nodiscard]] const Setup& setup() const noexcept;

    /// The request of a submission, by the policy of its operation.
    [[nodiscard]] Result<Request, FingerprintError> request_of(const Submission& submission);

private:
    struct Desk;
    std::unique_ptr<Desk> desk_;
};

}  // namespace counterfoil
