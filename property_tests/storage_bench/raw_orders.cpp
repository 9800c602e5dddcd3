#include "raw_orders.hpp"

#include <stdexcept>

#include <counterfoil/sqlite/receipt_rows.hpp>

namespace storage_bench {

namespace {

[[noreturn]] void give_up(sqlite3* database) {
    throw std::runtime_error{std::string{"raw: "} + sqlite3_errmsg(database)};
}

int size(const std::string& text) {
    return static_cast<int>(text.size());
}

void bind(sqlite3_stmt* statement, int index, const std::string& text) {
    sqlite3_bind_text(statement, index, text.data(), size(text), SQLITE_STATIC);
}

void bind(sqlite3_stmt* statement, int index, counterfoil::Instant at) {
    sqlite3_bind_int64(statement, index, at.time_since_epoch().count());
}

void bind_scope(sqlite3_stmt* statement, int index, const counterfoil::Scope& scope) {
    bind(statement, index, scope.tenant.text());
    bind(statement, index + 1, scope.operation.text());
    bind(statement, index + 2, scope.key.text());
}

}  // namespace

RawOrders::RawOrders(const std::string& file, const std::string& synchronous) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &opened,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK) give_up(opened);
    exec("PRAGMA journal_mode = WAL");
    exec("PRAGMA synchronous = " + synchronous);
    exec("PRAGMA foreign_keys = ON");
    exec("PRAGMA temp_store = MEMORY");
    exec("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, what TEXT)");
    sqlite3_busy_timeout(opened, 5'000);

    const std::string columns{counterfoil::sqlite::receipt_columns};
    begin_ = prepared("BEGIN IMMEDIATE");
    commit_ = prepared("COMMIT");
    find_ = prepared("SELECT " + columns +
                     " FROM receipts WHERE tenant = ? AND operation = ? AND key = ?");
    order_ = prepared(
        "INSERT INTO orders (tenant, key, sku, quantity) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (tenant, key) DO NOTHING");
    receipt_ = prepared("INSERT INTO receipts (" + columns +
                        ", tenant, operation, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    complete_ =
        prepared("UPDATE receipts SET (" + columns +
                 ") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                 "WHERE tenant = ? AND operation = ? AND key = ? AND fence = ?");
    bare_ = prepared("INSERT INTO bare (what) VALUES ('a row')");
}

RawOrders::Statement RawOrders::prepared(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(database_.get(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement,
                           nullptr) != SQLITE_OK) {
        give_up(database_.get());
    }
    return Statement{statement};
}

void RawOrders::exec(const std::string& sql) {
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        give_up(database_.get());
    }
}

void RawOrders::run(sqlite3_stmt* statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) give_up(database_.get());
    sqlite3_reset(statement);
}

void RawOrders::must_be_absent(const counterfoil::Scope& scope) {
    bind_scope(find_.get(), 1, scope);
    if (sqlite3_step(find_.get()) != SQLITE_DONE) give_up(database_.get());
    sqlite3_reset(find_.get());
}

void RawOrders::read_then_create(const counterfoil::Receipt& receipt) {
    must_be_absent(receipt.scope);
    create(receipt);
}

void RawOrders::place_order(const counterfoil::Scope& scope) {
    static const std::string sku = "pen";
    bind(order_.get(), 1, scope.tenant.text());
    bind(order_.get(), 2, scope.key.text());
    bind(order_.get(), 3, sku);
    sqlite3_bind_int64(order_.get(), 4, 2);
    run(order_.get());
}

void RawOrders::bind_head(sqlite3_stmt* statement, const counterfoil::Receipt& receipt,
                          const std::string& state) {
    sqlite3_clear_bindings(statement);
    bind(statement, 1, receipt.fingerprint.scheme.text);
    sqlite3_bind_blob(statement, 2, receipt.fingerprint.digest.bytes.data(), 32, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, receipt.fence.number);
    sqlite3_bind_int64(statement, 4, receipt.attempt);
    bind(statement, 5, receipt.created_at);
    bind(statement, 6, state);
    bind_scope(statement, 24, receipt.scope);
}

void RawOrders::bind_completed(sqlite3_stmt* statement, const counterfoil::Receipt& receipt) {
    static const std::string completed_word = "completed";
    static const std::string fields = "Content-Type:application/json\n";
    const auto& completed = std::get<counterfoil::state::Completed>(receipt.state);
    const auto& body = std::get<counterfoil::body::Bytes>(completed.answer.body).bytes;
    bind_head(statement, receipt, completed_word);
    bind(statement, 10, completed.completed_at);
    bind(statement, 11, completed.replay_until);
    bind(statement, 12, completed.forget_at);
    sqlite3_bind_int64(statement, 13, completed.answer.status);
    bind(statement, 20, fields);
    sqlite3_bind_blob(statement, 23, body.data(), size(body), SQLITE_STATIC);
}

void RawOrders::create(const counterfoil::Receipt& receipt) {
    run(begin_.get());
    must_be_absent(receipt.scope);
    place_order(receipt.scope);
    bind_completed(receipt_.get(), receipt);
    run(receipt_.get());
    run(commit_.get());
}

void RawOrders::claim_and_complete(const counterfoil::Receipt& receipt) {
    static const std::string in_progress_word = "in_progress";
    must_be_absent(receipt.scope);
    run(begin_.get());
    must_be_absent(receipt.scope);
    bind_head(receipt_.get(), receipt, in_progress_word);
    bind(receipt_.get(), 7, receipt.created_at);
    run(receipt_.get());
    run(commit_.get());

    run(begin_.get());
    replay(receipt.scope);
    place_order(receipt.scope);
    bind_completed(complete_.get(), receipt);
    sqlite3_bind_int64(complete_.get(), 27, receipt.fence.number);
    run(complete_.get());
    run(commit_.get());
}

std::uint64_t RawOrders::replay(const counterfoil::Scope& scope) {
    sqlite3_stmt* find = find_.get();
    bind_scope(find, 1, scope);
    if (sqlite3_step(find) != SQLITE_ROW) give_up(database_.get());
    std::uint64_t bytes = 0;
    for (int column = 0; column < sqlite3_column_count(find); ++column) {
        switch (sqlite3_column_type(find, column)) {
            case SQLITE_INTEGER:
                bytes += static_cast<std::uint64_t>(sqlite3_column_int64(find, column) & 1);
                break;
            case SQLITE_NULL: break;
            default:
                static_cast<void>(sqlite3_column_blob(find, column));
                bytes += static_cast<std::uint64_t>(sqlite3_column_bytes(find, column));
        }
    }
    sqlite3_reset(find);
    return bytes;
}

void RawOrders::bare_insert() {
    run(bare_.get());
}

}  // namespace storage_bench
