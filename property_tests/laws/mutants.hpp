#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
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

/// The mutant of that name; nothing if none has it.
std::optional<Mutant> mutant_named(std::string_view name);

}  // namespace counterfoil
