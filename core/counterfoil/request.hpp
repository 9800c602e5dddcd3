#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "counterfoil/field_digests.hpp"
#include "counterfoil/fingerprint.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/policy.hpp"

namespace counterfoil {

/// What a request would be under a scheme that is not the present one.
struct OtherFingerprint {
    SchemeName scheme;
    /// Nothing where the intent can't be read under that scheme: what a receipt under it was made
    /// from could be, so it is equal to none.
    std::optional<Digest> digest;

    friend bool operator==(const OtherFingerprint&, const OtherFingerprint&) = default;
};

/// A request as judge() sees it: whose, and what it wants, under every scheme that it may be
/// compared under. Make one with make_request() and, once the receipt is loaded, compare_under().
struct Request {
    Scope scope;
    Fingerprint fingerprint;               ///< under the present scheme; goes into a new receipt
    std::optional<FieldDigests> fields;    ///< go into a new receipt, and explain a conflict
    std::vector<OtherFingerprint> others;  ///< under schemes of receipts that live on

    friend bool operator==(const Request&, const Request&) = default;
};

/// Makes a request of a scope and an intent, under the scheme and with the detail that a policy
/// asks for.
///
/// Errors: what Fingerprinter::fingerprint says, with the policy's max_depth; among it
///         unknown_scheme and missing_secret where the policy asks for what is not here.
[[nodiscard]] Result<Request, FingerprintError> make_request(Scope scope, const Intent& intent,
                                                             const Policy& policy,
                                                             Fingerprinter& fingerprinter);

/// Gives a request its fingerprint under the scheme of a receipt that was found, if it lacks it.
///
///   under that scheme, the intent ...                   | the request gets
///   has a fingerprint                                   | that digest
///   can't be read: unreadable_json, invalid_utf8        | no digest: it is equal to none
///   has a duplicate name                                | nothing, and judge() says incomparable
///   is of another kind: not_json, no_text               | nothing, and judge() says incomparable
///   can't be told of: unknown_scheme, missing_secret    | nothing, and judge() says incomparable
///
/// An intent of another kind is mostly one that is handed in in another way since the scheme was
/// changed: bytes under raw now, JSON before. It may well be the same request, so it is not called
/// a conflict; nor is text with a duplicate name, which Boost.JSON swallows when it makes a value
/// of it. To have such receipts compared, hand the intent in as JSON text, which every scheme
/// takes, or hand it in here as it was when they were written.
///
/// No depth limit applies: a receipt may be older than the present one.
void compare_under(const SchemeName& scheme, Request& request, const Intent& intent,
                   Fingerprinter& fingerprinter);

}  // namespace counterfoil
