#pragma once

#include <array>
#include <cstddef>

#include <counterfoil/policy.hpp>
#include <counterfoil/request.hpp>

#include "simulator/history.hpp"

namespace counterfoil {

constexpr Span tick{1};
constexpr Span lease{8};  ///< unless it never ends
constexpr Span skew{2};   ///< as much as the workers' clocks lie apart
constexpr Span abandon_after{8};
constexpr std::int64_t max_attempts{3};
constexpr std::size_t max_body_bytes{16};

/// When histories begin, in time for the birth of key 2.
constexpr Instant beginning{Span{1'000}};

/// What histories are played with, made once.
class Stage {
public:
    Stage();

    [[nodiscard]] const Policy& policy(const History& history) const;

    /// One with shorter windows, deployed later: what was promised before holds.
    [[nodiscard]] const Policy& later_policy() const { return later_; }

    /// Two tenants that use one key, and a second key, which tells its birth.
    [[nodiscard]] const Scope& scope(std::size_t key) const { return scopes_.at(key); }

    [[nodiscard]] const Request& request(std::size_t key, std::size_t body, Under under) const;

private:
    std::array<Policy, 8> policies_;
    Policy later_;
    std::array<Scope, keys> scopes_;
    std::array<Request, keys * bodies * unders> requests_;
};

/// The scheme that a request's receipt would be under.
[[nodiscard]] bool is_rfc(Under under);

/// Whether a request can be compared with a receipt that another one made.
[[nodiscard]] bool is_comparable(Under receipt, Under request);

}  // namespace counterfoil
