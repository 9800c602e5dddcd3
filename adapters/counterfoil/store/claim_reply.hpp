#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "counterfoil/settle.hpp"
#include "counterfoil/store/reply.hpp"
#include "counterfoil/verdict.hpp"

namespace counterfoil {

namespace reply {

/// The request is this caller's to do until the lease is over, and the receipt that says so is
/// committed. It must end: complete, release or mark it unknown. HeldClaim (held_claim.hpp) sees to
/// that.
struct Claimed {
    Permit permit;
    Instant first_seen;
    Instant lease_end;                       ///< exclusive; renew() before it
    std::int64_t attempt{1};                 ///< above 1 where it took over
    std::optional<Checkpoint> checkpoint{};  ///< what the earlier attempt had reached
    Why why;

    /// The key under which a provider is to see a step: the same on every attempt of this receipt,
    /// and on no other receipt (downstream_key.hpp). By convention a receipt with one step calls it
    /// by its operation's name.
    [[nodiscard]] std::string downstream_key(std::string_view step) const;
    [[nodiscard]] std::string downstream_key() const;

    friend bool operator==(const Claimed&, const Claimed&) = default;
};

/// A claim has come to its end.
struct Ended {
    Answer answer;              ///< whole, as it was given
    Disposition disposition{};  ///< kept, with the rows of the work; released: the rows rolled
                                ///< back, and the key is free; or unknown: the rows rolled back,
                                ///< and nobody runs it again until somebody resolves it
    Timeliness timeliness{};    ///< of what is kept; late: the lease was over, but nobody had
                                ///< taken over

    friend bool operator==(const Ended&, const Ended&) = default;
};

}  // namespace reply

/// What became of a claim: the permit, or what kept it from being given.
using ClaimReply = std::variant<reply::Claimed, verdict::Replay, verdict::Conflict,
                                verdict::InProgress, verdict::Unknown, verdict::Expired,
                                verdict::Incomparable, reply::NotAdmitted, reply::Unreadable>;

/// What became of the end of a claim. A refused one wrote nothing, and none of the work's rows.
using CompleteReply =
    std::variant<reply::Ended, refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted>;

/// `create` or `take_over` where it was claimed, the verdict's word where it was not, and
/// `not_admitted` and `unreadable`.
[[nodiscard]] std::string_view word(const ClaimReply& reply);

/// Which rule decided; nothing where none did: not admitted, unreadable. Borrowed from the reply.
[[nodiscard]] const Why* why(const ClaimReply& reply);

/// The words of what a held claim has come to: `completed`, `released`, `unknown`, `renewed`,
/// `checkpointed`, `resolved_applied`, `resolved_not_applied`, and of refusals: `lost`, `fenced`,
/// `already_completed`, `still_held`, `unattributed`.
[[nodiscard]] std::string_view word(const CompleteReply& reply);
[[nodiscard]] std::string_view word(const Renewal& renewal);
[[nodiscard]] std::string_view word(const Checkpointing& checkpointing);
[[nodiscard]] std::string_view word(const Release& release);
[[nodiscard]] std::string_view word(const Marking& marking);
[[nodiscard]] std::string_view word(const Abandonment& abandonment);
[[nodiscard]] std::string_view word(const Resolving& resolving);

}  // namespace counterfoil
