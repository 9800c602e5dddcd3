#pragma once

#include <bitset>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "counterfoil/instant.hpp"
#include "counterfoil/result.hpp"

namespace counterfoil {

namespace detail {
class NameParser;
}

/// A name that has passed its parser; two kinds of name are two types and can't be mixed up.
///
/// Compared byte by byte: no case folding, no Unicode normalisation, no trimming.
template <class Tag>
class Name {
public:
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    friend bool operator==(const Name&, const Name&) = default;
    friend auto operator<=>(const Name&, const Name&) = default;

private:
    friend class detail::NameParser;

    explicit Name(std::string text) : text_(std::move(text)) {}

    std::string text_;
};

/// Whose request it is: the account, not the credential, so that a rotated credential still finds
/// its receipts.
using Tenant = Name<struct TenantTag>;

/// What kind of thing is asked for, `create_order` or `POST /orders`; it chooses the policy.
using Operation = Name<struct OperationTag>;

/// The client's idempotency key. Never invented by the server.
using Key = Name<struct KeyTag>;

/// Where a key is unique. All three parts are always present; none has a default.
struct Scope {
    Tenant tenant;
    Operation operation;
    Key key;

    friend bool operator==(const Scope&, const Scope&) = default;
    friend auto operator<=>(const Scope&, const Scope&) = default;
};

enum class NameFault {
    empty,           ///< no byte at all
    blank,           ///< nothing but spaces and tabs
    too_short,       ///< fewer bytes than the rules ask for
    too_long,        ///< more bytes than the rules allow
    forbidden_byte,  ///< a byte that the rules do not allow, at `at`
};

/// Why a text is no name.
struct NameError {
    NameFault fault{};
    std::size_t
        at{};  ///< offset of the offending byte; for too_short and too_long the length limit
    std::size_t length{};  ///< how many bytes the text has

    friend bool operator==(const NameError&, const NameError&) = default;
};

/// The bytes 0x21 to 0x7E: printable ASCII without space.
[[nodiscard]] std::bitset<256> visible_ascii();

/// What a key may look like. Length in bytes, both bounds inclusive.
struct KeyRules {
    std::size_t min_length{1};
    std::size_t max_length{255};
    std::bitset<256> allowed{visible_ascii()};

    /// Every key that any rules have let in, for reading back what is stored.
    [[nodiscard]] static KeyRules widest();

    friend bool operator==(const KeyRules&, const KeyRules&) = default;
};

/// Parses an account: 1 to 255 bytes of printable ASCII, spaces inside but not at either end.
///
/// Errors: the first that holds of empty, blank, too_long, forbidden_byte.
[[nodiscard]] Result<Tenant, NameError> parse_tenant(std::string_view text);

/// Parses the name of an operation, under the rules of a tenant.
[[nodiscard]] Result<Operation, NameError> parse_operation(std::string_view text);

/// Parses a key as it came, untrimmed: what a transport wraps round it is the transport's to
/// remove.
///
/// Errors: the first that holds of empty, blank, too_short, too_long, forbidden_byte. Empty and
///         blank keys are refused whatever the rules say.
[[nodiscard]] Result<Key, NameError> parse_key(std::string_view text, const KeyRules& rules = {});

/// When a key says that it was made, if it is of a kind that tells.
///
/// A UUIDv7 (36 characters, hexadecimal in either case, version 7, variant 10xx) and a ULID (26
/// characters of Crockford's base 32 in either case, at most 7ZZ...) begin with 48 bits of Unix
/// milliseconds. Any other key tells nothing. The client's clock made it: believe it as far as you
/// believe the client.
///
/// Source: RFC 9562 section 5.7; the ULID specification (github.com/ulid/spec).
[[nodiscard]] std::optional<Instant> birth(const Key& key);

}  // namespace counterfoil
