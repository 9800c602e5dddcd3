#include "counterfoil/sqlite/gate.hpp"

namespace counterfoil::sqlite {

bool Gate::try_enter() {
    const std::lock_guard lock{mutex_};
    if (taken_) return false;
    taken_ = true;
    inside_ = std::this_thread::get_id();
    return true;
}

bool Gate::enter(std::chrono::milliseconds timeout) {
    std::unique_lock lock{mutex_};
    if (!taken_) {
        taken_ = true;
        inside_ = std::this_thread::get_id();
        return true;
    }
    Waiter waiter{.thread = std::this_thread::get_id(), .called = {}};
    const auto place = waiting_.insert(waiting_.end(), &waiter);
    if (waiter.called.wait_for(lock, timeout, [&] { return waiter.in; })) return true;
    waiting_.erase(place);
    return false;
}

void Gate::leave() {
    const std::lock_guard lock{mutex_};
    if (waiting_.empty()) {
        taken_ = false;
        inside_ = {};
        return;
    }
    // The next in line is inside from now on, so that nobody overtakes it on its way.
    Waiter& next = *waiting_.front();
    waiting_.pop_front();
    inside_ = next.thread;
    next.in = true;
    next.called.notify_one();
}

bool Gate::is_inside() {
    const std::lock_guard lock{mutex_};
    return taken_ && inside_ == std::this_thread::get_id();
}

}  // namespace counterfoil::sqlite
