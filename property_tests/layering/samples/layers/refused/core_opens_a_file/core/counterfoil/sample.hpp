#pragma once

// refused: sample.hpp:5:.* it opens a file
inline auto* open() {
    return std::fopen("receipts", "r");
}
