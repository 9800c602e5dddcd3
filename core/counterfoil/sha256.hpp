#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace counterfoil {

/// What SHA-256 makes of a message, or HMAC-SHA-256 of a message and a secret.
struct Digest {
    std::array<std::uint8_t, 32> bytes{};

    friend bool operator==(const Digest&, const Digest&) = default;
    friend std::strong_ordering operator<=>(const Digest&, const Digest&) = default;
};

/// The digest as 64 lower-case hexadecimal digits, as sha256sum prints it.
[[nodiscard]] std::string to_hex(const Digest& digest);

/// Reads 64 hexadecimal digits of either case; nothing for any other text.
[[nodiscard]] std::optional<Digest> digest_from_hex(std::string_view text);

/// Computes SHA-256 of messages that come in pieces, one message after the other.
///
/// Keep one and use it again: making one costs more than hashing a short message. A moved-from
/// object can only be assigned to or destroyed.
///
/// Errors:  std::bad_alloc if OpenSSL can't give what it needs; nothing else is thrown.
/// Threads: one a thread.
/// Source:  FIPS 180-4.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    /// Appends a piece of the message; pieces of any size give the digest of the whole.
    void update(std::string_view piece);

    /// The digest of all pieces since the last one; the next piece begins another message.
    [[nodiscard]] Digest finish();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// Computes HMAC-SHA-256 under one secret, with the interface of Sha256.
///
/// Compare the digests of two secrets' holders in constant time if either may be an attacker's.
///
/// Errors:  std::bad_alloc, as Sha256.
/// Threads: one a thread.
/// Source:  RFC 2104.
class HmacSha256 {
public:
    explicit HmacSha256(std::string_view key);
    ~HmacSha256();
    HmacSha256(HmacSha256&&) noexcept;
    HmacSha256& operator=(HmacSha256&&) noexcept;
    HmacSha256(const HmacSha256&) = delete;
    HmacSha256& operator=(const HmacSha256&) = delete;

    void update(std::string_view piece);
    [[nodiscard]] Digest finish();

private:
    struct Pads;
    Sha256 hash_;
    std::unique_ptr<Pads> pads_;
};

/// The SHA-256 of one message, for where only a few are made: it makes a Sha256 for each.
[[nodiscard]] Digest sha256(std::string_view message);

}  // namespace counterfoil
