#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

namespace counterfoil::sqlite {

/// Lets the writers of one process in one at a time, in the order in which they came.
///
/// SQLite has one writer a file, and its busy handler is unfair: among eight threads some wait for
/// seconds. Behind the gate the busy timeout is only ever needed against other processes.
///
/// Threads: any. It is for one thread at a time and not for the same one twice.
class Gate {
public:
    /// Enters if nobody is inside or waiting.
    [[nodiscard]] bool try_enter();

    /// Waits until it is this thread's turn.
    ///
    /// Returns: false where that did not come in time.
    [[nodiscard]] bool enter(std::chrono::milliseconds timeout);

    /// Requires: this thread has entered.
    void leave();

    /// Whether the calling thread is inside.
    [[nodiscard]] bool is_inside();

private:
    struct Waiter {
        std::thread::id thread;
        std::condition_variable called;
        bool in{false};
    };

    std::mutex mutex_;
    bool taken_{false};
    std::thread::id inside_{};
    std::list<Waiter*> waiting_;
};

}  // namespace counterfoil::sqlite
