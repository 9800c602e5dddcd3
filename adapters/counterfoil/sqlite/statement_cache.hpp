#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace counterfoil::sqlite {

/// Statements of one connection by their text, each prepared once.
class StatementCache {
public:
    explicit StatementCache(SQLite::Database& database) : database_{database} {}

    [[nodiscard]] SQLite::Statement& statement(std::string_view sql);

    /// Resets whatever was left standing, so that no transaction is held open by it.
    void reset_all() noexcept;

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    SQLite::Database& database_;
    std::unordered_map<std::string, SQLite::Statement, Hash, std::equal_to<>> by_text_;
};

}  // namespace counterfoil::sqlite
