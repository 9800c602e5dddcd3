#include "counterfoil/store/clock.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace counterfoil {

void Clock::pause(Span length) {
    std::this_thread::sleep_for(length);
}

Instant SystemClock::now() {
    const std::int64_t read_us = std::chrono::duration_cast<std::chrono::microseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count();
    std::int64_t latest_us = latest_us_.load(std::memory_order_relaxed);
    std::int64_t next_us = 0;
    do {
        next_us = std::max(latest_us + 1, read_us);
    } while (!latest_us_.compare_exchange_weak(latest_us, next_us, std::memory_order_relaxed));
    return Instant{Span{next_us}};
}

Clock& system_clock() {
    static SystemClock clock;
    return clock;
}

}  // namespace counterfoil
