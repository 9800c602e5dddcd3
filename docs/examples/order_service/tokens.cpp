#include "tokens.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace order_service {

namespace {

namespace cf = counterfoil;

using Faults = std::vector<std::string>;

constexpr std::size_t shortest_token = 16;
constexpr std::size_t longest_token = 512;
constexpr std::size_t longest_user = 255;

bool is_letter_or_digit(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

bool is_token(std::string_view text) {
    constexpr std::string_view others = "-._~+/";
    const std::size_t last = text.find_last_not_of('=');
    return last != std::string_view::npos &&
           std::ranges::all_of(text.substr(0, last + 1), [&](char byte) {
               return is_letter_or_digit(byte) || others.find(byte) != std::string_view::npos;
           });
}

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char byte) { return byte >= '!' && byte <= '~'; });
}

std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t begin = line.find_first_not_of(blanks);
        // A `#` begins a comment only where a word would begin.
        if (begin == std::string_view::npos || line[begin] == '#') return words;
        line.remove_prefix(begin);
        const std::size_t end = std::min(line.find_first_of(blanks), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

/// What is wrong with the words of a line, by themselves.
std::optional<std::string> fault_of(const std::vector<std::string_view>& words) {
    if (words.size() == 1) return "no tenant behind the token";
    if (words.size() > 3) return "more than a token, a tenant and a user";
    if (words[0].size() < shortest_token || words[0].size() > longest_token) {
        return "the token has " + std::to_string(words[0].size()) + " characters, not " +
               std::to_string(shortest_token) + " to " + std::to_string(longest_token);
    }
    if (!is_token(words[0])) return "the token has a character that no bearer token has";
    if (!cf::parse_tenant(words[1])) return "the tenant is no name";
    if (words.size() == 3 && (words[2].size() > longest_user || !is_printable(words[2]))) {
        return "the user is no name";
    }
    return std::nullopt;
}

Identity identity_of(const std::vector<std::string_view>& words) {
    Identity identity{.tenant = cf::parse_tenant(words[1]).value()};
    if (words.size() == 3) identity.user = std::string{words[2]};
    return identity;
}

}  // namespace

cf::Result<Tokens, Faults> Tokens::parse(std::string_view text) {
    Tokens tokens;
    Faults faults;
    std::vector<std::size_t> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::vector<std::string_view> words = words_of(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (words.empty()) continue;

        const auto tell = [&](const std::string& fault) {
            faults.push_back("line " + std::to_string(number) + ": " + fault);
        };
        if (const std::optional<std::string> fault = fault_of(words)) {
            tell(*fault);
            continue;
        }
        const Digest digest = digest_of(words[0]);
        const auto same = std::ranges::find(tokens.entries_, digest, &Entry::digest);
        if (same != tokens.entries_.end()) {
            const auto index = static_cast<std::size_t>(same - tokens.entries_.begin());
            tell("the same token as in line " + std::to_string(lines[index]));
            continue;
        }
        tokens.entries_.push_back({digest, identity_of(words)});
        lines.push_back(number);
    }
    if (faults.empty() && tokens.entries_.empty()) faults.emplace_back("there is no token in it");
    if (!faults.empty()) return faults;
    return tokens;
}

cf::Result<Tokens, Faults> Tokens::read(const std::filesystem::path& file) {
    using std::filesystem::perms;
    std::error_code fault;
    const std::filesystem::file_status status = std::filesystem::status(file, fault);
    if (fault) return Faults{fault.message()};
    if (!std::filesystem::is_regular_file(status)) return Faults{"it is no file"};
    if ((status.permissions() & (perms::group_all | perms::others_all)) != perms::none) {
        return Faults{"others than its owner may open it; chmod 600 mends that"};
    }
    std::ifstream stream{file, std::ios::binary};
    if (!stream) return Faults{"it can't be opened"};
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    if (stream.bad()) return Faults{"it can't be read"};
    return parse(text);
}

const Identity* Tokens::find(std::string_view token) const {
    return find(digest_of(token));
}

const Identity* Tokens::find(const Digest& digest) const {
    const Identity* found = nullptr;
    // To the end, whichever it is.
    for (const Entry& entry : entries_) {
        if (CRYPTO_memcmp(entry.digest.data(), digest.data(), digest.size()) == 0) {
            found = &entry.identity;
        }
    }
    return found;
}

Tokens::Digest Tokens::digest_of(std::string_view token) {
    Digest digest{};
    unsigned size = 0;
    if (EVP_Digest(token.data(), token.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1 ||
        size != digest.size()) {
        throw std::runtime_error{"OpenSSL makes no SHA-256 digest"};
    }
    return digest;
}

std::optional<std::string_view> bearer_token(const Incoming& incoming) {
    constexpr std::string_view scheme = "Bearer ";
    const std::vector<std::string_view> values = values_of(incoming.fields, "Authorization");
    if (values.size() != 1 || !same_name(values[0].substr(0, scheme.size()), scheme)) {
        return std::nullopt;
    }
    std::string_view token = values[0].substr(scheme.size());
    token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
    if (token.empty()) return std::nullopt;
    return token;
}

}  // namespace order_service
