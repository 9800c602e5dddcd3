#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/names.hpp>
#include <counterfoil/result.hpp>

#include "incoming.hpp"

namespace order_service {

/// Who a token stands for.
struct Identity {
    counterfoil::Tenant tenant;
    std::optional<std::string> user{};  ///< who acts for the tenant; nothing for a machine's token

    friend bool operator==(const Identity&, const Identity&) = default;
};

/// The bearer tokens that are let in.
///
/// ```text
/// file  = *line
/// line  = [ TOKEN 1*SP TENANT [ 1*SP USER ] ] [ *SP "#" comment ] LF
/// TOKEN = 16 to 512 of A-Z a-z 0-9 - . _ ~ + /, and = at the end
/// ```
///
/// TENANT and USER are words of up to 255 bytes of printable ASCII; a tab is as good as a space.
/// Tokens themselves are not kept, but their SHA-256 digests.
///
/// Threads: any.
class Tokens {
public:
    /// Errors: every fault, a sentence each with its line. No token is in any of them.
    [[nodiscard]] static counterfoil::Result<Tokens, std::vector<std::string>> parse(
        std::string_view text);

    /// Reads a file, which nobody but its owner may read or write.
    ///
    /// Errors: as parse(), and one sentence for a file that can't be read or that others can.
    [[nodiscard]] static counterfoil::Result<Tokens, std::vector<std::string>> read(
        const std::filesystem::path& file);

    /// Who a token stands for; null where it stands for nobody. Borrowed.
    ///
    /// It takes as long whichever token is asked for, so that nobody can guess one byte by byte.
    [[nodiscard]] const Identity* find(std::string_view token) const;

    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    using Digest = std::array<unsigned char, 32>;

    struct Entry {
        Digest digest;
        Identity identity;
    };

    static Digest digest_of(std::string_view token);
    [[nodiscard]] const Identity* find(const Digest& digest) const;

    std::vector<Entry> entries_;
};

/// The token of `Authorization: Bearer TOKEN`. Nothing where there is none, or more than one line.
/// Borrowed.
///
/// Source: RFC 6750 section 2.1.
[[nodiscard]] std::optional<std::string_view> bearer_token(const Incoming& incoming);

}  // namespace order_service
