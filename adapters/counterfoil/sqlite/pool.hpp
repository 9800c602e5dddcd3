#pragma once

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "counterfoil/sqlite/checkpointer.hpp"
#include "counterfoil/sqlite/connection.hpp"
#include "counterfoil/sqlite/settings.hpp"

namespace counterfoil::sqlite {

/// The connections of a Store. One is opened when a call finds none idle, up to the settings'
/// number; the one that was last used is lent first, since its cache is the warmest, and one is
/// always kept open.
///
/// A pool, not a connection for each thread: only one writes at a time, replays are short, and a
/// thread that comes and goes leaves nothing open behind it.
///
/// Threads: any.
class Pool {
public:
    /// A connection for as long as it is held.
    class Lease {
    public:
        Lease() = default;

        Lease(Lease&& other) noexcept
            : pool_{std::exchange(other.pool_, nullptr)},
              connection_{std::move(other.connection_)} {}

        Lease& operator=(Lease&& other) noexcept {
            give_back();
            pool_ = std::exchange(other.pool_, nullptr);
            connection_ = std::move(other.connection_);
            return *this;
        }

        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        ~Lease() { give_back(); }

        explicit operator bool() const noexcept { return connection_ != nullptr; }

        Connection* operator->() const noexcept { return connection_.get(); }

        Connection& operator*() const noexcept { return *connection_; }

    private:
        friend class Pool;

        Lease(Pool& pool, std::unique_ptr<Connection> connection)
            : pool_{&pool}, connection_{std::move(connection)} {}

        void give_back() noexcept;

        Pool* pool_{};
        std::unique_ptr<Connection> connection_;
    };

    /// Opens the first connection.
    ///
    /// Errors: StoreError.
    Pool(std::filesystem::path file, Settings settings);

    /// Errors: StoreError busy, where none is idle in time; what opening one says.
    [[nodiscard]] Lease lend();

    [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

private:
    std::unique_ptr<Connection> opened();

    std::filesystem::path file_;
    Settings settings_;
    Checkpointer checkpointer_;
    std::mutex mutex_;
    std::condition_variable returned_;
    std::size_t lent_{};
    std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace counterfoil::sqlite
