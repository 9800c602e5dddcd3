#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "counterfoil/names.hpp"
#include "counterfoil/sqlite/attempts.hpp"
#include "counterfoil/sqlite/statement_cache.hpp"

namespace counterfoil::sqlite {

/// An attempt and whose it is.
struct AttemptRow {
    std::string tenant;
    std::string operation;
    std::string key;  ///< as logged_key() says
    Attempt attempt;
};

/// Errors: StoreError.
void insert_attempt(StatementCache& statements, const AttemptRow& row);

/// The last attempts of a scope, under its key plain or hashed, the oldest first.
///
/// Errors: StoreError, corrupt where one can't be read.
[[nodiscard]] std::vector<Attempt> find_attempts(StatementCache& statements, const Scope& scope,
                                                 int limit);

/// Tells every attempt from an instant (inclusive) to another (exclusive), the oldest first.
///
/// Errors: as find_attempts().
void for_each_attempt(StatementCache& statements, Instant from, Instant before,
                      const std::function<void(const Attempt&)>& tell);

/// Takes out at most `limit` attempts from before an instant.
///
/// Returns: how many.
/// Errors:  StoreError.
std::uint64_t erase_attempts(StatementCache& statements, Instant before, int limit);

}  // namespace counterfoil::sqlite
