#pragma once

#include <functional>
#include <string>
#include <vector>

#include "counterfoil/testing/conformance.hpp"

namespace counterfoil::testing {

/// A rule and what runs it: draws with rapidcheck, asserts with RC_ASSERT.
struct Property {
    Rule rule;
    int cases{};  ///< 1 where nothing is drawn
    std::function<void(Subject&)> holds;
};

std::vector<Property> value_rules();
std::vector<Property> scope_rules();
std::vector<Property> transaction_rules();
std::vector<Property> model_rules();
std::vector<Property> protocol_rules();
std::vector<Property> claim_rules();
std::vector<Property> thread_rules();

}  // namespace counterfoil::testing
