#pragma once

#include <optional>
#include <variant>

#include "counterfoil/instant.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/receipt.hpp"

namespace counterfoil {

namespace retention {

/// Nothing to do.
struct Keep {
    std::optional<Instant> look_again{};  ///< the first instant at which the answer differs;
                                          ///< nothing if time alone never changes it

    friend bool operator==(const Keep&, const Keep&) = default;
};

/// Drop the answer, keep the stub.
struct MakeTombstone {
    Replace write;
    friend bool operator==(const MakeTombstone&, const MakeTombstone&) = default;
};

/// Forget it altogether. The deletion itself repeats the condition (its fence, and forget_at <=
/// now), so that a row that was claimed again in between survives.
struct Purge {
    Erase write;
    Instant forget_at;
    friend bool operator==(const Purge&, const Purge&) = default;
};

/// Nobody came back for it.
struct MarkUnknown {
    Replace write;
    friend bool operator==(const MarkUnknown&, const MarkUnknown&) = default;
};

}  // namespace retention

using Retention = std::variant<retention::Keep, retention::MakeTombstone, retention::Purge,
                               retention::MarkUnknown>;

/// Says what becomes of a receipt as time goes by. The first that holds:
///
///   in_progress | now >= lease_end + max_skew + abandon_after | mark unknown (lease_lapsed)
///   in_progress |                                             | keep until then
///   unknown     |                                             | keep until somebody resolves it
///   on hold     |                                             | keep until the hold is lifted
///   any ended   | now >= forget_at                            | purge
///   completed   | now >= replay_until                         | make a tombstone
///   completed   |                                             | keep until replay_until
///   tombstone   |                                             | keep until forget_at
///
/// Never purges what is live, unknown or on hold, and never earlier than was promised: the windows
/// are those that the receipt carries, not those of the policy.
[[nodiscard]] Retention sweep(const Receipt& receipt, Instant now, const Policy& policy);

}  // namespace counterfoil
