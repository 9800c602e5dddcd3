#pragma once

#include <iosfwd>
#include <optional>

#include <counterfoil/fingerprint.hpp>
#include <counterfoil/instant.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/receipt.hpp>
#include <counterfoil/request.hpp>
#include <counterfoil/settle.hpp>
#include <rapidcheck.h>

#include "generators/values.hpp"

namespace counterfoil {

/// How a request compares with the receipt that is found.
enum class Likeness { same, other, incomparable };

std::ostream& operator<<(std::ostream& out, Likeness likeness);

/// Everything that judge() is asked about at once.
struct Situation {
    Request request;
    std::optional<Receipt> found;
    Instant now;
    Policy policy;
};

std::ostream& operator<<(std::ostream& out, const Situation& situation);

namespace gen {

// Few values close together: equality, edges and collisions are where the bugs are.

/// One of the first 25 microseconds of time; one in twenty lies at either end of all time.
rc::Gen<Instant> instant();

/// One of three digests under one of three schemes, one of which nobody knows.
rc::Gen<Fingerprint> fingerprint();

rc::Gen<std::optional<Checkpoint>> checkpoint();
rc::Gen<Outcome> outcome();
rc::Gen<Resolution> resolution();

rc::Gen<State> in_progress();
rc::Gen<State> completed();
rc::Gen<State> unknown();
rc::Gen<State> tombstone();
rc::Gen<State> state();

/// A receipt in the given state, without a hold and, one time in two, with field digests.
rc::Gen<Receipt> receipt(rc::Gen<State> state);
/// A receipt in any state; one in five is on hold.
rc::Gen<Receipt> receipt();

/// A request of the receipt's scope that compares with it in this way.
rc::Gen<Request> request_for(const Receipt& receipt, Likeness likeness);
/// A request of any scope.
rc::Gen<Request> request();

/// An instant at which something about this receipt may change, or one tick beside it, or any.
rc::Gen<Instant> instant_near(const Receipt& receipt, const Policy& policy);

/// A situation in which a receipt in such a state is found. `now` lies near its boundaries.
rc::Gen<Situation> situation(rc::Gen<Receipt> found, Likeness likeness);
/// Any situation at all, nothing found among them.
rc::Gen<Situation> situation();

/// The policy of figures that are known to be valid (asserted).
Policy valid(PolicyFigures figures);

/// The policy, but for what it says of old keys.
Policy with_old_keys(const Policy& policy, OldKeys old_keys);

/// A UUIDv7 that was made so many milliseconds after the beginning of time.
Key key_born_at(std::int64_t unix_ms);

/// The permit that holds the receipt.
Permit permit_of(const Receipt& receipt);
/// A permit of the receipt's scope under another fence, older or newer.
rc::Gen<Permit> stranger(const Receipt& receipt);

}  // namespace gen
}  // namespace counterfoil
