#pragma once

// refused: sample.hpp:5:.* it reads the environment
inline const char* home() {
    return std::getenv("HOME");
}
