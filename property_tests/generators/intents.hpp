#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <counterfoil/fingerprint.hpp>
#include <counterfoil/intent.hpp>
#include <counterfoil/request.hpp>
#include <rapidcheck.h>

#include "generators/printing.hpp"
#include "generators/schemes.hpp"

// Intents, drawn from few values close together, and how they and what is made of them
// print.
namespace counterfoil {

std::ostream& operator<<(std::ostream& out, const Fingerprint& fingerprint);
std::ostream& operator<<(std::ostream& out, FingerprintFault fault);
std::ostream& operator<<(std::ostream& out, const FingerprintError& error);
std::ostream& operator<<(std::ostream& out, const FieldDigest& field);
std::ostream& operator<<(std::ostream& out, const FieldDigests& fields);
std::ostream& operator<<(std::ostream& out, const OtherFingerprint& other);

namespace gen {

/// A JSON document in some spelling, and the value that it spells.
struct SpeltJson {
    std::string text;
    std::string canonical;

    friend bool operator==(const SpeltJson&, const SpeltJson&) = default;
};

std::ostream& operator<<(std::ostream& out, const SpeltJson& json);

rc::Gen<SpeltJson> spelt_json();

/// The same value in this spelling or another.
rc::Gen<SpeltJson> spelt_like(const SpeltJson& json);

/// An HTTP intent that owns its parts.
struct HttpParts {
    struct Bytes {
        std::string bytes;

        friend bool operator==(const Bytes&, const Bytes&) = default;
        friend std::ostream& operator<<(std::ostream& out, const Bytes& raw);
    };

    std::optional<std::string> actor;
    std::optional<std::string> method;
    std::optional<std::string> path;
    std::vector<std::pair<std::string, std::string>> query;
    std::variant<std::monostate, SpeltJson, Bytes> body;
    std::vector<std::pair<std::string, std::string>> fields;

    /// Borrows from this object.
    [[nodiscard]] intent::Http view() const;

    /// Whether both ask for the same: the order of names in the query and the fields and the
    /// spelling of the body don't count, the order of the values under one name does.
    [[nodiscard]] bool means(const HttpParts& other) const;
};

std::ostream& operator<<(std::ostream& out, const HttpParts& parts);

rc::Gen<HttpParts> http_parts();

/// The same parts, or what comes of them by a change or two that may or may not matter.
rc::Gen<HttpParts> almost(HttpParts parts);

/// An intent of any kind but a parsed value, with what it borrows from.
using OwnedIntent = std::variant<SpeltJson, HttpParts::Bytes, HttpParts>;

/// Borrows from the intent.
Intent view(const OwnedIntent& intent);

std::ostream& operator<<(std::ostream& out, const OwnedIntent& intent);

rc::Gen<OwnedIntent> intent();

/// An intent that has a fingerprint under the scheme.
rc::Gen<OwnedIntent> intent_fit_for(Form form);

}  // namespace gen
}  // namespace counterfoil
