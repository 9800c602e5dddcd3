#include "allocation/counted_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include <openssl/crypto.h>

// malloc is behind all of it, so sanitizers see what they always see. The operators have a file of
// their own because a compiler that inlines one of a pair takes them for a mismatch.

namespace {

std::atomic<std::size_t> count{0};
std::atomic<std::size_t> openssl_count{0};

void* counted_malloc(std::size_t size, const char*, int) {
    ++openssl_count;
    return std::malloc(size);
}

void* counted_realloc(void* memory, std::size_t size, const char*, int) {
    ++openssl_count;
    return std::realloc(memory, size);
}

void plain_free(void* memory, const char*, int) {
    std::free(memory);
}

// OpenSSL accepts this before its first allocation only; where it doesn't, nothing is counted, and
// a test sees that.
[[maybe_unused]] const int openssl_accepts =
    CRYPTO_set_mem_functions(counted_malloc, counted_realloc, plain_free);

}  // namespace

void* operator new(std::size_t size) {
    ++count;
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc{};
}

void* operator new[](std::size_t size) {
    return operator new(size);
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

void operator delete[](void* memory) noexcept {
    std::free(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace counterfoil {

std::size_t allocations() {
    return count;
}

std::size_t openssl_allocations() {
    return openssl_count;
}

}  // namespace counterfoil
