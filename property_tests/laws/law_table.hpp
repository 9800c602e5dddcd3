#pragma once

#include <string>

namespace counterfoil {

/// The table of docs/testing.md: every law of a decider, and the mutants that name it as their end.
std::string law_table();

}  // namespace counterfoil
