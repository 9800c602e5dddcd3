#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "counterfoil/instant.hpp"

namespace counterfoil {

/// Where a store gets its time from: the one place that reads a clock. One authority a store.
///
/// An implementation never runs backwards, and best never gives an instant twice: a fence has the
/// time in it, and one that is made after a receipt was erased must be higher than the erased one.
///
/// Threads: any.
class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual Instant now() = 0;

    /// Lets this much time pass: sleeps. A clock that doesn't run by itself goes forward instead.
    virtual void pause(Span length);
};

/// The system's clock in UTC, which gives no instant twice. When the system's is set back, this
/// one goes on by a microsecond a call until the old time is reached again; that holds for one
/// object, not across processes or restarts.
class SystemClock final : public Clock {
public:
    [[nodiscard]] Instant now() override;

private:
    std::atomic<std::int64_t> latest_us_{std::numeric_limits<std::int64_t>::min()};
};

/// The SystemClock that this process's stores share unless they are given another.
[[nodiscard]] Clock& system_clock();

}  // namespace counterfoil
