#include "counterfoil/sqlite/pool.hpp"

#include <algorithm>

#include "counterfoil/store/store_error.hpp"

namespace counterfoil::sqlite {

namespace {

constexpr std::size_t fewest_connections = 2;

Settings corrected(Settings settings) {
    settings.connections = std::max(settings.connections, fewest_connections);
    settings.checkpoint_pages = std::max(settings.checkpoint_pages, 1);
    return settings;
}

}  // namespace

Pool::Pool(std::filesystem::path file, Settings settings)
    : file_{std::move(file)},
      settings_{corrected(std::move(settings))},
      checkpointer_{settings_.checkpoint_pages} {
    idle_.reserve(settings_.connections);  // so that giving one back can't fail
    idle_.push_back(opened());
}

std::unique_ptr<Connection> Pool::opened() {
    return std::make_unique<Connection>(file_, settings_, checkpointer_);
}

Pool::Lease Pool::lend() {
    std::unique_lock lock{mutex_};
    const auto is_free = [&] { return !idle_.empty() || lent_ < settings_.connections; };
    if (!is_free() && !returned_.wait_for(lock, settings_.busy_timeout, is_free)) {
        throw StoreError{StoreFault::busy, "waiting for a connection: all are in use"};
    }
    ++lent_;
    if (!idle_.empty()) {
        Lease lease{*this, std::move(idle_.back())};
        idle_.pop_back();
        return lease;
    }
    lock.unlock();
    try {
        return Lease{*this, opened()};
    } catch (...) {
        lock.lock();
        --lent_;
        returned_.notify_one();
        throw;
    }
}

void Pool::Lease::give_back() noexcept {
    if (!connection_) return;
    {
        const std::lock_guard lock{pool_->mutex_};
        --pool_->lent_;
        pool_->idle_.push_back(std::move(connection_));
    }
    pool_->returned_.notify_one();
}

}  // namespace counterfoil::sqlite
