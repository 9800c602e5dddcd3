// Strings, containers, exceptions, assertions, Boost.JSON, a digest that is fetched once, and a
// MAC.
#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include <boost/json.hpp>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace counterfoil {
namespace {

constexpr std::array<std::string_view, 3> states{"in_progress", "completed", "unknown"};

struct FreeContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

const EVP_MD* fetched_sha256() {
    static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return fetched;
}

}  // namespace

using Digest = std::array<unsigned char, 32>;
using Bytes = std::span<const unsigned char>;

Digest sha256(std::string_view text) {
    Digest digest{};
    const std::unique_ptr<EVP_MD_CTX, FreeContext> context{EVP_MD_CTX_new()};
    if (!context || EVP_DigestInit_ex2(context.get(), fetched_sha256(), nullptr) != 1 ||
        EVP_DigestUpdate(context.get(), text.data(), text.size()) != 1 ||
        EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) {
        throw std::bad_alloc{};
    }
    return digest;
}

bool hmac(Bytes secret, Bytes text, Digest& digest) {
    EVP_MAC* const mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    EVP_MAC_CTX* const context = EVP_MAC_CTX_new(mac);
    std::array<char, 7> name{"SHA256"};
    const std::array<OSSL_PARAM, 2> parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
        OSSL_PARAM_construct_end()};
    std::size_t length = 0;
    const bool done = EVP_MAC_init(context, secret.data(), secret.size(), parameters.data()) == 1 &&
                      EVP_MAC_update(context, text.data(), text.size()) == 1 &&
                      EVP_MAC_final(context, digest.data(), &length, digest.size()) == 1;
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
    OPENSSL_cleanse(name.data(), name.size());
    return done;
}

bool same(const Digest& left, const Digest& right) {
    return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string rounded(std::string_view text) {
    double number = 0;
    const auto end = text.data() + text.size();
    if (std::from_chars(text.data(), end, number).ec != std::errc{}) return "out of range";
    std::array<char, 40> digits{};
    std::to_chars(digits.data(), digits.data() + digits.size(), number,
                  std::chars_format::scientific);
    std::array<char, 80> line{};
    std::snprintf(line.data(), line.size(), "%s or %06d", digits.data(), 7);
    return line.data();
}

std::string members(std::string_view text) {
    boost::json::error_code error;
    const boost::json::value value = boost::json::parse(text, error, {}, {});
    if (error) return error.message();
    if (!value.is_object()) throw std::invalid_argument{"not an object"};

    std::map<std::string, int, std::less<>> sorted;
    std::unordered_map<std::string, int> counted;
    for (const auto& [name, member] : value.get_object()) {
        sorted.emplace(name, 1);
        counted[std::string{name}] += member.is_string() ? 1 : 2;
    }
    assert(sorted.size() == counted.size());

    std::vector<std::string> names;
    for (const auto& [name, count] : sorted) names.push_back(name + std::to_string(count));
    std::stable_sort(names.begin(), names.end());

    boost::json::array list;
    for (const auto& name : names) list.push_back(boost::json::value{{"name", name}});
    const std::function<std::string()> serialized = [&] { return boost::json::serialize(list); };
    return serialized() + std::string{states.at(names.size())};
}

std::size_t sizes(const std::variant<int, std::string, std::shared_ptr<Digest>>& any) {
    return std::visit([](auto copy) { return sizeof copy; }, any);
}

}  // namespace counterfoil
