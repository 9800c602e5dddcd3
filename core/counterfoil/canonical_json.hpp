#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string_view>

#include "counterfoil/field_selection.hpp"
#include "counterfoil/result.hpp"
#include "counterfoil/sha256.hpp"

namespace boost::json {
class value;
}  // namespace boost::json

namespace counterfoil {

/// How a number is written in canonical JSON.
enum class Numbers {
    exact,    ///< with its exact decimal value, of any size and precision
    ieee754,  ///< as the nearest IEEE 754 double, as RFC 8785 has it
};

/// Why a text has no canonical form, and at which of its bytes that shows.
enum class JsonFault {
    syntax,              ///< not JSON: the first byte that can't stand there
    unexpected_end,      ///< not JSON yet: the size of the text
    trailing_text,       ///< the first byte behind the document that isn't white space
    byte_order_mark,     ///< 0
    invalid_utf8,        ///< in a string: the first byte of the malformed sequence
    lone_surrogate,      ///< the backslash of the escape that lacks its other half
    duplicate_name,      ///< the quote that opens the name's second appearance in its object
    too_deep,            ///< the bracket or brace that opens one level too many
    number_out_of_range  ///< the first byte of the number
};

struct JsonError {
    JsonFault fault{};
    std::size_t at = 0;

    friend bool operator==(const JsonError&, const JsonError&) = default;
};

namespace detail {

/// Which way text is read: 16 bytes at a time where the processor can, or by single bytes.
enum class Blocks { fastest, portable };

}  // namespace detail

/// Writes JSON text in its canonical form, or says what is wrong with it and where.
///
/// Equal JSON values, and only those, have equal bytes. No white space; members in the order of the
/// UTF-16 code units of their names; strings raw but for quote, backslash and controls; nothing
/// is normalised. Numbers::exact tells any two numbers apart, and gives the bytes of RFC 8785
/// wherever a double loses nothing; Numbers::ieee754 is RFC 8785 to the letter.
///
/// The fault told is the one found first while reading from the front; a duplicate name is found
/// where its object ends, and of several the one that stands first is told.
///
/// numbers out of range: for exact, an exponent in scientific notation beyond +-999,999,999; for
/// ieee754, what rounds to infinity (what is too small is zero).
///
/// Keep one and use it again: its buffers grow to what the texts need, and what a text of more than
/// `retained_bytes` took is given back. Nothing is read behind the end of the text.
///
/// Threads: one a thread.
/// Source:  RFC 8785; RFC 8259; RFC 7493 for the duplicates and surrogates that are refused.
class Canonicalizer {
public:
    static constexpr std::size_t default_max_depth = 128;
    static constexpr std::size_t retained_bytes = std::size_t{1} << 20U;

    /// Requires: nothing; a `max_depth` of 0 accepts scalars only.
    explicit Canonicalizer(Numbers numbers = Numbers::exact,
                           std::size_t max_depth = default_max_depth,
                           detail::Blocks blocks = detail::Blocks::fastest);
    ~Canonicalizer();
    Canonicalizer(Canonicalizer&&) noexcept;
    Canonicalizer& operator=(Canonicalizer&&) noexcept;
    Canonicalizer(const Canonicalizer&) = delete;
    Canonicalizer& operator=(const Canonicalizer&) = delete;

    /// Sets the depth limit for what is read from now on.
    void set_max_depth(std::size_t max_depth) noexcept;

    /// The canonical bytes of what is selected; they stand until the next call.
    [[nodiscard]] Result<std::string_view, JsonError> canonicalize(
        std::string_view text, const FieldSelection& selection = {});

    /// The digest of the canonical bytes, without putting them all in one place.
    ///
    /// Requires: nothing of another message is in the hash.
    [[nodiscard]] Result<Digest, JsonError> digest(std::string_view text,
                                                   const FieldSelection& selection, Sha256& hash);
    [[nodiscard]] Result<Digest, JsonError> digest(std::string_view text,
                                                   const FieldSelection& selection,
                                                   HmacSha256& hash);

    /// The same bytes for a value that was parsed or built elsewhere.
    ///
    /// Integers are exact; a double is the shortest decimal that reads back as it. NaN and infinity
    /// are out of range. A value has no text, so the place of an error is always 0. Only a value
    /// itself will do: what merely converts to one is taken for text.
    template <std::same_as<boost::json::value> Value>
    [[nodiscard]] Result<std::string_view, JsonError> canonicalize(
        const Value& value, const FieldSelection& selection = {}) {
        return canonicalize_value(value, selection);
    }

    template <std::same_as<boost::json::value> Value, class Hash>
    [[nodiscard]] Result<Digest, JsonError> digest(const Value& value,
                                                   const FieldSelection& selection, Hash& hash) {
        return digest_value(value, selection, hash);
    }

private:
    Result<std::string_view, JsonError> canonicalize_value(const boost::json::value& value,
                                                           const FieldSelection& selection);
    Result<Digest, JsonError> digest_value(const boost::json::value& value,
                                           const FieldSelection& selection, Sha256& hash);
    Result<Digest, JsonError> digest_value(const boost::json::value& value,
                                           const FieldSelection& selection, HmacSha256& hash);

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace counterfoil
