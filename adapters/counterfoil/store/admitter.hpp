#pragma once

#include <optional>

#include "counterfoil/admission.hpp"
#include "counterfoil/request.hpp"

namespace counterfoil {

/// Says whether a request may run that judge() has given leave for: where a limiter, a quota or a
/// breaker is asked. A store that is set up with one (Setup::admitter) asks it
///
/// - after the verdict and never before: a request that is answered by a receipt is not asked
/// about;
/// - outside a transaction and with no lock or connection of the store's held, so it may take its
///   time; on a transaction that the embedder has open (guest.hpp), that one stays open;
/// - at most once a call.
///
/// A request that it refuses leaves no trace: no receipt, no row, and the receipt that it would
/// have taken over stays as it was. One that it admits may still be answered by a receipt that
/// somebody else has written meanwhile, so what it took from a budget may have been taken for
/// nothing.
///
/// Threads: asked from all that call the store, at the same time.
class Admitter {
public:
    Admitter() = default;
    Admitter(const Admitter&) = delete;
    Admitter& operator=(const Admitter&) = delete;
    virtual ~Admitter() = default;

    /// Why the request may not run now; nothing where it may. admit() has the table for it.
    ///
    /// What it throws leaves the call, and nothing was written: it fails closed.
    [[nodiscard]] virtual std::optional<admission::Refused> refusal_of(const Request& request) = 0;
};

}  // namespace counterfoil
