#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "counterfoil/answer.hpp"
#include "counterfoil/http/profile.hpp"
#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/verdict.hpp"

namespace counterfoil::http {

/// How long a client is to wait, in whole seconds: rounded up, at least 1, and never above the
/// lease where that has a whole second.
///
/// Source: RFC 9110 section 10.2.3.
[[nodiscard]] std::int64_t retry_after_seconds(Span wait, Span lease);

/// What a problem says beside its type and title.
struct ProblemFacts {
    std::string detail;
    const Why* why{};
    std::optional<Instant> first_seen{};
    std::optional<std::int64_t> retry_after{};  ///< seconds
    const std::vector<std::string>* differs{};
};

/// A problem as an answer: status, Content-Type, Retry-After where there is one, and a body of
/// `type`, `title`, `status`, `detail`, and, where they are known, `rule`, `rule_name`, `attempt`,
/// `first_seen`, `retry_after` and `differs`.
///
/// Source: RFC 9457.
[[nodiscard]] Answer problem_answer(const Profile& profile, Problem problem,
                                    const ProblemFacts& facts);

}  // namespace counterfoil::http
