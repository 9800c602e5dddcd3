#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/receipt.hpp"

namespace counterfoil {

/// What one side says of an effect.
enum class Standing {
    applied,      ///< it happened
    not_applied,  ///< it did not
    open,         ///< it can't say: in progress, or unknown
};

[[nodiscard]] std::string_view word(Standing which);

/// A sum of money as two sides compare it; what a side does not know is not compared.
struct Money {
    std::optional<std::string> amount{};  ///< as exact_amount() writes it; of ours, any other text
    std::optional<std::string> currency{};

    friend bool operator==(const Money&, const Money&) = default;
};

/// Writes a decimal number in the one form that all texts of its value have (canonical JSON,
/// exact): `12.50` and `1.25e1` are `12.5`. White space around it is passed over.
///
/// Returns: nothing for any other text, such as `12,50`.
/// Source:  RFC 8259 section 6 for what a number is.
[[nodiscard]] std::optional<std::string> exact_amount(std::string_view text);

/// Where a completed receipt's answer says how much it was: JSON Pointers into its body.
struct MoneyPointers {
    std::string amount{"/amount"};
    std::string currency{"/currency"};
};

/// One step of a receipt, as it is compared with a provider's log.
struct OurEffect {
    std::string key;  ///< the downstream key
    Scope scope;
    Standing standing{};
    Money money{};
    Instant at;  ///< when it came to this; of what is in progress, when it was first claimed
    Instant created_at{};  ///< of the receipt; its effect can't be older

    friend bool operator==(const OurEffect&, const OurEffect&) = default;
};

/// What a receipt says of a step. Completed with 2xx, or a tombstone of such, is applied; any other
/// end is not applied. The money is read from the body of a completed answer, where it is JSON and
/// has it: a number, or a text. An amount that is no number stays as it is, and so differs from any
/// of theirs.
///
/// Requires: the pointers are JSON Pointers; what is none selects nothing.
[[nodiscard]] OurEffect effect_of(const Receipt& receipt, std::string_view step,
                                  const MoneyPointers& pointers = {});

/// One line of a provider's log.
struct ProviderEntry {
    std::string key;  ///< the downstream key that it was called by
    Standing standing{};
    Money money{};
    Instant at;

    friend bool operator==(const ProviderEntry&, const ProviderEntry&) = default;
};

/// In what two sides differ.
enum class Difference {
    standing,  ///< one says that it happened, and the other does not
    amount,
    currency,
    applied_more_often  ///< the provider did it more than once
};

[[nodiscard]] std::string_view word(Difference which);

/// One downstream key, and what is known of it.
struct Comparison {
    std::string key;
    std::optional<OurEffect> ours{};
    std::vector<ProviderEntry> theirs{};  ///< by time, as the log has them where that is equal
    std::vector<Difference> differs{};

    friend bool operator==(const Comparison&, const Comparison&) = default;
};

/// Every key of either side, in just one of the groups, sorted by key.
struct Reconciliation {
    std::vector<Comparison> matched{};      ///< both say the same
    std::vector<Comparison> only_ours{};    ///< ours is applied or open, and they never heard of it
    std::vector<Comparison> only_theirs{};  ///< they applied it, and there is no receipt
    std::vector<Comparison> differing{};    ///< both have it, and not the same of it
    std::vector<Comparison> pending{};      ///< too young to say

    /// Whether somebody should look.
    [[nodiscard]] bool has_findings() const {
        return !only_ours.empty() || !only_theirs.empty() || !differing.empty();
    }

    friend bool operator==(const Reconciliation&, const Reconciliation&) = default;
};

/// Compares receipts with a provider's log, key by key. The first that holds:
///
///   ours, or the last of theirs, is younger than `grace` | pending
///   no receipt, they applied it                          | only theirs
///   no receipt, they did not                             | matched: nobody did anything
///   ours is not applied, and no line of theirs           | matched
///   ours is applied or open, and no line of theirs       | only ours
///   both                                                 | matched, or differing: standing, and,
///                                                        | where both applied it, amount, currency
///                                                        | and how often
///
/// A provider has applied what any line of the key says was applied; money is compared with the
/// last such line. Ours that is open differs from theirs whatever that is: somebody can rule now.
///
/// Requires: keys of ours are different from each other (the last of equal ones is taken).
[[nodiscard]] Reconciliation reconcile(const std::vector<OurEffect>& ours,
                                       const std::vector<ProviderEntry>& theirs, Instant now,
                                       Span grace);

/// Which comparisons are asked for; what is not given asks for all.
struct ComparisonFilter {
    std::optional<Tenant> tenant{};
    std::optional<Operation> operation{};
    std::optional<Instant> from{};
};

/// Whether a comparison is asked for: its receipt is of the tenant and the operation, and its time
/// is at or after `from`. What has no receipt can't be told to be another tenant's or operation's,
/// and passes those two. The time is
///
///   without a line of theirs | when our receipt was created: a log that reaches back to `from`
///                            | has all that it can have done
///   without a receipt        | the last line that was applied, or else the last line
///   both                     | the latest of ours and of their lines
[[nodiscard]] bool selects(const ComparisonFilter& filter, const Comparison& one);

/// Leaves out what is not asked for, and changes nothing else.
///
/// A side must not be filtered before it is compared: what is left of the other side would look as
/// if only that one knew it. But an effect of ours that has no line in the log, and that selects()
/// refuses by itself, may be left out beforehand, to spare memory: the result is the same.
[[nodiscard]] Reconciliation select(Reconciliation all, const ComparisonFilter& filter);

}  // namespace counterfoil
