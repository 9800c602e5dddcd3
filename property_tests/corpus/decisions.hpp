#pragma once

#include <string>

namespace counterfoil::corpus {

// The decision corpus: what is decided, as data that another implementation can run against. One
// case a line, JSON; vectors/decisions/README.md says how to read it.

/// Every cell of the grid, and cases for what a verdict carries.
std::string judge_cases();
/// Every transition in every state, under the right fence, another, and with nothing found.
std::string settle_cases();
/// Every state before, at and after each of its instants.
std::string sweep_cases();

}  // namespace counterfoil::corpus
