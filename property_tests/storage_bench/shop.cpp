#include "shop.hpp"

#include <array>
#include <chrono>
#include <cstdio>

#include <SQLiteCpp/SQLiteCpp.h>
#include <counterfoil/sqlite/receipt_rows.hpp>
#include <counterfoil/store/clock.hpp>

namespace storage_bench {

namespace cf = counterfoil;

namespace {

std::string hexadecimal(std::uint64_t number) {
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, number >>= 4U) {
        *digit = "0123456789abcdef"[number & 15U];
    }
    return digits;
}

const cf::Operation& create_order() {
    static const cf::Operation operation = cf::parse_operation("create_order").value();
    return operation;
}

}  // namespace

cf::Scope Shop::next_scope() {
    constexpr std::uint64_t tenants = 100;
    const std::uint64_t number = ++given_;
    // 36 characters, like a UUID.
    const std::string head =
        hexadecimal(keys_ == Keys::ordered ? (std::uint64_t{1} << 40U) + number : random_());
    const std::string text = head.substr(0, 8) + '-' + head.substr(8, 4) + '-' +
                             head.substr(12, 4) + "-8000-" + hexadecimal(random_()).substr(0, 12);
    return {cf::parse_tenant("tenant-" + std::to_string(random_() % tenants)).value(),
            create_order(), cf::parse_key(text).value()};
}

cf::Request Shop::request(const cf::Scope& scope) {
    return {.scope = scope,
            .fingerprint = {.scheme = cf::SchemeName{"exact-json"}, .digest = {}},
            .fields = {},
            .others = {}};
}

const cf::Answer& Shop::answer() {
    static const cf::Answer answer{
        .status = 201,
        .fields = {{"Content-Type", "application/json"}},
        .body = cf::body::Bytes{R"({"order_id":1234567,"status":"created","note":")" +
                                std::string(150, 'x') + "\"}"}};
    return answer;
}

cf::Receipt Shop::receipt(const cf::Scope& scope, cf::Instant now) {
    constexpr auto day = std::chrono::hours{24};
    return {.scope = scope,
            .fingerprint = request(scope).fingerprint,
            .fence = {now.time_since_epoch().count()},
            .created_at = now,
            .state =
                cf::state::Completed{answer(), now, now + cf::Span{day}, now + cf::Span{30 * day}}};
}

cf::Answer Shop::place(const cf::sqlite::Transaction& rows, const cf::Scope& scope) {
    static const std::string sku = "pen";
    SQLite::Statement& insert = rows.statement(
        "INSERT INTO orders (tenant, key, sku, quantity) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (tenant, key) DO NOTHING");
    insert.bindNoCopy(1, scope.tenant.text());
    insert.bindNoCopy(2, scope.key.text());
    insert.bindNoCopy(3, sku);
    insert.bind(4, 2);
    insert.exec();
    return answer();
}

cf::PolicyBook Shop::policies() {
    return cf::PolicyBook{cf::validate({}, {.client_retry_window = std::chrono::hours{1},
                                            .handler_budget = std::chrono::seconds{10}})
                              .value()};
}

cf::sqlite::Settings Shop::settings(cf::sqlite::Durability durability) {
    cf::sqlite::Settings settings;
    settings.durability = durability;
    settings.on_connect = [](SQLite::Database& rows) {
        rows.exec(
            "CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, "
            "key TEXT NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL, "
            "UNIQUE (tenant, key)) STRICT");
    };
    return settings;
}

void Shop::fill(const std::filesystem::path& file, std::int64_t receipts, Keys keys,
                cf::Instant completed_at) {
    cf::sqlite::Store store{file, {.policies = policies()}, settings(cf::sqlite::Durability::off)};
    Shop shop{keys, 7};
    constexpr std::int64_t batch = 10'000;
    for (std::int64_t done = 0; done < receipts;) {
        store.write([&](const cf::sqlite::Transaction& rows) {
            cf::sqlite::ReceiptRows table{rows.database()};
            for (std::int64_t i = 0; i < batch && done < receipts; ++i, ++done) {
                const cf::Scope scope = shop.next_scope();
                static_cast<void>(place(rows, scope));
                static_cast<void>(table.insert(receipt(scope, completed_at + cf::Span{done})));
            }
        });
    }
    SQLite::Database database{file.string(), SQLite::OPEN_READWRITE};
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace storage_bench
