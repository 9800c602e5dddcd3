#include "counterfoil/store/clock.hpp"

#include <algorithm>
#include <chrono>

namespace counterfoil {

Instant SystemClock::now() {
    const std::int64_t read_us = std::chrono::duration_cast<std::chrono::microseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count();
    std::int64_t latest_us = latest_us_.load(std::memory_order_relaxed);
    while (latest_us < read_us &&
           !latest_us_.compare_exchange_weak(latest_us, read_us, std::memory_order_relaxed)) {
    }
    return Instant{Span{std::max(latest_us, read_us)}};
}

Clock& system_clock() {
    static SystemClock clock;
    return clock;
}

}  // namespace counterfoil
