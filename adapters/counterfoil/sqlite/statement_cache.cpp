#include "counterfoil/sqlite/statement_cache.hpp"

#include "counterfoil/sqlite/transaction.hpp"

namespace counterfoil::sqlite {

SQLite::Statement& StatementCache::statement(std::string_view sql) {
    auto found = by_text_.find(sql);
    if (found == by_text_.end()) {
        std::string text{sql};
        SQLite::Statement prepared{database_, text};
        found = by_text_.emplace(std::move(text), std::move(prepared)).first;
    }
    found->second.tryReset();
    found->second.clearBindings();
    return found->second;
}

void StatementCache::reset_all() noexcept {
    for (auto& [text, statement] : by_text_) statement.tryReset();
}

SQLite::Statement& Transaction::statement(std::string_view sql) const {
    return statements_.statement(sql);
}

}  // namespace counterfoil::sqlite
