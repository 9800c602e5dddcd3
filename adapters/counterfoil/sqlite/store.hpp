#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "counterfoil/sqlite/purge.hpp"
#include "counterfoil/sqlite/settings.hpp"
#include "counterfoil/sqlite/transaction.hpp"
#include "counterfoil/store/claims.hpp"
#include "counterfoil/store/protocol.hpp"
#include "counterfoil/store/work.hpp"

namespace counterfoil::sqlite {

/// Receipts in a SQLite file, beside the rows of whoever embeds it.
///
/// A commit is durable when a call returns (Durability::full). Several threads and several
/// processes may use one file; in one process, one Store for it: its gate lets the writers in one
/// by one, in the order in which they came, so that only other processes are ever waited for by
/// SQLite's busy timeout.
///
/// Threads: any.
class Store final : public Claims {
public:
    /// Opens the file, which is made if there is none, and brings its schema up to date.
    ///
    /// Errors: StoreError: refused for a file of another application, a newer schema, a file that
    ///         others may open (Settings::access) and what is no file; corrupt for what is no
    ///         database; unavailable, busy.
    explicit Store(const std::filesystem::path& file, Setup setup, Settings settings = {});
    ~Store() override;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Does the work of a request once, in one transaction with its receipt (Protocol::once).
    ///
    /// ```cpp
    /// const Reply reply = store.once({scope, intent::Json{body}}, [&](SQLite::Database& rows) {
    ///     return place_order(rows, order);  // writes its rows, returns an Answer
    /// });
    /// ```
    ///
    /// Work must not call a function of the same store that writes: it would wait for itself, and
    /// is refused.
    ///
    /// Errors: StoreError; what the work throws. After either, nothing was written.
    Reply once(const Submission& submission, const Work<Transaction>& work);

    /// The same for a request whose fingerprint is known.
    Reply once(const Request& request, const Work<Transaction>& work,
               std::string_view request_id = {});

    using Claims::complete;

    /// Ends a claim in one transaction with the rows that the work writes (Protocol::complete).
    ///
    /// Errors: StoreError; what the work throws. After either, nothing was written, and the claim
    ///         is still held.
    [[nodiscard]] CompleteReply complete(const Permit& permit,
                                         const CompletingWork<Transaction>& work,
                                         std::string_view request_id = {});

    /// Runs a transaction of the embedder's own, without a receipt, through the same gate.
    ///
    /// Errors: StoreError; what `run` throws. After either, nothing was written.
    void write(const std::function<void(const Transaction&)>& run);

    /// The receipt of a scope as it was last committed.
    ///
    /// Errors: StoreError.
    [[nodiscard]] std::optional<Receipt> find(const Scope& scope);

    /// Does what sweep() says is due for all receipts, in slices short enough that writers hardly
    /// notice, and returns what it came to.
    ///
    /// Errors: StoreError. What earlier slices did stays done.
    PurgeReport purge(const PurgeOptions& options = {});

    /// Writes the calls that the log of attempts holds back (Settings::attempts).
    ///
    /// Errors: StoreError. What could not be written is held back still.
    void flush_attempts();

    /// How many calls are in no log, since the file could not be written for too long.
    [[nodiscard]] std::uint64_t dropped_attempts() const noexcept;

    /// The session that the protocol works with, for the conformance kit.
    [[nodiscard]] std::unique_ptr<Session> session();

    [[nodiscard]] const PolicyBook& policies() const noexcept;

private:
    Protocol& protocol() override;
    void with_session(const std::function<void(Session&)>& use) override;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace counterfoil::sqlite
