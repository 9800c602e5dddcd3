#pragma once

#include <string>
#include <string_view>

#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"

namespace counterfoil {

/// Makes the key under which a provider will see one step of one receipt.
///
/// It is the same on every attempt of the receipt (a takeover keeps created_at) and different for
/// every other receipt, step, tenant and operation, so that a provider that dedupes by key charges
/// once. It is a UUIDv8: the first 128 bits of SHA-256, with version and variant set, over
///
///   part("counterfoil.downstream-key.1") part(tenant) part(operation) part(key)
///   part(created_at_us as 8 bytes, big-endian, two's complement) part(step)
///
/// where part(x) is the length of x in bytes as 8 bytes, big-endian, and then x. *Stored; never
/// changed:* property_tests/vectors/downstream-key holds its vectors.
///
/// Returns: 36 characters, lower case.
/// Source:  RFC 9562 sections 4 and 5.8.
[[nodiscard]] std::string downstream_key(const Scope& scope, Instant created_at,
                                         std::string_view step);

}  // namespace counterfoil
