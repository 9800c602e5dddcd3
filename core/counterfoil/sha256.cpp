#include "counterfoil/sha256.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

#include <openssl/evp.h>

namespace counterfoil {

namespace detail {

// The core's only static that isn't a constant of the program: looking an algorithm up takes a lock
// and costs more than hashing a short message, so it is done once for the process, and never
// undone.
const EVP_MD* fetched_sha256() {
    static const EVP_MD* const fetched = [] {
        const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
        if (algorithm == nullptr) throw std::bad_alloc{};
        return algorithm;
    }();
    return fetched;
}

}  // namespace detail

namespace {

// OpenSSL's digest calls fail for want of memory only, once the algorithm is there.
void require(int done) {
    if (done != 1) throw std::bad_alloc{};
}

std::string_view as_text(const std::uint8_t* bytes, std::size_t size) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char may alias all bytes
    return {reinterpret_cast<const char*>(bytes), size};
}

int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

}  // namespace

std::string to_hex(const Digest& digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.bytes.size());
    for (const std::uint8_t byte : digest.bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 0xFU];
    }
    return text;
}

std::optional<Digest> digest_from_hex(std::string_view text) {
    Digest digest;
    if (text.size() != 2 * digest.bytes.size()) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_value(text[i]);
        const int low = hex_value(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        digest.bytes.at(i / 2) = static_cast<std::uint8_t>(high * 16 + low);
    }
    return digest;
}

struct Sha256::Context {
    Context() : handle(EVP_MD_CTX_new()) {
        if (handle == nullptr) throw std::bad_alloc{};
    }

    ~Context() { EVP_MD_CTX_free(handle); }

    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    Context(Context&&) = delete;
    Context& operator=(Context&&) = delete;

    EVP_MD_CTX* handle;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    require(EVP_DigestInit_ex2(context_->handle, detail::fetched_sha256(), nullptr));
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view piece) {
    require(EVP_DigestUpdate(context_->handle, piece.data(), piece.size()));
}

Digest Sha256::finish() {
    Digest digest;
    require(EVP_DigestFinal_ex(context_->handle, digest.bytes.data(), nullptr));
    require(EVP_DigestInit_ex2(context_->handle, nullptr, nullptr));
    return digest;
}

// The two key blocks. They go through the hash anew for each message: copying a prepared context
// would save two rounds, but each copy counts a reference to the algorithm, which all threads
// share.
struct HmacSha256::Pads {
    static constexpr std::size_t block_size = 64;

    std::array<std::uint8_t, block_size> inner{};
    std::array<std::uint8_t, block_size> outer{};

    Pads() = default;
    Pads(const Pads&) = delete;
    Pads& operator=(const Pads&) = delete;
    Pads(Pads&&) = delete;
    Pads& operator=(Pads&&) = delete;

    // Through a volatile pointer, so that wiping what nobody reads again isn't optimised away.
    ~Pads() {
        for (auto* block : {&inner, &outer}) {
            for (volatile std::uint8_t& byte : *block) byte = 0;
        }
    }

    [[nodiscard]] std::string_view inner_text() const {
        return as_text(inner.data(), inner.size());
    }

    [[nodiscard]] std::string_view outer_text() const {
        return as_text(outer.data(), outer.size());
    }
};

HmacSha256::HmacSha256(std::string_view key) : pads_(std::make_unique<Pads>()) {
    if (key.size() > Pads::block_size) {
        hash_.update(key);
        const Digest short_key = hash_.finish();
        std::copy(short_key.bytes.begin(), short_key.bytes.end(), pads_->inner.begin());
    } else {
        std::transform(key.begin(), key.end(), pads_->inner.begin(),
                       [](char byte) { return static_cast<std::uint8_t>(byte); });
    }
    std::transform(pads_->inner.begin(), pads_->inner.end(), pads_->outer.begin(),
                   [](std::uint8_t byte) { return static_cast<std::uint8_t>(byte ^ 0x5CU); });
    for (std::uint8_t& byte : pads_->inner) byte ^= 0x36U;
    hash_.update(pads_->inner_text());
}

HmacSha256::~HmacSha256() = default;
HmacSha256::HmacSha256(HmacSha256&&) noexcept = default;
HmacSha256& HmacSha256::operator=(HmacSha256&&) noexcept = default;

void HmacSha256::update(std::string_view piece) {
    hash_.update(piece);
}

Digest HmacSha256::finish() {
    const Digest inner = hash_.finish();
    hash_.update(pads_->outer_text());
    hash_.update(as_text(inner.bytes.data(), inner.bytes.size()));
    const Digest digest = hash_.finish();
    hash_.update(pads_->inner_text());
    return digest;
}

Digest sha256(std::string_view message) {
    Sha256 hash;
    hash.update(message);
    return hash.finish();
}

}  // namespace counterfoil
