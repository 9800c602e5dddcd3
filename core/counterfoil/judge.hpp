#pragma once

#include <optional>

#include "counterfoil/fingerprint.hpp"
#include "counterfoil/instant.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/receipt.hpp"
#include "counterfoil/request.hpp"
#include "counterfoil/verdict.hpp"

namespace counterfoil {

/// Decides what becomes of a request, from what is remembered of its scope and the time `now`.
///
/// The first rule that holds decides. A difference in the request is told before anything about
/// time or state, so that nobody waits for a lease to end only to be refused after it. An equal
/// request is never a conflict.
///
///    # | found          | condition                                          | verdict
///    1 | nothing        | the key tells its birth, birth + tombstone_window  | expired
///    (maybe_seen)
///      |                | <= now, and the policy refuses old keys            |
///    2 | nothing        |                                                    | create
///    3 | ended, no hold | forget_at <= now                                   | as if nothing was
///    found 4 | any            | the request has no fingerprint under its scheme    | incomparable
///    5 | any            | another fingerprint under its scheme               | conflict
///    6 | completed      | now < replay_until                                 | replay
///    7 | completed,     |                                                    | expired
///      | tombstone      |                                                    |
///    8 | unknown        |                                                    | unknown
///    9 | in_progress    | now < lease_end + max_skew                         | in_progress
///   10 | in_progress    | attempts left, and the policy takes over           | take_over
///   11 | in_progress    |                                                    | unknown (to be
///   written)
///
/// Where a fence can't rise any more (2^63 - 1), rules 2 and 3 don't hold (rule 7 does) and rule 10
/// does not (rule 11 does): nobody gets a permit that an older one could pass for.
///
/// A replay carries a copy of the answer. Handed over with std::move, the answer is moved out of
/// `found` (and what else the verdict carries), and nothing is allocated.
///
/// Requires: `found`, if anything, is the receipt of request.scope (asserted).
/// Errors:   none; every input has a verdict.
/// Source:   docs/judgement.md, which also says why in this order.
[[nodiscard]] Verdict judge(const Request& request, const std::optional<Receipt>& found,
                            Instant now, const Policy& policy);
[[nodiscard]] Verdict judge(const Request& request, std::optional<Receipt>&& found, Instant now,
                            const Policy& policy);

}  // namespace counterfoil
