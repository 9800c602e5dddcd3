#pragma once

// refused: sample.hpp:4:.* it has to do with threads
inline void guard(std::mutex& mutex) {
    mutex.lock();
}
