#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <SQLiteCpp/Column.h>

#include "counterfoil/describe.hpp"
#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/store/store_error.hpp"

namespace counterfoil::sqlite {

/// The columns of a statement's rows. A SQLite::Column is a handle that is good for every row, and
/// dear to make, so a statement that is used again keeps its own.
using Columns = std::vector<SQLite::Column>;

// Positions in receipt_columns, and behind them those of scope_columns.
enum class Column : int {
    scheme,
    digest,
    fence,
    attempt,
    created_at_us,
    state,
    lease_end_us,
    since_us,
    unknown_cause,
    completed_at_us,
    replay_until_us,
    forget_at_us,
    status,
    reference,
    checkpoint_name,
    hold_since_us,
    hold_by,
    hold_reason,
    body_omitted,
    fields,
    checkpoint_note,
    field_digests,
    body,
    column_count,
    tenant = column_count,
    operation,
    key,
};

/// A row whose columns are read one by one; whatever is not as it was written is corrupt.
class Row {
public:
    Row(const Columns& columns, const Scope& scope) : columns_{columns}, scope_{scope} {}

    [[noreturn]] void corrupt(std::string_view what) const {
        throw StoreError{StoreFault::corrupt, "the receipt of " + describe(scope_) +
                                                  " can't be read: " + std::string{what}};
    }

    [[nodiscard]] bool is_null(Column column) const { return at(column).isNull(); }

    [[nodiscard]] std::int64_t number(Column column) const {
        const SQLite::Column& read = at(column);
        if (!read.isInteger()) missing(column);
        return read.getInt64();
    }

    [[nodiscard]] Instant instant(Column column) const { return Instant{Span{number(column)}}; }

    /// Bytes of a text or a blob; borrowed until the statement is stepped on.
    [[nodiscard]] std::string_view bytes(Column column) const {
        const std::optional<std::string_view> read = optional_bytes(column);
        if (!read) missing(column);
        return *read;
    }

    /// Nothing for NULL. For a column that mostly has a value; is_null() is quicker where it has
    /// none.
    [[nodiscard]] std::optional<std::string_view> optional_bytes(Column column) const {
        const SQLite::Column& read = at(column);
        const void* data = read.getBlob();
        const int size = read.getBytes();
        if (size == 0 && read.isNull()) return std::nullopt;
        return std::string_view{static_cast<const char*>(data), static_cast<std::size_t>(size)};
    }

    [[nodiscard]] std::optional<std::string> optional_text(Column column) const {
        if (is_null(column)) return std::nullopt;
        return std::string{bytes(column)};
    }

private:
    [[nodiscard]] const SQLite::Column& at(Column column) const {
        return columns_[static_cast<std::size_t>(column)];
    }

    [[noreturn]] void missing(Column column) const {
        corrupt(std::string{"it has no "} + at(column).getName());
    }

    const Columns& columns_;
    const Scope& scope_;
};

}  // namespace counterfoil::sqlite
