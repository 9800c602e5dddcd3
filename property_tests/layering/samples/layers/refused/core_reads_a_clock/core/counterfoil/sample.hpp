#pragma once

// refused: sample.hpp:8:.* it reads a clock

#include <chrono>

inline auto read() {
    return std::chrono::steady_clock::now().time_since_epoch();
}
