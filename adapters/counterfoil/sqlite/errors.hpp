#pragma once

#include <string_view>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include "counterfoil/store/store_error.hpp"

namespace counterfoil::sqlite {

/// The StoreError that a failure of SQLite is: what was being done, and SQLite's own words and
/// code.
[[nodiscard]] StoreError store_error(std::string_view doing, const SQLite::Exception& error);

/// SQLite ends a transaction by itself on some failures, and work may have kept that to itself;
/// what is written then would be committed at once.
///
/// Errors: StoreError unavailable, where no transaction is open.
void expect_open_transaction(SQLite::Database& database);

/// Calls what may fail inside SQLite; no exception of SQLiteCpp passes.
template <class Call>
decltype(auto) translated(std::string_view doing, Call&& call) {
    try {
        return std::forward<Call>(call)();
    } catch (const SQLite::Exception& error) {
        throw store_error(doing, error);
    }
}

}  // namespace counterfoil::sqlite
