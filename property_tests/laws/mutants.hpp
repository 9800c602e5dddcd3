#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "laws/decider.hpp"

namespace counterfoil {

/// A decider that is broken on purpose in one way, and the law that catches it.
struct Mutant {
    std::string name;
    std::string killed_by;  ///< a law's sentence
    Decider decider;
};

std::ostream& operator<<(std::ostream& out, const Mutant& mutant);

std::vector<Mutant> mutants();

}  // namespace counterfoil
