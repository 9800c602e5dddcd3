#include "counterfoil/sqlite/sweeper.hpp"

#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "counterfoil/overloaded.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/reset.hpp"

namespace counterfoil::sqlite {

namespace {

// Behind receipt_columns and scope_columns.
constexpr int due_column = 26;
constexpr int row_column = 27;

const std::string& due_rows() {
    static const std::string sql =
        std::string{"SELECT "}
            .append(receipt_columns)
            .append(", ")
            .append(scope_columns)
            .append(
                ", due_at_us, rowid FROM receipts WHERE due_at_us <= ? AND (due_at_us, rowid) "
                "> (?, ?) ORDER BY due_at_us, rowid LIMIT ?");
    return sql;
}

// The condition stands here again, so that a row that is not what was read survives.
constexpr const char* erase_row =
    "DELETE FROM receipts WHERE tenant = ? AND operation = ? AND key = ? AND fence = ? "
    "AND completed_at_us IS NOT NULL AND hold_since_us IS NULL AND forget_at_us <= ?";

}  // namespace

bool Sweeper::slice(Connection& connection, const PurgeOptions& options) {
    return translated("purging", [&] {
        const auto start = std::chrono::steady_clock::now();
        const std::vector<Due> batch = next(connection.statements(), options.slice_rows);
        for (const Due& due : batch) {
            look_at(connection, due, options.mode);
            reached_.due_at_us = due.due_at_us;
            reached_.row = due.row;
            if (std::chrono::steady_clock::now() - start >= options.slice) return true;
        }
        return static_cast<int>(batch.size()) == options.slice_rows;
    });
}

// They are read before the first is written, since a row that is written while its index is read
// may or may not be met again.
std::vector<Sweeper::Due> Sweeper::next(StatementCache& statements, int rows) {
    SQLite::Statement& rows_due = statements.statement(due_rows());
    const Reset reset{rows_due};
    rows_due.bind(1, now_.time_since_epoch().count());
    rows_due.bind(2, reached_.due_at_us);
    rows_due.bind(3, reached_.row);
    rows_due.bind(4, rows);
    std::vector<Due> batch;
    Columns columns;
    while (rows_due.executeStep()) {
        if (columns.empty()) columns = columns_of(rows_due);
        Due due{.due_at_us = rows_due.getColumn(due_column).getInt64(),
                .row = rows_due.getColumn(row_column).getInt64()};
        try {
            due.receipt = read_receipt(columns, read_scope(columns));
        } catch (const StoreError&) {
            // One bad row must not keep all others from being forgotten.
        }
        batch.push_back(std::move(due));
    }
    return batch;
}

void Sweeper::look_at(Connection& connection, const Due& due, PurgeMode mode) {
    ++report_.looked_at;
    if (!due.receipt) {
        ++report_.unreadable;
        return;
    }
    const bool writes = mode == PurgeMode::write;
    const auto replaced = [&](const Replace& write) {
        return !writes || connection.rows().replace(write.receipt, write.expected);
    };
    const Policy& policy = policies_.policy_for(due.receipt->scope.operation);
    std::visit(overloaded{
                   [](const retention::Keep&) {},
                   [&](const retention::MakeTombstone& made) {
                       if (replaced(made.write)) ++report_.tombstones;
                   },
                   [&](const retention::Purge& purge) {
                       if (!writes || erase_forgotten(connection.statements(), purge))
                           ++report_.purged;
                   },
                   [&](const retention::MarkUnknown& marked) {
                       if (replaced(marked.write)) ++report_.marked_unknown;
                   },
               },
               sweep(*due.receipt, now_, policy));
}

bool Sweeper::erase_forgotten(StatementCache& statements, const retention::Purge& purge) const {
    SQLite::Statement& erase = statements.statement(erase_row);
    const Reset reset{erase};
    erase.bindNoCopy(1, purge.write.scope.tenant.text());
    erase.bindNoCopy(2, purge.write.scope.operation.text());
    erase.bindNoCopy(3, purge.write.scope.key.text());
    erase.bind(4, purge.write.expected.number);
    erase.bind(5, now_.time_since_epoch().count());
    return erase.exec() == 1;
}

}  // namespace counterfoil::sqlite
