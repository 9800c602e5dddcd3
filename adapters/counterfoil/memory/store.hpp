#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "counterfoil/store/claims.hpp"
#include "counterfoil/store/protocol.hpp"
#include "counterfoil/store/work.hpp"

namespace counterfoil::memory {

/// The open transaction that work runs in. There are no rows here but the embedder's own objects,
/// so whoever changes one says how to take that back.
class Transaction {
public:
    using Undo = std::function<void()>;

    explicit Transaction(std::vector<Undo>& undo) : undo_{undo} {}

    /// Called if the transaction is rolled back, the last one first. Requires: it doesn't throw.
    void on_rollback(Undo undo) { undo_.push_back(std::move(undo)); }

private:
    std::vector<Undo>& undo_;
};

/// Receipts in a map, with the interface of sqlite::Store: for the embedder's own unit tests.
/// Nothing is durable.
///
/// Threads: any; one works at a time, the others wait.
class Store final : public Claims {
public:
    explicit Store(Setup setup);
    ~Store() override;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Does the work of a request once (Protocol::once).
    ///
    /// Errors: StoreError refused, where it is called from the work of another; what the work
    ///         throws. After either, nothing was written, and what on_rollback() was told is
    ///         called.
    Reply once(const Submission& submission, const Work<Transaction>& work);

    /// The same for a request whose fingerprint is known.
    Reply once(const Request& request, const Work<Transaction>& work,
               std::string_view request_id = {});

    using Claims::complete;

    /// Ends a claim in one transaction with what the work changes (Protocol::complete).
    ///
    /// Errors: as once().
    [[nodiscard]] CompleteReply complete(const Permit& permit,
                                         const CompletingWork<Transaction>& work,
                                         std::string_view request_id = {});

    /// The receipt of a scope as it was last committed.
    [[nodiscard]] std::optional<Receipt> find(const Scope& scope);

    /// The session that the protocol works with, for the conformance kit.
    [[nodiscard]] std::unique_ptr<Session> session();

    [[nodiscard]] const PolicyBook& policies() const noexcept;

private:
    Protocol& protocol() override;
    void with_session(const std::function<void(Session&)>& use) override;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace counterfoil::memory
