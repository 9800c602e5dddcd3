#pragma once

// refused: sample.hpp:5:.* it reads a clock or a time zone
inline auto* local(const std::time_t& at) {
    return std::localtime(&at);
}
