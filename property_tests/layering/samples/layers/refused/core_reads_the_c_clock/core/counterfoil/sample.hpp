#pragma once

// refused: sample.hpp:5:.* it reads a clock
inline auto seconds() {
    return time(nullptr);
}
