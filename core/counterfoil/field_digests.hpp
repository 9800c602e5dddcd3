#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace counterfoil {

/// How the fields of an intent are digested one by one.
///
/// A field is what stands `depth` levels down in the intent's document, whatever it is, and above
/// that each scalar and each empty object or array: with 2, `/card` where that is a number, but
/// `/card/name` and `/card/address` where it is an object.
struct FieldDigestRules {
    std::string secret;    ///< id of the secret; digests of short values can be guessed without one
    std::size_t depth{2};  ///< 0: the whole document is the one field ""
    std::size_t max_fields{64};  ///< only the first so many, in byte order of their pointers

    friend bool operator==(const FieldDigestRules&, const FieldDigestRules&) = default;
};

/// The first 128 bits of HMAC-SHA-256 over the length of the pointer (8 bytes, big endian), the
/// pointer, and the field's canonical bytes.
///
/// The pointer is in it so that equal values in two places have different digests: a reader of the
/// store can tell that a field is the same in two intents, but not that two fields of one intent
/// are, nor look a value up that is known from another field. *Stored; never changed.*
struct FieldDigest {
    std::string pointer;  ///< JSON Pointer in the intent
    std::array<std::uint8_t, 16> digest{};

    friend bool operator==(const FieldDigest&, const FieldDigest&) = default;
};

/// A digest for each field of one intent: enough to tell which fields of two intents differ, and
/// not what they say.
struct FieldDigests {
    FieldDigestRules rules;
    std::vector<FieldDigest> fields;  ///< sorted by pointer, at most rules.max_fields
    std::size_t left_out{};           ///< how many more there were

    friend bool operator==(const FieldDigests&, const FieldDigests&) = default;
};

/// Names the fields in which two intents differ: those that only one has, and those whose digests
/// are not equal, sorted. Digests made under other rules can't be compared: nothing is named. Where
/// fields were left out, only those up to the last one kept on that side are compared.
///
/// The scheme isn't among the rules, and another scheme has other fields and other canonical bytes:
/// compare only what was made under one scheme, such as a receipt's and a request's whose
/// fingerprints name the same.
[[nodiscard]] std::vector<std::string> differing_fields(const FieldDigests& one,
                                                        const FieldDigests& other);

}  // namespace counterfoil
