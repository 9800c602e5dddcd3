#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "counterfoil/sqlite/attempt_rows.hpp"
#include "counterfoil/sqlite/attempts.hpp"
#include "counterfoil/store/clock.hpp"
#include "counterfoil/store/observer.hpp"

namespace counterfoil::sqlite {

/// Holds calls back until there are enough of them, or the first has waited long enough, and hands
/// them to `write` on a thread of its own. What could not be written is tried again with the next.
///
/// Threads: any.
class AttemptLog final : public Observer {
public:
    using Write = std::function<void(const std::vector<AttemptRow>&)>;

    /// `next` hears of every call as well; it may be null. `write` throws StoreError where it has
    /// written none of them.
    AttemptLog(const AttemptSettings& settings, Clock& clock, Observer* next, Write write);

    /// Writes what is left, if it can be written now.
    ~AttemptLog() override;

    AttemptLog(const AttemptLog&) = delete;
    AttemptLog& operator=(const AttemptLog&) = delete;

    void observe(const Observation& observation) noexcept override;

    /// Writes what was observed before it was called.
    ///
    /// Errors: StoreError. What could not be written is held back still.
    void flush();

    /// How many calls are in no log, since the file could not be written for too long.
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

private:
    void keep(const Observation& observation);
    void run();
    void write_waiting();

    AttemptSettings settings_;
    Clock& clock_;
    Observer* next_;
    Write write_;
    std::atomic<std::uint64_t> dropped_{0};
    std::mutex writing_;  // held while a batch is on its way
    std::mutex mutex_;    // guards what follows
    std::condition_variable enough_;
    std::vector<AttemptRow> waiting_;
    bool ends_{false};
    std::thread thread_;
};

}  // namespace counterfoil::sqlite
