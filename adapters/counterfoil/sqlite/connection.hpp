#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include "counterfoil/sqlite/checkpointer.hpp"
#include "counterfoil/sqlite/receipt_rows.hpp"
#include "counterfoil/sqlite/settings.hpp"
#include "counterfoil/sqlite/statement_cache.hpp"

namespace counterfoil::sqlite {

/// One connection of a Store, with all it ever runs prepared.
///
/// Threads: one at a time.
class Connection {
public:
    /// Opens the file, which is made with mode 0600 if there is none, and brings its schema up to
    /// date.
    ///
    /// Errors: StoreError.
    Connection(const std::filesystem::path& file, const Settings& settings,
               Checkpointer& checkpointer);

    [[nodiscard]] SQLite::Database& database() { return database_; }

    [[nodiscard]] ReceiptRows& rows() { return prepared_->rows; }

    [[nodiscard]] StatementCache& statements() { return statements_; }

    void begin();
    void commit();
    void rollback() noexcept;

    /// A number that changes whenever what this connection reads has changed, as far as it has
    /// noticed; it notices when it begins to read.
    [[nodiscard]] std::uint32_t data_version();

private:
    struct Prepared {
        explicit Prepared(SQLite::Database& database);

        ReceiptRows rows;
        SQLite::Statement begin;
        SQLite::Statement commit;
        SQLite::Statement rollback;
    };

    SQLite::Database database_;
    StatementCache statements_;
    std::optional<Prepared> prepared_;
};

}  // namespace counterfoil::sqlite
