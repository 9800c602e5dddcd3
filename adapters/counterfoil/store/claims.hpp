#pragma once

#include <functional>
#include <string_view>

#include "counterfoil/store/claim_reply.hpp"
#include "counterfoil/store/protocol.hpp"
#include "counterfoil/store/wait.hpp"

namespace counterfoil {

/// The two-phase form, which every store has: for effects outside its database. The claim commits
/// before the effect begins, the answer after; the fence keeps whoever was overtaken in between
/// from writing.
///
/// ```cpp
/// ClaimReply reply = store.claim({scope, intent::Json{body}});
/// if (auto* claimed = std::get_if<reply::Claimed>(&reply)) {
///     HeldClaim claim{store, *std::move(claimed)};              // can't be forgotten
///     const Charge charge = provider.charge(claim.downstream_key("charge"), amount);
///     CompleteReply ended = claim.complete([&](SQLite::Database& rows) {
///         return keep_charge(rows, charge);                     // rows and answer, or neither
///     });
/// }
/// ```
///
/// What is done under a permit comes to a value that says what was written, or why nothing was:
/// lost (no receipt), fenced (somebody has taken over), already_completed (with the stored answer:
/// so the reply to a commit may be lost, and asked for again).
///
/// Every function throws StoreError, after which nothing was written.
///
/// Threads: as the store says.
class Claims {
public:
    Claims() = default;
    Claims(const Claims&) = delete;
    Claims& operator=(const Claims&) = delete;
    virtual ~Claims() = default;

    /// Asks for leave to do a request (Protocol::claim).
    [[nodiscard]] ClaimReply claim(const Submission& submission, const Wait& wait = {});

    /// The same for a request whose fingerprint is known.
    [[nodiscard]] ClaimReply claim(const Request& request, const Wait& wait = {},
                                   std::string_view request_id = {});

    /// Ends a claim with an answer, and no rows of the embedder's (Protocol::complete).
    [[nodiscard]] CompleteReply complete(const Permit& permit, const Outcome& outcome,
                                         std::string_view request_id = {});

    /// Begins the lease anew, from now on; from a long run, well before it is over.
    [[nodiscard]] Renewal renew(const Permit& permit, std::string_view request_id = {});

    /// Notes a step that was reached, for whoever may have to go on from there.
    [[nodiscard]] Checkpointing checkpoint(const Permit& permit, const Checkpoint& reached,
                                           std::string_view request_id = {});

    /// Gives the key back: nothing happened.
    [[nodiscard]] Release release(const Permit& permit, std::string_view request_id = {});

    /// Says that nobody can know whether it happened.
    [[nodiscard]] Marking mark_unknown(const Permit& permit, std::string_view request_id = {});

    /// Leaves a claim without an end: the key is released or the receipt marked, as the policy's
    /// table says of a 500.
    [[nodiscard]] Abandonment abandon(const Permit& permit, Effect effect,
                                      std::string_view request_id = {});

    /// Ends what is unknown, or lapsed, on somebody's word, and leaves an audit row.
    [[nodiscard]] Resolving resolve(const Permit& permit, const Resolution& resolution,
                                    std::string_view request_id = {});

private:
    virtual Protocol& protocol() = 0;
    virtual void with_session(const std::function<void(Session&)>& use) = 0;

    template <class Call>
    auto through(Call&& call);
};

}  // namespace counterfoil
