#pragma once

#include <vector>

#include "counterfoil/names.hpp"
#include "counterfoil/settle.hpp"
#include "counterfoil/sqlite/statement_cache.hpp"

namespace counterfoil::sqlite {

// The audit rows of resolves. They are only ever added.

/// Errors: StoreError.
void insert_resolution(StatementCache& statements, const ResolutionRecord& resolution);

/// The audit rows of a scope, the oldest first.
///
/// Errors: StoreError, corrupt where one can't be read.
[[nodiscard]] std::vector<ResolutionRecord> find_resolutions(StatementCache& statements,
                                                             const Scope& scope);

}  // namespace counterfoil::sqlite
