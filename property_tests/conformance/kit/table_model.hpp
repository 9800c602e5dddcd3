#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <counterfoil/receipt.hpp>

// What a store may answer, kept in maps.
//
// With a lock there is one answer to each question. A store without one may let two transactions
// run at once: then find may see any state that was committed since its transaction began, if it
// sees the same each time, and a write may be refused once somebody has come in between. What no
// store may do is commit a write that stands on what is no longer so.

namespace counterfoil::testing {

using Found = std::optional<Receipt>;

/// All that was ever committed, state after state.
class Committed {
public:
    [[nodiscard]] std::size_t latest() const { return states_.size() - 1; }

    [[nodiscard]] Found at(std::size_t state, const Scope& scope) const;

    [[nodiscard]] Found now(const Scope& scope) const { return at(latest(), scope); }

    void append(const std::map<Scope, Found>& writes);

private:
    std::vector<std::map<Scope, Receipt>> states_{1};
};

/// One open transaction: what it has seen and written. Each function ends the case where a sound
/// store could not have answered so.
class TransactionModel {
public:
    explicit TransactionModel(const Committed& committed)
        : committed_{committed}, began_{committed.latest()} {}

    /// find() has answered.
    void found(const Scope& scope, const Found& answer);

    /// A write that needs a receipt that `fits` has answered true or false.
    void wrote(const Scope& scope, const std::function<bool(const Found&)>& fits,
               const Found& written, bool answer);

    /// commit() has come back: nothing that it stands on may have changed.
    void committed() const;

    [[nodiscard]] const std::map<Scope, Found>& writes() const { return written_; }

    /// What the transaction takes for so.
    [[nodiscard]] Found view(const Scope& scope) const;

    /// Whether somebody has committed since it began.
    [[nodiscard]] bool was_overtaken() const { return committed_.latest() > began_; }

private:
    /// What find() may see, unless the transaction has written it.
    [[nodiscard]] std::vector<Found> candidates(const Scope& scope) const;

    const Committed& committed_;
    std::size_t began_;
    std::map<Scope, Found> seen_;
    std::map<Scope, Found> written_;
};

}  // namespace counterfoil::testing
