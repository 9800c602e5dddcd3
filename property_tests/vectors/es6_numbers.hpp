#pragma once

#include <cstdint>
#include <string>

#include <counterfoil/sha256.hpp>

namespace counterfoil::vectors {

struct Es6Checksum {
    std::uint64_t bytes = 0;
    Digest digest;
};

/// The first lines of the ES6 number sequence that jcs/numbers/README.md describes, numbers written
/// by Canonicalizer.
std::string es6_lines(std::uint64_t count);

/// How many bytes these lines have, and their SHA-256, without holding them all.
Es6Checksum es6_checksum(std::uint64_t count);

}  // namespace counterfoil::vectors
