#pragma once

#include <memory>
#include <string_view>

#include "counterfoil/sqlite/transaction.hpp"
#include "counterfoil/store/claims.hpp"
#include "counterfoil/store/protocol.hpp"
#include "counterfoil/store/work.hpp"

namespace counterfoil::sqlite {

/// Receipts on a connection, and in transactions, that belong to the embedder.
///
/// It neither begins nor ends a transaction, and sets nothing on the connection. What it has to
/// roll back, it rolls back to a savepoint of its own; the transaction lives on.
///
/// A claim made here is nobody's before the transaction is committed: commit first, then begin the
/// effect. A wait for a running twin is in vain here (its end can't be seen from inside an open
/// transaction), and is refused.
///
/// Make one for each connection and keep it as long as that: its statements are prepared once.
///
/// Threads: that of the connection.
class Guest final : public Claims {
public:
    /// Errors: StoreError refused, where the file has no schema of this version: migrate()
    ///         (schema.hpp) makes it.
    Guest(SQLite::Database& database, Setup setup);
    ~Guest() override;
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    /// Does the work of a request once, in the transaction that is open.
    ///
    /// Begin that with BEGIN IMMEDIATE. In one that only reads so far the write lock is taken
    /// first, which SQLite refuses (busy) where somebody has committed since it began to read: roll
    /// back and start again.
    ///
    /// Work must not call the same Guest, and is refused.
    ///
    /// Nothing is durable, or seen by anybody else, before the transaction is committed.
    ///
    /// Errors: StoreError, refused among it where no transaction is open; what the work throws.
    ///         After either, nothing of the call is left in the transaction.
    Reply once(const Submission& submission, const Work<Transaction>& work);

    /// The same for a request whose fingerprint is known.
    Reply once(const Request& request, const Work<Transaction>& work,
               std::string_view request_id = {});

    using Claims::complete;

    /// Ends a claim with the rows of the work, in the transaction that is open
    /// (Protocol::complete).
    ///
    /// Errors: as once().
    [[nodiscard]] CompleteReply complete(const Permit& permit,
                                         const CompletingWork<Transaction>& work,
                                         std::string_view request_id = {});

private:
    Protocol& protocol() override;
    void with_session(const std::function<void(Session&)>& use) override;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace counterfoil::sqlite
