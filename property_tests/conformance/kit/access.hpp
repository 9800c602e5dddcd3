#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "counterfoil/testing/conformance.hpp"

// What most rules do with a store, and the comparisons that they end with. A comparison that fails
// says which members differ, and ends the case.

namespace counterfoil::testing {

/// Runs one transaction and commits it.
void commit_with(Session& session, const std::function<void(ReceiptTable&)>& write);

/// An empty store with these receipts in it, committed by one session in one transaction.
void make_with(Subject& subject, const std::vector<Receipt>& receipts);

/// The receipt as a new session sees it.
std::optional<Receipt> peeked(Subject& subject, const Scope& scope);

/// `where` says in which of the rule's steps the receipt was read.
void expect_equal(const std::optional<Receipt>& found, const std::optional<Receipt>& expected,
                  std::string_view where);

/// The members in which two receipts differ, as text.
std::string differences(const std::optional<Receipt>& found,
                        const std::optional<Receipt>& expected);

}  // namespace counterfoil::testing
