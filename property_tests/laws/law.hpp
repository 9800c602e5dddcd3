#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "laws/decider.hpp"

namespace counterfoil {

/// A sentence in the present tense that is true of every sound decider, whatever it is asked.
struct Law {
    std::string sentence;  ///< its name, words joined by underscores
    std::function<void(const Decider&)>
        property;  ///< draws with rapidcheck, asserts with RC_ASSERT
};

std::ostream& operator<<(std::ostream& out, const Law& law);

std::vector<Law> judge_laws();
std::vector<Law> settle_laws();
std::vector<Law> retention_laws();
std::vector<Law> value_laws();

/// All of them.
std::vector<Law> decider_laws();

}  // namespace counterfoil
