#pragma once

// refused: sample.hpp:5:.* it keeps mutable state
inline int next() {
    static int last = 0;
    return ++last;
}
