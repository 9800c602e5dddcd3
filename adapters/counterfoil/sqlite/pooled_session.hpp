#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "counterfoil/sqlite/gate.hpp"
#include "counterfoil/sqlite/pool.hpp"
#include "counterfoil/store/session.hpp"

namespace counterfoil::sqlite {

/// One caller's way to a Store: a connection of its pool, and its gate to write.
///
/// A connection is not held while the gate is waited for, so that replays never wait for writers.
class PooledSession final : public Session {
public:
    PooledSession(Pool& pool, Gate& gate) : pool_{pool}, gate_{gate} {}

    ~PooledSession() override {
        if (inside_) rollback();
    }

    PooledSession(const PooledSession&) = delete;
    PooledSession& operator=(const PooledSession&) = delete;

    [[nodiscard]] std::optional<Receipt> peek(const Scope& scope) override;
    void begin() override;
    void commit() override;
    void rollback() noexcept override;
    void rest() override;

    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) override;
    [[nodiscard]] bool insert(const Receipt& receipt) override;
    [[nodiscard]] bool replace(const Receipt& receipt, Fence expected) override;
    [[nodiscard]] bool erase(const Scope& scope, Fence expected) override;
    void record(const ResolutionRecord& resolution) override;
    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope) override;

    /// The connection of the open transaction.
    [[nodiscard]] Connection& connection() { return *lease_; }

private:
    Connection& leased();

    Pool& pool_;
    Gate& gate_;
    Pool::Lease lease_;
    bool inside_{false};

    /// The state of the file in which a scope was last looked for and not found; looking again in
    /// the same state would be a waste.
    struct Absence {
        Scope scope;
        std::uint32_t data_version;
    };

    std::optional<Absence> absent_;
};

}  // namespace counterfoil::sqlite
