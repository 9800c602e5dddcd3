#include "order_rows.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <boost/json.hpp>
#include <counterfoil/store/store_error.hpp>

#include "problem.hpp"

namespace order_service {

namespace {

namespace cf = counterfoil;
namespace json = boost::json;

constexpr std::ptrdiff_t longest_sku = 100;

/// Of valid UTF-8, which the parser has seen to.
std::ptrdiff_t characters_in(std::string_view text) {
    constexpr unsigned tail_mask = 0xC0;
    constexpr unsigned tail = 0x80;
    return std::ranges::count_if(
        text, [](char byte) { return (static_cast<unsigned char>(byte) & tail_mask) != tail; });
}

cf::Answer created(std::int64_t id) {
    const json::object document{{"order_id", id}, {"status", "created"}};
    return {.status = 201,
            .fields = {{"Content-Type", "application/json"},
                       {"Location", "/orders/" + std::to_string(id)}},
            .body = cf::body::Bytes{json::serialize(document)}};
}

void bind(SQLite::Statement& statement, int index, const std::optional<std::string>& text) {
    if (text) {
        statement.bindNoCopy(index, *text);
    } else {
        statement.bind(index);
    }
}

cf::Answer from_existing(const cf::sqlite::Transaction& rows, const Identity& who,
                         const cf::Key& key, const Order& order) {
    SQLite::Statement& found = rows.statement(
        "SELECT id, sku = ? AND quantity = ? AND user IS ? FROM orders "
        "WHERE tenant = ? AND key = ?");
    found.bindNoCopy(1, order.sku);
    found.bind(2, order.quantity);
    bind(found, 3, who.user);
    found.bindNoCopy(4, who.tenant.text());
    found.bindNoCopy(5, key.text());
    found.executeStep();
    if (found.getColumn(1).getInt() != 0) return created(found.getColumn(0).getInt64());
    return problem(422, "This key has made another order");
}

}  // namespace

cf::Result<Order, std::string> parse_order(std::string_view body) {
    json::error_code fault;
    const json::value document = json::parse(body, fault);
    if (fault) return std::string{"the body is no JSON"};
    if (!document.is_object()) return std::string{"the body is no JSON object"};

    const json::value* sku = document.get_object().if_contains("sku");
    if (sku == nullptr || !sku->is_string()) return std::string{"sku must be a text"};
    const std::string_view name = sku->get_string();
    if (name.empty() || characters_in(name) > longest_sku) {
        return std::string{"sku must have 1 to 100 characters"};
    }
    const json::value* quantity = document.get_object().if_contains("quantity");
    json::error_code inexact;
    const auto number =
        quantity != nullptr ? quantity->to_number<std::int64_t>(inexact) : std::int64_t{0};
    if (inexact || number < 1) return std::string{"quantity must be an integer from 1 on"};
    return Order{std::string{name}, number};
}

void make_table(SQLite::Database& rows) {
    rows.exec(
        "CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, "
        "key TEXT, user TEXT, sku TEXT NOT NULL, quantity INTEGER NOT NULL, "
        "UNIQUE (tenant, key)) STRICT");
}

cf::Answer insert(const cf::sqlite::Transaction& rows, const Identity& who,
                  const std::optional<cf::Key>& key, const Order& order) {
    SQLite::Statement& insert = rows.statement(
        "INSERT INTO orders (tenant, key, user, sku, quantity) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (tenant, key) DO NOTHING");
    insert.bindNoCopy(1, who.tenant.text());
    if (key) {
        insert.bindNoCopy(2, key->text());
    } else {
        insert.bind(2);
    }
    bind(insert, 3, who.user);
    insert.bindNoCopy(4, order.sku);
    insert.bind(5, order.quantity);
    if (insert.exec() == 1) return created(rows.database().getLastInsertRowid());
    return from_existing(rows, who, key.value(), order);
}

struct OrderReader::Connection {
    Connection(const std::filesystem::path& file, std::chrono::milliseconds busy_timeout)
        : database{file.string(), SQLite::OPEN_READONLY, static_cast<int>(busy_timeout.count())} {}

    std::mutex mutex;
    SQLite::Database database;
};

namespace {

/// What SQLite throws, as a store tells it.
template <class Read>
auto translated(Read&& read) {
    try {
        return read();
    } catch (const SQLite::Exception& error) {
        throw cf::StoreError{cf::StoreFault::unavailable,
                             std::string{"reading the orders: "} + error.what()};
    }
}

}  // namespace

OrderReader::OrderReader(const std::filesystem::path& file, std::chrono::milliseconds busy_timeout)
    : connection_{translated([&] { return std::make_unique<Connection>(file, busy_timeout); })} {}

OrderReader::~OrderReader() = default;

std::optional<Order> OrderReader::find(const cf::Tenant& tenant, std::int64_t id) {
    const std::scoped_lock lock{connection_->mutex};
    return translated([&]() -> std::optional<Order> {
        SQLite::Statement found{connection_->database,
                                "SELECT sku, quantity FROM orders WHERE id = ? AND tenant = ?"};
        found.bind(1, id);
        found.bindNoCopy(2, tenant.text());
        if (!found.executeStep()) return std::nullopt;
        return Order{found.getColumn(0).getString(), found.getColumn(1).getInt64()};
    });
}

void OrderReader::probe() {
    const std::scoped_lock lock{connection_->mutex};
    translated([&] {
        return connection_->database
            .execAndGet("SELECT count(*) FROM (SELECT 1 FROM orders LIMIT 1)")
            .getInt();
    });
}

}  // namespace order_service
