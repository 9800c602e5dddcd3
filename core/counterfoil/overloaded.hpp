#pragma once

namespace counterfoil {

/// One visitor out of several lambdas, for std::visit over a closed set of shapes.
template <class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};

// clang 14 does not deduce the arguments of an aggregate (P1816), so the guide is spelt out.
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;

}  // namespace counterfoil
