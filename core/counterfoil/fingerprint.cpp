#include "counterfoil/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

#include <openssl/crypto.h>

#include "counterfoil/canonical_fields.hpp"
#include "counterfoil/http_document.hpp"
#include "counterfoil/overloaded.hpp"

namespace counterfoil {
namespace {

/// What a scheme has to digest for an intent: bytes as they are, or JSON to canonicalize.
struct JsonText {
    std::string_view text;
    std::size_t max_depth{};
};

struct JsonTree {
    const boost::json::value* value{};
    std::size_t max_depth{};
};

struct PlainBytes {
    std::string_view bytes;
};

using Material = std::variant<PlainBytes, JsonText, JsonTree>;

FingerprintError unreadable(const JsonError& error, std::string_view part = {}) {
    return {FingerprintFault::unreadable_json, error, std::string{part}};
}

bool is_scheme(const Scheme& scheme) {
    const bool selects = scheme.fields.kind() != FieldSelection::Kind::everything;
    if (scheme.form == Form::raw && selects) return false;
    return !scheme.secret || !scheme.secret->empty();
}

/// The depth limit of the document round a body, given that of the body.
std::size_t document_depth(std::size_t body_depth) {
    const auto room = std::numeric_limits<std::size_t>::max() - detail::http_document_wrapping;
    return std::max(std::min(body_depth, room) + detail::http_document_wrapping,
                    detail::http_document_depth);
}

detail::CanonicalFields one_field(std::string_view bytes, std::size_t max_fields) {
    if (max_fields == 0) return {{}, 1};
    return {{{"", bytes}}, 0};
}

/// The pointer goes in first, after its length in 8 bytes, so that equal values in two places don't
/// look equal: whoever reads the digests learns nothing from comparing fields of one intent.
std::array<std::uint8_t, 16> digest_of(HmacSha256& hmac, const detail::CanonicalField& field) {
    std::array<char, 8> size{};
    auto left = static_cast<std::uint64_t>(field.pointer.size());
    for (auto byte = size.rbegin(); byte != size.rend(); ++byte, left >>= 8U) {
        *byte = static_cast<char>(static_cast<std::uint8_t>(left & 0xFFU));
    }
    hmac.update({size.data(), size.size()});
    hmac.update(field.pointer);
    hmac.update(field.value);
    const auto whole = hmac.finish();
    std::array<std::uint8_t, 16> first{};
    std::copy_n(whole.bytes.begin(), first.size(), first.begin());
    return first;
}

void wipe(std::string& secret) {
    OPENSSL_cleanse(secret.data(), secret.size());
    secret.clear();
}

}  // namespace

struct Fingerprinter::Workshop {
    explicit Workshop(Secrets given) : secrets(std::move(given)) {}

    ~Workshop() {
        for (auto& [id, secret] : secrets) wipe(secret);
    }

    Workshop(const Workshop&) = delete;
    Workshop& operator=(const Workshop&) = delete;
    Workshop(Workshop&&) = delete;
    Workshop& operator=(Workshop&&) = delete;

    Canonicalizer& canonicalizer(Form form, std::size_t max_depth) {
        auto& chosen = form == Form::rfc8785 ? ieee754 : exact;
        chosen.set_max_depth(max_depth);
        return chosen;
    }

    /// The keyed digest for a secret; nothing if there is no such secret.
    HmacSha256* hmac(std::string_view id) {
        if (const auto ready = hmacs.find(id); ready != hmacs.end()) return &ready->second;
        const auto found = secrets.find(id);
        if (found == secrets.end()) return nullptr;
        auto& made = hmacs.emplace(id, HmacSha256{found->second}).first->second;
        wipe(found->second);
        return &made;
    }

    /// The scheme of that name; nothing if it does not parse. The last one is remembered, since one
    /// caller's receipts mostly have the same.
    const Scheme* scheme_named(const SchemeName& name) {
        if (!last_named || last_named->first != name) {
            auto parsed = parse_scheme(name.text);
            if (!parsed) return nullptr;
            last_named.emplace(name, *std::move(parsed));
        }
        return &last_named->second;
    }

    Result<Material, FingerprintError> material(const Scheme& scheme, const Intent& intent,
                                                std::size_t max_depth) {
        if (!is_scheme(scheme)) {
            return FingerprintError{FingerprintFault::unknown_scheme, {}, name_of(scheme).text};
        }
        using Made = Result<Material, FingerprintError>;
        const bool raw = scheme.form == Form::raw;
        return std::visit(overloaded{
                              [&](const intent::Json& json) -> Made {
                                  if (raw) return Material{PlainBytes{json.text}};
                                  return Material{JsonText{json.text, max_depth}};
                              },
                              [&](const intent::JsonValue& json) -> Made {
                                  if (raw)
                                      return FingerprintError{FingerprintFault::no_text, {}, {}};
                                  return Material{JsonTree{json.value, max_depth}};
                              },
                              [&](const intent::Bytes& given) -> Made {
                                  if (!raw)
                                      return FingerprintError{FingerprintFault::not_json, {}, {}};
                                  return Material{PlainBytes{given.bytes}};
                              },
                              [&](const intent::Http& http) -> Made {
                                  if (raw)
                                      return FingerprintError{FingerprintFault::no_text, {}, {}};
                                  return http_material(scheme.form, http, max_depth);
                              },
                          },
                          intent);
    }

