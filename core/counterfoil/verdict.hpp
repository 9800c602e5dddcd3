#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "counterfoil/answer.hpp"
#include "counterfoil/fingerprint.hpp"
#include "counterfoil/instant.hpp"
#include "counterfoil/receipt.hpp"

namespace counterfoil {

/// The rules of judge(), in their order. *Stored in logs; never renumbered.*
enum class Rule : std::uint8_t {
    key_predates_memory = 1,
    nothing_found = 2,
    forgotten = 3,
    scheme_not_computable = 4,
    other_fingerprint = 5,
    inside_replay_window = 6,
    past_replay_window = 7,
    outcome_unknown = 8,
    lease_running = 9,
    lease_lapsed = 10,
    no_takeover = 11,
};

/// Which rule decided, and the figures it used.
struct Why {
    Rule rule{};
    Instant now;
    std::optional<Instant> boundary{};           ///< the instant that `now` was compared with
    std::optional<std::int64_t> attempt{};       ///< of the receipt, where the rule counts
    std::optional<std::int64_t> max_attempts{};  ///< of the policy, where the rule counts

    friend bool operator==(const Why&, const Why&) = default;
};

namespace verdict {

/// Run it. Write `receipt` first (or with it): as a new row, or in the place of a forgotten one.
struct Create {
    Receipt receipt;
    std::optional<Fence> replaces{};  ///< fence of the forgotten receipt that is overwritten
    Why why;

    [[nodiscard]] Permit permit() const { return {receipt.scope, receipt.fence}; }

    friend bool operator==(const Create&, const Create&) = default;
};

/// Run it again, from `checkpoint` on if there is one: whoever had it let the lease lapse.
struct TakeOver {
    Receipt receipt;
    Fence replaces;
    Why why;

    [[nodiscard]] Permit permit() const { return {receipt.scope, receipt.fence}; }

    /// What the earlier attempt had reached; it is in the receipt to write as well.
    [[nodiscard]] const std::optional<Checkpoint>& checkpoint() const;
    friend bool operator==(const TakeOver&, const TakeOver&) = default;
};

/// Give the stored answer again.
struct Replay {
    Answer answer;
    Instant first_seen;
    Instant completed_at;
    Instant replay_until;
    std::int64_t attempt{};
    Why why;

    friend bool operator==(const Replay&, const Replay&) = default;
};

/// The key belongs to another request.
struct Conflict {
    Instant first_seen;
    /// JSON Pointers, where both sides have field digests under the same rules and scheme.
    std::optional<std::vector<std::string>> differs{};
    Why why;

    friend bool operator==(const Conflict&, const Conflict&) = default;
};

/// An equal request is being worked on.
struct InProgress {
    Span retry_after;  ///< above 0, never above the policy's lease
    Instant first_seen;
    Instant lease_end;
    std::int64_t attempt{};
    Why why;

    friend bool operator==(const InProgress&, const InProgress&) = default;
};

/// It may have happened. Nobody may run it again until somebody says.
struct Unknown {
    Instant first_seen;
    Instant since;
    UnknownCause cause{};
    std::optional<Replace> write{};  ///< where the receipt does not say so yet
    Why why;

    friend bool operator==(const Unknown&, const Unknown&) = default;
};

/// The receipt is gone, and its key was made before the store's memory begins.
struct MaybeSeen {
    Instant born;

    friend bool operator==(const MaybeSeen&, const MaybeSeen&) = default;
};

struct Seen {
    Instant first_seen;
    Ending ended;

    friend bool operator==(const Seen&, const Seen&) = default;
};

/// Too late: the answer is not given any more, and the request may not run again.
struct Expired {
    std::variant<MaybeSeen, Seen> seen;
    Why why;

    friend bool operator==(const Expired&, const Expired&) = default;
};

/// Nobody here can tell whether it is the same request.
struct Incomparable {
    SchemeName scheme;
    Instant first_seen;
    Why why;

    friend bool operator==(const Incomparable&, const Incomparable&) = default;
};

}  // namespace verdict

/// What may be done with a request.
using Verdict =
    std::variant<verdict::Create, verdict::TakeOver, verdict::Replay, verdict::Conflict,
                 verdict::InProgress, verdict::Unknown, verdict::Expired, verdict::Incomparable>;

/// The why of any verdict.
[[nodiscard]] const Why& why(const Verdict& verdict);

/// The verdict's word as logs, SQL, JSON and the CLI write it: `create`, `take_over`, `replay`,
/// `conflict`, `in_progress`, `unknown`, `expired`, `incomparable`.
[[nodiscard]] std::string_view word(const Verdict& verdict);

/// The word of one kind of verdict.
[[nodiscard]] std::string_view word(const verdict::Create& verdict);
[[nodiscard]] std::string_view word(const verdict::TakeOver& verdict);
[[nodiscard]] std::string_view word(const verdict::Replay& verdict);
[[nodiscard]] std::string_view word(const verdict::Conflict& verdict);
[[nodiscard]] std::string_view word(const verdict::InProgress& verdict);
[[nodiscard]] std::string_view word(const verdict::Unknown& verdict);
[[nodiscard]] std::string_view word(const verdict::Expired& verdict);
[[nodiscard]] std::string_view word(const verdict::Incomparable& verdict);

}  // namespace counterfoil
