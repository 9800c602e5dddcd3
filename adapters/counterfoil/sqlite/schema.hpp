#pragma once

#include <cstdint>

namespace SQLite {
class Database;
}

namespace counterfoil::sqlite {

/// PRAGMA application_id of a file that holds receipts: "CFOI". *Stored; never changed.*
inline constexpr std::int32_t application_id = 0x43464F49;

/// PRAGMA user_version of a file that this library writes: how many migrations it has had.
[[nodiscard]] std::int32_t schema_version();

/// What a file is to us.
enum class FileKind {
    unmarked,  ///< no application_id and no user_version: empty, or with tables of an embedder
    ours,      ///< and of this schema version
    older,     ///< ours, and migrate() brings it up to date
};

/// Reads the marks of an open database.
///
/// Errors: StoreError refused, for the mark of another application and for a newer schema; what
///         SQLite says, corrupt among it for a file that is no database.
[[nodiscard]] FileKind kind_of(SQLite::Database& database);

/// Makes an unmarked or older file one of ours and of this schema version, in one transaction, and
/// leaves one that is so already alone. Tables of an embedder stay as they are.
///
/// Requires: no transaction is open.
/// Errors:   StoreError, as kind_of() says; refused where a table of the name `receipts` is there
///           already. Then nothing has changed.
void migrate(SQLite::Database& database);

}  // namespace counterfoil::sqlite
