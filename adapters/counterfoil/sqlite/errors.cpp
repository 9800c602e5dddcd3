#include "counterfoil/sqlite/errors.hpp"

#include <string>

#include <sqlite3.h>

namespace counterfoil::sqlite {

namespace {

constexpr int primary_code_mask = 0xff;

StoreFault fault_of(int code) {
    switch (code & primary_code_mask) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL: return StoreFault::busy;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
        case SQLITE_FORMAT: return StoreFault::corrupt;
        case SQLITE_ERROR:
        case SQLITE_MISUSE:
        case SQLITE_RANGE:
        case SQLITE_TOOBIG:
        case SQLITE_MISMATCH: return StoreFault::refused;
        default: return StoreFault::unavailable;
    }
}

}  // namespace

StoreError store_error(std::string_view doing, const SQLite::Exception& error) {
    std::string text{doing};
    text += ": ";
    text += error.what();
    text += " (SQLite code ";
    text += std::to_string(error.getExtendedErrorCode());
    text += ")";
    return StoreError{fault_of(error.getErrorCode()), text};
}

void expect_open_transaction(SQLite::Database& database) {
    if (sqlite3_get_autocommit(database.getHandle()) == 0) return;
    throw StoreError{StoreFault::unavailable,
                     "the transaction was over before the work was: SQLite rolls back by itself "
                     "when a statement fails for the disk or a trigger, and the work must not go "
                     "on then, nor end it itself"};
}

}  // namespace counterfoil::sqlite
