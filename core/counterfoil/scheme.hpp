#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "counterfoil/field_selection.hpp"
#include "counterfoil/result.hpp"

namespace counterfoil {

/// Which bytes of an intent are hashed.
enum class Form {
    exact_json,  ///< canonical JSON with exact numbers: equal values and only those are equal
    rfc8785,     ///< RFC 8785 to the letter, numbers as IEEE 754 doubles
    raw,         ///< the bytes as they came
};

/// How a fingerprint is made. Its name is stored beside every digest and says all of it, so that a
/// receipt can be judged under its own scheme however the present one has changed:
///
///   name      = ["hmac-"] form [";" selection] [";secret=" text]
///   form      = "exact-json" / "rfc8785" / "raw"
///   selection = ("only=" / "omit=") text *("," text)   JSON Pointers, rising in byte order
///   text      = *(plain / "%" 2HEX)                    upper-case HEX, of a byte that is not plain
///   plain     = %x21-7E except "%" "," ";" "="
///
/// `exact-json`, `exact-json;omit=/trace_id`, `hmac-raw;secret=2026-q4`. *Stored; never changed.*
///
/// A scheme whose secret is the empty text, or that selects fields of raw bytes, is none: its name
/// does not parse, and no fingerprint is made under it.
struct Scheme {
    Form form{Form::exact_json};
    FieldSelection fields;              ///< everything by default; always everything for raw
    std::optional<std::string> secret;  ///< id of the HMAC secret; SHA-256 without

    friend bool operator==(const Scheme&, const Scheme&) = default;
};

/// A scheme's name as it is stored. A receipt may carry one that nobody here knows.
struct SchemeName {
    std::string text;

    friend bool operator==(const SchemeName&, const SchemeName&) = default;
    friend auto operator<=>(const SchemeName&, const SchemeName&) = default;
};

/// Writes a scheme's name, in one allocation at most.
[[nodiscard]] SchemeName name_of(const Scheme& scheme);

enum class SchemeFault {
    unknown_form,         ///< what stands before the first `;`, without `hmac-`, is no form
    unknown_option,       ///< none of `only=`, `omit=`, `secret=`
    option_out_of_order,  ///< or given twice, or omit= beside only=
    bad_text,             ///< a byte or an escape that the grammar does not have
    bad_pointer,          ///< one that FieldSelection refuses
    not_normal,           ///< a list unsorted or with repeats: it would not be written so
    secret_missing,       ///< hmac- without secret=, or with an empty one
    secret_unused,        ///< secret= without hmac-
    selection_of_bytes,   ///< raw with only= or omit=
};

struct SchemeError {
    SchemeFault fault{};
    std::size_t at{};  ///< byte offset in the name of the form, option, pointer or byte at fault;
                       ///< the end of the name where secret= is missing

    friend bool operator==(const SchemeError&, const SchemeError&) = default;
};

/// Reads a scheme's name, whatever its bytes, in time linear in its length.
///
/// For every scheme s that is one, parse_scheme(name_of(s)) is s; for every name n that parses,
/// name_of(parse_scheme(n)) is n.
///
/// Errors: the first fault from left to right; of one option, its place before its text, and of a
///         list, how it is written before what its pointers say.
[[nodiscard]] Result<Scheme, SchemeError> parse_scheme(std::string_view name);

}  // namespace counterfoil
