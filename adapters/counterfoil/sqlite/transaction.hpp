#pragma once

#include <string_view>

namespace SQLite {
class Database;
class Statement;
}  // namespace SQLite

namespace counterfoil::sqlite {

class StatementCache;

/// The open transaction that work writes its own rows in. It passes for a SQLite::Database&.
///
/// What work does with the database is part of the transaction; it neither begins nor ends one. A
/// savepoint of its own is fine.
///
/// Threads: the one that it was handed to.
class Transaction {
public:
    Transaction(SQLite::Database& database, StatementCache& statements)
        : database_{database}, statements_{statements} {}

    [[nodiscard]] SQLite::Database& database() const { return database_; }

    operator SQLite::Database&() const {  // NOLINT(google-explicit-constructor): it passes for one
        return database_;
    }

    /// A statement of the embedder's, reset and without bindings: prepared when it is first asked
    /// for on this connection and kept as long as that, since preparing costs as much as running.
    ///
    /// Errors: SQLite::Exception, as the constructor of SQLite::Statement.
    [[nodiscard]] SQLite::Statement& statement(std::string_view sql) const;

private:
    SQLite::Database& database_;
    StatementCache& statements_;
};

}  // namespace counterfoil::sqlite
