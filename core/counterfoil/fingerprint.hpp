#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "counterfoil/canonical_json.hpp"
#include "counterfoil/field_digests.hpp"
#include "counterfoil/intent.hpp"
#include "counterfoil/result.hpp"
#include "counterfoil/scheme.hpp"
#include "counterfoil/sha256.hpp"

namespace counterfoil {

/// Digest of an intent together with the name of the scheme that made it.
struct Fingerprint {
    SchemeName scheme;
    Digest digest;

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Secrets by id, for the hmac- schemes and for conflict detail. Values, in memory only.
using Secrets = std::map<std::string, std::string, std::less<>>;

/// Why an intent has no fingerprint under a scheme. The first that holds is told; of an HTTP
/// intent's parts, actor, method, path, query, fields, body.
enum class FingerprintFault {
    unknown_scheme,   ///< the name does not parse, or the value is no scheme (scheme.hpp)
    missing_secret,   ///< no secret under that id
    not_json,         ///< a JSON scheme and an intent of mere bytes; they are never looked into
    no_text,          ///< raw, and an intent without bytes of its own: a parsed value, HTTP parts
    invalid_utf8,     ///< a part of an HTTP intent other than the body; `json` says where in it
    unreadable_json,  ///< `json` says what and where
};

struct FingerprintError {
    FingerprintFault fault{};
    /// For unreadable_json and invalid_utf8. Offsets count from the start of the JSON, or the part,
    /// as it was given; for a parsed value they are 0.
    std::optional<JsonError> json{};
    /// The scheme's name, the secret's id, or the part of the HTTP intent that is at fault.
    std::string detail;

    friend bool operator==(const FingerprintError&, const FingerprintError&) = default;
};

/// Makes fingerprints. Holds its buffers and digest contexts, so that a warm call for JSON text or
/// bytes allocates nothing but what its result needs: a scheme's name of more than 15 bytes.
///
/// How deep an intent may nest is said with each call, since it is the policy's business and not
/// the scheme's: it decides whether there is a fingerprint, never which. The parts of an HTTP
/// intent don't count, only the levels of its body.
///
/// A secret is turned into a keyed digest when it is first used, and its text overwritten then; all
/// of it is overwritten when the object goes. What copies the caller made are the caller's: hand
/// the secrets over with std::move. A moved-from object can only be assigned to or destroyed.
///
/// Threads: one each; an object is not shared between threads.
class Fingerprinter {
public:
    static constexpr std::size_t default_max_depth = Canonicalizer::default_max_depth;

    explicit Fingerprinter(Secrets secrets = {});
    ~Fingerprinter();
    Fingerprinter(Fingerprinter&&) noexcept;
    Fingerprinter& operator=(Fingerprinter&&) noexcept;
    Fingerprinter(const Fingerprinter&) = delete;
    Fingerprinter& operator=(const Fingerprinter&) = delete;

    /// Fingerprints an intent under a scheme. Never a fingerprint of something else, and never one
    /// of an unreadable body.
    [[nodiscard]] Result<Fingerprint, FingerprintError> fingerprint(
        const Scheme& scheme, const Intent& intent, std::size_t max_depth = default_max_depth);

    /// The same under a scheme that is known by name only, such as a receipt's.
    [[nodiscard]] Result<Fingerprint, FingerprintError> fingerprint(
        const SchemeName& scheme, const Intent& intent, std::size_t max_depth = default_max_depth);

    /// The bytes that a scheme digests for an intent, whatever its secret. Valid until the next
    /// call, and no longer than the intent.
    [[nodiscard]] Result<std::string_view, FingerprintError> canonical_bytes(
        const Scheme& scheme, const Intent& intent, std::size_t max_depth = default_max_depth);

    /// Digests each field of an intent by itself, so that a later conflict can name what differs.
    ///
    /// Fields are those of the scheme's selection, as field_digests.hpp says. Under raw there is
    /// the one field "", the bytes.
    [[nodiscard]] Result<FieldDigests, FingerprintError> field_digests(
        const Scheme& scheme, const Intent& intent, const FieldDigestRules& rules,
        std::size_t max_depth = default_max_depth);

private:
    struct Workshop;
    std::unique_ptr<Workshop> workshop_;
};

}  // namespace counterfoil
