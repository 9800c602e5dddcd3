#pragma once

// refused: sample.hpp:5:.* it asks the processor
inline auto cycles() {
    return __rdtsc();
}
