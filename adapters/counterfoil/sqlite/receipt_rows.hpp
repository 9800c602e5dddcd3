#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include "counterfoil/names.hpp"
#include "counterfoil/receipt.hpp"
#include "counterfoil/sqlite/row.hpp"
#include "counterfoil/store/session.hpp"

namespace counterfoil::sqlite {

/// The columns that read_receipt() reads, as a SELECT lists them.
inline constexpr std::string_view receipt_columns =
    "scheme, digest, fence, attempt, created_at_us, state, lease_end_us, since_us, unknown_cause, "
    "completed_at_us, replay_until_us, forget_at_us, status, reference, checkpoint_name, "
    "hold_since_us, hold_by, hold_reason, body_omitted, fields, checkpoint_note, field_digests, "
    "body";

/// The scope's columns, which follow them where the scope is not known.
inline constexpr std::string_view scope_columns = "tenant, operation, key";

/// Requires: the statement stands at a row.
[[nodiscard]] Columns columns_of(const SQLite::Statement& statement);

/// Reads the receipt of a scope from the row that a statement stands at. What comes from disk is
/// checked like input.
///
/// Errors: StoreError corrupt, naming the scope and what is wrong with the row.
[[nodiscard]] Receipt read_receipt(const Columns& columns, const Scope& scope);

/// Reads the scope from scope_columns, which stand behind receipt_columns.
///
/// Errors: StoreError corrupt, with the row's number.
[[nodiscard]] Scope read_scope(const Columns& columns);

/// The table of receipts through one connection, its statements prepared once.
///
/// Threads: one at a time.
class ReceiptRows final : public ReceiptTable {
public:
    /// Requires: the schema is there; the database outlives the object.
    /// Errors:   StoreError.
    explicit ReceiptRows(SQLite::Database& database);

    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) override;
    [[nodiscard]] bool insert(const Receipt& receipt) override;
    [[nodiscard]] bool replace(const Receipt& receipt, Fence expected) override;
    [[nodiscard]] bool erase(const Scope& scope, Fence expected) override;

private:
    SQLite::Statement find_;
    Columns found_;  // of find_, from its first row on
    SQLite::Statement insert_;
    SQLite::Statement replace_;
    SQLite::Statement erase_;
};

}  // namespace counterfoil::sqlite
