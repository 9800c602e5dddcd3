#pragma once

#include <cstddef>

// Linked into a program, this counts its allocations.

namespace counterfoil {

/// By operator new.
std::size_t allocations();

/// By OpenSSL.
std::size_t openssl_allocations();

}  // namespace counterfoil
