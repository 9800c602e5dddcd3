#include "counterfoil/sqlite/errors.hpp"

#include <string>

#include <sqlite3.h>

namespace counterfoil::sqlite {

namespace {

constexpr int primary_code_mask = 0xff;

StoreFault fault_of(int code) {
    switch (code & primary_code_mask) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return StoreFault::busy;
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

}  // namespace counterfoil::sqlite
