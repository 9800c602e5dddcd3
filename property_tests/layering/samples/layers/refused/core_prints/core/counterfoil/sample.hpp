#pragma once

// refused: sample.hpp:5:.* it prints
inline void report() {
    std::puts("replayed");
}
