#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <counterfoil/store/session.hpp>

namespace counterfoil::testing {

/// When the world fails, counted over all calls that a session gets.
class Fuse {
public:
    enum class Side { before, after };  ///< of the call that is passed on
    enum class Extent { once, for_good };

    Fuse(int nth, Side side, Extent extent) : left_{nth}, side_{side}, extent_{extent} {}

    /// Runs a call, and throws StoreError unavailable before or after it where it is the one.
    template <class Call>
    auto through(bool is_commit, const Call& call) {
        const bool fails = counts_down();
        if (!fails) return call();
        blown_at_commit_ = is_commit && side_ == Side::after;
        if (side_ == Side::after) static_cast<void>(call());
        fail();
    }

    [[nodiscard]] bool is_for_good() const { return extent_ == Extent::for_good; }

    [[nodiscard]] bool has_blown() const { return blown_; }

    /// Whether a commit was made and then said to have failed.
    [[nodiscard]] bool hid_a_commit() const { return blown_at_commit_; }

private:
    bool counts_down();
    [[noreturn]] static void fail();

    int left_;
    Side side_;
    Extent extent_;
    bool blown_{false};
    bool blown_at_commit_{false};
};

/// A session that fails when its fuse says so.
class FailingSession final : public Session {
public:
    FailingSession(std::unique_ptr<Session> inner, Fuse& fuse)
        : inner_{std::move(inner)}, fuse_{fuse} {}

    [[nodiscard]] std::optional<Receipt> peek(const Scope& scope) override;
    void begin() override;
    void commit() override;
    void rollback() noexcept override;
    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) override;
    [[nodiscard]] bool insert(const Receipt& receipt) override;
    [[nodiscard]] bool replace(const Receipt& receipt, Fence expected) override;
    [[nodiscard]] bool erase(const Scope& scope, Fence expected) override;
    void record(const ResolutionRecord& resolution) override;
    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope) override;

private:
    std::unique_ptr<Session> inner_;
    Fuse& fuse_;
};

/// A session that another one overtakes: before its first write, its transaction is given up, a
/// rival commits, and the transaction begins again. So a store with a lock is what one without it
/// would be.
class OvertakenSession final : public Session {
public:
    OvertakenSession(std::unique_ptr<Session> inner, std::function<void()> rival)
        : inner_{std::move(inner)}, rival_{std::move(rival)} {}

    [[nodiscard]] std::optional<Receipt> peek(const Scope& scope) override;
    void begin() override;
    void commit() override;
    void rollback() noexcept override;
    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) override;
    [[nodiscard]] bool insert(const Receipt& receipt) override;
    [[nodiscard]] bool replace(const Receipt& receipt, Fence expected) override;
    [[nodiscard]] bool erase(const Scope& scope, Fence expected) override;
    void record(const ResolutionRecord& resolution) override;
    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope) override;

private:
    void let_the_rival_in();

    std::unique_ptr<Session> inner_;
    std::function<void()> rival_;
};

}  // namespace counterfoil::testing
