#pragma once

#include <string_view>
#include <vector>

#include "counterfoil/policy.hpp"

namespace counterfoil::detail {

/// A fault in figures, and where it is about two of them, the pointer to the other one.
struct Finding {
    PolicyFault fault;
    std::string_view against;
};

/// Everything that is wrong with the figures of one policy, in the order of PolicyFaultKind.
[[nodiscard]] std::vector<Finding> findings_in(const PolicyFigures& figures,
                                               const ServiceBounds& bounds);

}  // namespace counterfoil::detail
