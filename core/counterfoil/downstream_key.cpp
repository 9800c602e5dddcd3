#include "counterfoil/downstream_key.hpp"

#include <cstddef>
#include <cstdint>

#include "counterfoil/sha256.hpp"

namespace counterfoil {

namespace {

std::string eight_bytes(std::uint64_t number) {
    std::string bytes(8, '\0');
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte, number >>= 8U) {
        *byte = static_cast<char>(number & 0xFFU);
    }
    return bytes;
}

void append_part(std::string& message, std::string_view part) {
    message += eight_bytes(part.size());
    message += part;
}

std::string uuid_v8(Digest digest) {
    auto& bytes = digest.bytes;
    bytes[6] = static_cast<std::uint8_t>(0x80U | (bytes[6] & 0x0FU));  // version 8
    bytes[8] = static_cast<std::uint8_t>(0x80U | (bytes[8] & 0x3FU));  // variant 10xx
    auto text = to_hex(digest).substr(0, 32);
    for (const std::size_t hyphen : {8U, 13U, 18U, 23U}) text.insert(hyphen, 1, '-');
    return text;
}

}  // namespace

std::string downstream_key(const Scope& scope, Instant created_at, std::string_view step) {
    const auto created_at_us = static_cast<std::uint64_t>(created_at.time_since_epoch().count());
    std::string message;
    append_part(message, "counterfoil.downstream-key.1");
    append_part(message, scope.tenant.text());
    append_part(message, scope.operation.text());
    append_part(message, scope.key.text());
    append_part(message, eight_bytes(created_at_us));
    append_part(message, step);
    return uuid_v8(sha256(message));
}

}  // namespace counterfoil
