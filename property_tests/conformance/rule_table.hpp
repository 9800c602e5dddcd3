#pragma once

#include <string>

namespace counterfoil::conformance {

/// The table of docs/adapters.md: every rule of the kit, what it needs, and the defects that it
/// catches.
std::string rule_table();

}  // namespace counterfoil::conformance
