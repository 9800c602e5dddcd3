#include "counterfoil/sqlite/guest.hpp"

#include <optional>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/receipt_rows.hpp"
#include "counterfoil/sqlite/reset.hpp"
#include "counterfoil/sqlite/resolution_rows.hpp"
#include "counterfoil/sqlite/schema.hpp"
#include "counterfoil/sqlite/statement_cache.hpp"

namespace counterfoil::sqlite {

namespace {

/// A transaction of the protocol as a savepoint of the embedder's.
class SavepointSession final : public Session {
public:
    SavepointSession(SQLite::Database& database, StatementCache& statements)
        : database_{database},
          statements_{statements},
          rows_{database},
          lock_{database, "DELETE FROM receipts WHERE 0"},
          savepoint_{database, "SAVEPOINT counterfoil"},
          release_{database, "RELEASE counterfoil"},
          rollback_{database, "ROLLBACK TO counterfoil"} {}

    /// Takes the write lock, if the transaction has it not yet.
    void enter() {
        if (sqlite3_get_autocommit(database_.getHandle()) != 0) {
            throw StoreError{StoreFault::refused,
                             "a Guest needs an open transaction: BEGIN IMMEDIATE first"};
        }
        if (sqlite3_txn_state(database_.getHandle(), "main") == SQLITE_TXN_WRITE) return;
        translated("taking the write lock in a transaction that only reads so far",
                   [&] { run(lock_); });
    }

    // Everything that the transaction sees is as good as committed for whoever is in it.
    [[nodiscard]] std::optional<Receipt> peek(const Scope& scope) override { return find(scope); }

    void begin() override {
        translated("setting a savepoint", [&] { run(savepoint_); });
    }

    void commit() override {
        translated("releasing a savepoint", [&] { run(release_); });
    }

    void rollback() noexcept override {
        // SQLite may have rolled back the whole transaction by itself.
        if (sqlite3_get_autocommit(database_.getHandle()) != 0) return;
        for (SQLite::Statement* statement : {&rollback_, &release_}) {
            const Reset reset{*statement};
            statement->tryExecuteStep();
        }
    }

    void rest() override {
        throw StoreError{StoreFault::refused,
                         "a Guest can't wait for a running twin: its end can't be seen from inside "
                         "an open transaction"};
    }

    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) override {
        return rows_.find(scope);
    }

    [[nodiscard]] bool insert(const Receipt& receipt) override { return rows_.insert(receipt); }

    [[nodiscard]] bool replace(const Receipt& receipt, Fence expected) override {
        return rows_.replace(receipt, expected);
    }

    [[nodiscard]] bool erase(const Scope& scope, Fence expected) override {
        return rows_.erase(scope, expected);
    }

    void record(const ResolutionRecord& resolution) override {
        insert_resolution(statements_, resolution);
    }

    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope) override {
        return find_resolutions(statements_, scope);
    }

private:
    static void run(SQLite::Statement& statement) {
        const Reset reset{statement};
        statement.exec();
    }

    SQLite::Database& database_;
    StatementCache& statements_;
    ReceiptRows rows_;
    SQLite::Statement lock_;
    SQLite::Statement savepoint_;
    SQLite::Statement release_;
    SQLite::Statement rollback_;
};

/// While the work runs; leaves none of its statements standing.
class AtWork {
public:
    AtWork(bool& working, StatementCache& statements)
        : working_{working = true}, statements_{statements} {}

    ~AtWork() {
        statements_.reset_all();
        working_ = false;
    }

    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;

private:
    bool& working_;
    StatementCache& statements_;
};

SQLite::Database& checked(SQLite::Database& database) {
    if (kind_of(database) != FileKind::ours) {
        throw StoreError{StoreFault::refused,
                         "the database has no receipts of this schema version: migrate() first"};
    }
    return database;
}

}  // namespace

struct Guest::Parts {
    Parts(SQLite::Database& given, Setup setup)
        : database{checked(given)},
          protocol{std::move(setup)},
          statements{database},
          session{database, statements} {}

    void enter() {
        if (working) {
            throw StoreError{StoreFault::refused,
                             "a Guest was called from its own work: use the transaction that the "
                             "work was given"};
        }
        session.enter();
    }

    template <class AnyWork, class Run>
    auto entered(const AnyWork& work, Run&& run) {
        enter();
        Transaction transaction{database, statements};
        return run([&] {
            // A statement that the work left standing would keep the savepoint from being released,
            // and the embedder's connection at what it read then.
            const AtWork at_work{working, statements};
            Outcome outcome = work(transaction);
            expect_open_transaction(database);
            return outcome;
        });
    }

    SQLite::Database& database;
    Protocol protocol;
    StatementCache statements;
    SavepointSession session;
    bool working{false};
};

Guest::Guest(SQLite::Database& database, Setup setup)
    : parts_{translated("preparing statements",
                        [&] { return std::make_unique<Parts>(database, std::move(setup)); })} {}

Guest::~Guest() = default;

Reply Guest::once(const Submission& submission, const Work<Transaction>& work) {
    return parts_->entered(work, [&](const std::function<Outcome()>& run) {
        return parts_->protocol.once(parts_->session, submission, run);
    });
}

Reply Guest::once(const Request& request, const Work<Transaction>& work,
                  std::string_view request_id) {
    return parts_->entered(work, [&](const std::function<Outcome()>& run) {
        return parts_->protocol.once(parts_->session, request, run, request_id);
    });
}

CompleteReply Guest::complete(const Permit& permit, const CompletingWork<Transaction>& work,
                              std::string_view request_id) {
    return parts_->entered(work, [&](const std::function<Outcome()>& run) {
        return parts_->protocol.complete(parts_->session, permit, run, request_id);
    });
}

Protocol& Guest::protocol() {
    return parts_->protocol;
}

void Guest::with_session(const std::function<void(Session&)>& use) {
    parts_->enter();
    use(parts_->session);
}

}  // namespace counterfoil::sqlite
