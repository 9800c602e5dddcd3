#pragma once

// refused: sample.hpp:5:.* it draws random numbers
inline auto token() {
    return std::mt19937_64{}();
}