    Result<Material, FingerprintError> http_material(Form form, const intent::Http& http,
                                                     std::size_t max_depth) {
        if (const auto error = document.write(http, sha256)) {
            return FingerprintError{FingerprintFault::invalid_utf8,
                                    JsonError{JsonFault::invalid_utf8, error->at},
                                    std::string{error->part}};
        }
        // The body is read by itself first: only if it is one JSON value does it stay within its
        // member, and only so do offsets count from its start.
        if (const auto* const body = std::get_if<intent::Json>(&http.body)) {
            const auto read = canonicalizer(form, max_depth).canonicalize(body->text);
            if (!read) return unreadable(read.error(), "body");
        }
        return Material{JsonText{document.text(), document_depth(max_depth)}};
    }

    template <class Hash>
    Result<Digest, FingerprintError> digest(const Scheme& scheme, const Material& what,
                                            Hash& hash) {
        using Made = Result<Digest, FingerprintError>;
        const auto checked = [](Result<Digest, JsonError> made) -> Made {
            if (!made) return unreadable(made.error());
            return *made;
        };
        return std::visit(overloaded{
                              [&](const PlainBytes& plain) -> Made {
                                  hash.update(plain.bytes);
                                  return hash.finish();
                              },
                              [&](const JsonText& json) {
                                  return checked(canonicalizer(scheme.form, json.max_depth)
                                                     .digest(json.text, scheme.fields, hash));
                              },
                              [&](const JsonTree& json) {
                                  return checked(canonicalizer(scheme.form, json.max_depth)
                                                     .digest(*json.value, scheme.fields, hash));
                              },
                          },
                          what);
    }

    Result<Digest, FingerprintError> digest(const Scheme& scheme, const Intent& intent,
                                            std::size_t max_depth) {
        HmacSha256* keyed = nullptr;
        if (scheme.secret && is_scheme(scheme)) {
            keyed = hmac(*scheme.secret);
            if (keyed == nullptr) {
                return FingerprintError{FingerprintFault::missing_secret, {}, *scheme.secret};
            }
        }
        const auto what = material(scheme, intent, max_depth);
        if (!what) return what.error();
        return keyed != nullptr ? digest(scheme, *what, *keyed) : digest(scheme, *what, sha256);
    }

    Result<std::string_view, FingerprintError> canonical_bytes(const Scheme& scheme,
                                                               const Intent& intent,
                                                               std::size_t max_depth) {
        const auto what = material(scheme, intent, max_depth);
        if (!what) return what.error();
        using Made = Result<std::string_view, FingerprintError>;
        const auto checked = [](Result<std::string_view, JsonError> made) -> Made {
            if (!made) return unreadable(made.error());
            return *made;
        };
        return std::visit(overloaded{
                              [](const PlainBytes& plain) -> Made { return plain.bytes; },
                              [&](const JsonText& json) {
                                  return checked(canonicalizer(scheme.form, json.max_depth)
                                                     .canonicalize(json.text, scheme.fields));
                              },
                              [&](const JsonTree& json) {
                                  return checked(canonicalizer(scheme.form, json.max_depth)
                                                     .canonicalize(*json.value, scheme.fields));
                              },
                          },
                          *what);
    }

    Secrets secrets;
    std::map<std::string, HmacSha256, std::less<>> hmacs;
    Sha256 sha256;
    Canonicalizer exact{Numbers::exact};
    Canonicalizer ieee754{Numbers::ieee754};
    detail::HttpDocument document;
    std::optional<std::pair<SchemeName, Scheme>> last_named;
};

Fingerprinter::Fingerprinter(Secrets secrets)
    : workshop_(std::make_unique<Workshop>(std::move(secrets))) {}

Fingerprinter::~Fingerprinter() = default;
Fingerprinter::Fingerprinter(Fingerprinter&&) noexcept = default;
Fingerprinter& Fingerprinter::operator=(Fingerprinter&&) noexcept = default;

Result<Fingerprint, FingerprintError> Fingerprinter::fingerprint(const Scheme& scheme,
                                                                 const Intent& intent,
                                                                 std::size_t max_depth) {
    auto digest = workshop_->digest(scheme, intent, max_depth);
    if (!digest) return std::move(digest).error();
    return Fingerprint{name_of(scheme), *digest};
}

Result<Fingerprint, FingerprintError> Fingerprinter::fingerprint(const SchemeName& scheme,
                                                                 const Intent& intent,
                                                                 std::size_t max_depth) {
    const auto* const known = workshop_->scheme_named(scheme);
    if (known == nullptr) {
        return FingerprintError{FingerprintFault::unknown_scheme, {}, scheme.text};
    }
    auto digest = workshop_->digest(*known, intent, max_depth);
    if (!digest) return std::move(digest).error();
    return Fingerprint{scheme, *digest};
}

Result<std::string_view, FingerprintError> Fingerprinter::canonical_bytes(const Scheme& scheme,
                                                                          const Intent& intent,
                                                                          std::size_t max_depth) {
    return workshop_->canonical_bytes(scheme, intent, max_depth);
}

Result<FieldDigests, FingerprintError> Fingerprinter::field_digests(const Scheme& scheme,
                                                                    const Intent& intent,
                                                                    const FieldDigestRules& rules,
                                                                    std::size_t max_depth) {
    auto* const hmac = workshop_->hmac(rules.secret);
    if (hmac == nullptr) {
        return FingerprintError{FingerprintFault::missing_secret, {}, rules.secret};
    }
    auto bytes = workshop_->canonical_bytes(scheme, intent, max_depth);
    if (!bytes) return std::move(bytes).error();

    const auto cut = scheme.form == Form::raw
                         ? one_field(*bytes, rules.max_fields)
                         : detail::canonical_fields(*bytes, rules.depth, rules.max_fields);
    FieldDigests made{rules, {}, cut.left_out};
    made.fields.reserve(cut.first.size());
    for (const auto& field : cut.first) {
        made.fields.push_back({field.pointer, digest_of(*hmac, field)});
    }
    return made;
}

}  // namespace counterfoil
