#include "counterfoil/sqlite/receipt_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "counterfoil/describe.hpp"
#include "counterfoil/overloaded.hpp"
#include "counterfoil/sqlite/binder.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/field_digest_text.hpp"
#include "counterfoil/sqlite/reset.hpp"
#include "counterfoil/sqlite/row.hpp"
#include "counterfoil/sqlite/state_columns.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil::sqlite {

namespace {

using enum Column;

Fingerprint read_fingerprint(const Row& row) {
    Fingerprint fingerprint{.scheme = SchemeName{std::string{row.bytes(scheme)}}, .digest = {}};
    const std::string_view bytes = row.bytes(digest);
    if (bytes.size() != fingerprint.digest.bytes.size()) {
        row.corrupt("its digest has " + std::to_string(bytes.size()) + " bytes");
    }
    std::memcpy(fingerprint.digest.bytes.data(), bytes.data(), bytes.size());
    return fingerprint;
}

std::int64_t read_attempt(const Row& row) {
    const std::int64_t claims = row.number(attempt);
    if (claims < 1) row.corrupt("its attempt is " + std::to_string(claims));
    return claims;
}

std::optional<Hold> read_hold(const Row& row) {
    if (row.is_null(hold_since_us)) return std::nullopt;
    return Hold{std::string{row.bytes(hold_by)}, std::string{row.bytes(hold_reason)},
                row.instant(hold_since_us)};
}

std::optional<FieldDigests> read_field_digests(const Row& row) {
    if (row.is_null(field_digests)) return std::nullopt;
    std::optional<FieldDigests> read = field_digests_from_text(row.bytes(field_digests));
    if (!read) row.corrupt("its field_digests are not as they were written");
    return read;
}

/// Binds the columns of a receipt, as receipt_columns lists them, and then its scope, runs the
/// statement and says whether it wrote.
bool write(SQLite::Statement& statement, const Receipt& receipt, std::optional<Fence> expected) {
    const StateCells cells = cells_of(receipt.state);
    const std::optional<std::string> digests =
        receipt.fields ? std::optional{to_text(*receipt.fields)} : std::nullopt;
    const Reset reset{statement};
    Binder bind{statement};

    bind.text(receipt.fingerprint.scheme.text);
    bind.blob(receipt.fingerprint.digest.bytes.data(), receipt.fingerprint.digest.bytes.size());
    bind.number(receipt.fence.number);
    bind.number(receipt.attempt);
    bind.instant(receipt.created_at);
    bind.word(word(receipt.state));
    bind.instant(cells.lease_end);
    bind.instant(cells.since);
    bind.word(cells.cause);
    bind.instant(cells.completed_at);
    bind.instant(cells.replay_until);
    bind.instant(cells.forget_at);
    bind.number(cells.status);
    bind.text(cells.reference);
    bind.text(cells.checkpoint != nullptr ? &cells.checkpoint->name() : nullptr);
    bind.instant(receipt.hold ? std::optional{receipt.hold->since} : std::nullopt);
    bind.text(receipt.hold ? &receipt.hold->by : nullptr);
    bind.text(receipt.hold ? &receipt.hold->reason : nullptr);
    bind.word(cells.omitted);
    bind.text(pointer_to(cells.fields));
    bind.text(cells.checkpoint != nullptr ? &cells.checkpoint->note() : nullptr);
    bind.text(pointer_to(digests));
    bind.blob(cells.body);
    bind.scope(receipt.scope);
    if (expected) bind.number(expected->number);
    return statement.exec() == 1;
}

std::string with_columns(std::string_view before, std::string_view after) {
    return std::string{before}.append(receipt_columns).append(after);
}

}  // namespace

Columns columns_of(const SQLite::Statement& statement) {
    Columns columns;
    const int count = statement.getColumnCount();
    columns.reserve(static_cast<std::size_t>(count));
    for (int column = 0; column < count; ++column) columns.push_back(statement.getColumn(column));
    return columns;
}

Receipt read_receipt(const Columns& columns, const Scope& scope) {
    const Row row{columns, scope};
    // Each part is made where it stays: moving an answer costs as much as reading it.
    return {.scope = scope,
            .fingerprint = read_fingerprint(row),
            .fence = {row.number(fence)},
            .created_at = row.instant(created_at_us),
            .attempt = read_attempt(row),
            .state = read_state(row),
            .fields = read_field_digests(row),
            .hold = read_hold(row)};
}

Scope read_scope(const Columns& columns) {
    const auto text = [&](Column column) {
        return columns[static_cast<std::size_t>(column)].getString();
    };
    Result<Tenant, NameError> read_tenant = parse_tenant(text(tenant));
    Result<Operation, NameError> read_operation = parse_operation(text(operation));
    Result<Key, NameError> read_key = parse_key(text(key), KeyRules::widest());
    if (!read_tenant || !read_operation || !read_key) {
        throw StoreError{StoreFault::corrupt, "a receipt's scope is no scope: tenant '" +
                                                  escaped(text(tenant)) + "', operation '" +
                                                  escaped(text(operation)) + "', key '" +
                                                  escaped(text(key)) + "'"};
    }
    return {*std::move(read_tenant), *std::move(read_operation), *std::move(read_key)};
}

ReceiptRows::ReceiptRows(SQLite::Database& database)
    : find_{database, with_columns("SELECT ",
                                   " FROM receipts WHERE tenant = ? AND operation = ? "
                                   "AND key = ?")},
      insert_{database,
              with_columns("INSERT INTO receipts (",
                           ", tenant, operation, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                           "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                           "ON CONFLICT (key, tenant, operation) DO NOTHING")},
      replace_{database, with_columns("UPDATE receipts SET (",
                                      ") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                      "?, ?, ?, ?, ?) WHERE tenant = ? AND operation = ? "
                                      "AND key = ? AND fence = ?")},
      erase_{database,
             "DELETE FROM receipts WHERE tenant = ? AND operation = ? AND key = ? AND fence = ?"} {}

std::optional<Receipt> ReceiptRows::find(const Scope& scope) {
    return translated("reading a receipt", [&]() -> std::optional<Receipt> {
        const Reset reset{find_};
        Binder{find_}.scope(scope);
        if (!find_.executeStep()) return std::nullopt;
        if (found_.empty()) found_ = columns_of(find_);
        return read_receipt(found_, scope);
    });
}

bool ReceiptRows::insert(const Receipt& receipt) {
    return translated("writing a receipt", [&] { return write(insert_, receipt, std::nullopt); });
}

bool ReceiptRows::replace(const Receipt& receipt, Fence expected) {
    return translated("writing a receipt", [&] { return write(replace_, receipt, expected); });
}

bool ReceiptRows::erase(const Scope& scope, Fence expected) {
    return translated("erasing a receipt", [&] {
        const Reset reset{erase_};
        Binder bind{erase_};
        bind.scope(scope);
        bind.number(expected.number);
        return erase_.exec() == 1;
    });
}

}  // namespace counterfoil::sqlite
