#include "counterfoil/retention.hpp"

#include <utility>

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

namespace {

// The receipt as it is, but for its state.
Receipt with_state(const Receipt& receipt, State state) {
    return Receipt{receipt.scope,   receipt.fingerprint, receipt.fence,  receipt.created_at,
                   receipt.attempt, std::move(state),    receipt.fields, receipt.hold};
}

}  // namespace

Retention sweep(const Receipt& receipt, Instant now, const Policy& policy) {
    if (const auto forget_at = forgotten_from(receipt); forget_at && now >= *forget_at) {
        return retention::Purge{Erase{receipt.scope, receipt.fence}, *forget_at};
    }
    return std::visit(
        overloaded{
            [&](const state::InProgress& held) -> Retention {
                const Instant lapsed_at = held.lease_end + policy->max_skew;
                const Instant abandoned_at = lapsed_at + policy->abandon_after;
                if (now < abandoned_at) return retention::Keep{abandoned_at};
                return retention::MarkUnknown{Replace{
                    with_state(receipt, state::Unknown{lapsed_at, UnknownCause::lease_lapsed,
                                                       held.checkpoint}),
                    receipt.fence}};
            },
            [](const state::Unknown&) -> Retention { return retention::Keep{std::nullopt}; },
            [&](const state::Completed& completed) -> Retention {
                if (receipt.hold) return retention::Keep{std::nullopt};
                if (now < completed.replay_until) return retention::Keep{completed.replay_until};
                return retention::MakeTombstone{Replace{
                    with_state(receipt,
                               state::Tombstone{ending_of(completed), now, completed.forget_at}),
                    receipt.fence}};
            },
            [&](const state::Tombstone& tombstone) -> Retention {
                if (receipt.hold) return retention::Keep{std::nullopt};
                return retention::Keep{tombstone.forget_at};
            },
        },
        receipt.state);
}

}  // namespace counterfoil
