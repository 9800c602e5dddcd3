#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace counterfoil::http {

/// What an answer of the adapter's own says. The names are the ends of problem type URIs: *part of
/// the interface; never renamed.*
enum class Problem {
    missing_key,
    malformed_key,
    unreadable_request,
    unsupported_content,
    key_reused,
    in_progress,
    unknown_outcome,
    superseded,
    expired,
    incomparable,
    rate_limited,
    undecided,
    busy,
    unavailable,
    corrupt,
    refused,
};

inline constexpr std::size_t problems = 16;

/// `missing-key` and so on.
[[nodiscard]] std::string_view slug(Problem problem);

/// How a problem is told.
struct ProblemForm {
    int status{};  ///< as in HTTP, 400 to 599
    std::string title;

    friend bool operator==(const ProblemForm&, const ProblemForm&) = default;
};

/// How each problem is told: a table with a row for each. Start from standard() or classic() and
/// change what you like.
///
/// | problem             | standard | classic |
/// |---------------------|----------|---------|
/// | missing_key         | 400      | 400     |
/// | malformed_key       | 400      | 400     |
/// | unreadable_request  | 400      | 400     |
/// | unsupported_content | 415      | 415     |
/// | key_reused          | 422      | 409     |
/// | in_progress         | 409      | 409     |
/// | unknown_outcome     | 409      | 409     |
/// | superseded          | 409      | 409     |
/// | expired             | 410      | 410     |
/// | incomparable        | 500      | 500     |
/// | rate_limited        | 429      | 429     |
/// | undecided           | 503      | 503     |
/// | busy, unavailable   | 503      | 503     |
/// | corrupt, refused    | 500      | 500     |
///
/// Source: draft-ietf-httpapi-idempotency-key-header-07 section 2.7 for 400, 422 and 409.
class Profile {
public:
    [[nodiscard]] static Profile standard();
    [[nodiscard]] static Profile classic();

    [[nodiscard]] const ProblemForm& operator[](Problem problem) const;
    ProblemForm& operator[](Problem problem);

    /// What comes before the slug in a problem's type URI. Best the address of a page of yours that
    /// explains them, up to its `#`; docs/problems.md can be copied there.
    std::string type_base{"https://counterfoil.example/problems#"};

    friend bool operator==(const Profile&, const Profile&) = default;

private:
    Profile() = default;

    std::array<ProblemForm, problems> forms_;
};

}  // namespace counterfoil::http
