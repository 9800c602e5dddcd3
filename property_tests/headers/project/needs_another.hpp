#pragma once

// Compiles only behind somebody else's #include <string>.
// refused: needs_another.hpp:[0-9:]+ error: .*('string' in namespace 'std'|identifier 'std')

struct Unlabelled {
    std::string label;
};
