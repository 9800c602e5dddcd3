#include "orders.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <boost/json.hpp>
#include <counterfoil/intent.hpp>
#include <counterfoil/names.hpp>
#include <counterfoil/overloaded.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/store/reply.hpp>
#include <counterfoil/store/store_error.hpp>

namespace order_lab {

namespace {

namespace cf = counterfoil;
namespace json = boost::json;

constexpr std::size_t longest_key = 128;
constexpr std::size_t longest_sku = 100;
constexpr std::int64_t largest_quantity = 100;

struct Order {
    std::string sku;
    std::int64_t quantity{};
};

cf::Answer answer(int status, const json::value& body) {
    return {.status = status,
            .fields = {{"Content-Type", "application/json"}},
            .body = cf::body::Bytes{json::serialize(body)}};
}

cf::Answer error(int status, std::string_view what) {
    return answer(status, json::object{{"error", what}});
}

cf::Answer created(std::int64_t order_id) {
    return answer(201, {{"order_id", order_id}});
}

/// The order that a body asks for, or the answer to one that asks for none.
std::variant<Order, cf::Answer> parse_order(std::string_view body) {
    json::error_code fault;
    const json::value document = json::parse(body, fault);
    if (fault || !document.is_object()) return error(400, "invalid_body");

    const json::value* sku = document.get_object().if_contains("sku");
    if (sku == nullptr || !sku->is_string() || sku->get_string().empty() ||
        sku->get_string().size() > longest_sku) {
        return error(400, "invalid_key_or_sku");
    }
    const json::value* quantity = document.get_object().if_contains("quantity");
    json::error_code inexact;
    const auto number =
        quantity != nullptr ? quantity->to_number<std::int64_t>(inexact) : std::int64_t{0};
    if (inexact || number < 1 || number > largest_quantity) return error(400, "invalid_quantity");
    return Order{std::string{sku->get_string()}, number};
}

/// Writes the order's row. The table's own unique key is the last defence: should an order of this
/// key be there without its receipt, the answer is made from it, and there is no second one.
cf::Answer insert(const cf::sqlite::Transaction& rows, const cf::Scope& scope, const Order& order) {
    SQLite::Statement& insert = rows.statement(
        "INSERT INTO orders (tenant, key, sku, quantity) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (tenant, key) DO NOTHING");
    insert.bindNoCopy(1, scope.tenant.text());
    insert.bindNoCopy(2, scope.key.text());
    insert.bindNoCopy(3, order.sku);
    insert.bind(4, order.quantity);
    if (insert.exec() == 1) return created(rows.database().getLastInsertRowid());

    SQLite::Statement& found = rows.statement(
        "SELECT id, sku = ? AND quantity = ? FROM orders WHERE tenant = ? AND key = ?");
    found.bindNoCopy(1, order.sku);
    found.bind(2, order.quantity);
    found.bindNoCopy(3, scope.tenant.text());
    found.bindNoCopy(4, scope.key.text());
    found.executeStep();
    const bool same = found.getColumn(1).getInt() != 0;
    return same ? created(found.getColumn(0).getInt64())
                : error(409, "key_reused_with_different_payload");
}

cf::PolicyBook policies() {
    cf::PolicyFigures figures;
    figures.key_rules.max_length = longest_key;
    return cf::PolicyBook{cf::validate(figures, {.client_retry_window = std::chrono::hours{1},
                                                 .handler_budget = std::chrono::seconds{10}})
                              .value()};
}

cf::sqlite::Settings with_table(cf::sqlite::Settings settings) {
    settings.on_connect = [](SQLite::Database& rows) {
        rows.exec(
            "CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, "
            "key TEXT NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL, "
            "UNIQUE (tenant, key)) STRICT");
    };
    return settings;
}

cf::Answer answer_to(const cf::Reply& reply) {
    if (const cf::Answer* known = cf::answer_of(reply)) return *known;
    if (std::holds_alternative<cf::verdict::Conflict>(reply)) {
        return error(409, "key_reused_with_different_payload");
    }
    return error(409, cf::word(reply));
}

}  // namespace

Orders::Orders(const std::filesystem::path& file, cf::sqlite::Settings settings)
    : store_{file, {.policies = policies()}, with_table(std::move(settings))} {}

cf::Answer Orders::place(std::string_view tenant, std::string_view key, std::string_view body) {
    const auto operation = cf::parse_operation("create_order");
    const auto who = cf::parse_tenant(tenant);
    const auto which = cf::parse_key(key, store_.policies().policy_for(*operation)->key_rules);
    if (!who || !which) return error(400, "invalid_key_or_sku");

    std::variant<Order, cf::Answer> parsed = parse_order(body);
    if (const auto* refused = std::get_if<cf::Answer>(&parsed)) return *refused;

    // What is compared is what was understood, not how it was written.
    const Order& order = std::get<Order>(parsed);
    const json::value intent{{"sku", order.sku}, {"quantity", order.quantity}};
    const cf::Scope scope{*who, *operation, *which};
    try {
        return answer_to(store_.once(
            {scope, cf::intent::JsonValue{&intent}},
            [&](const cf::sqlite::Transaction& rows) { return insert(rows, scope, order); }));
    } catch (const cf::StoreError& fault) {
        return error(503, cf::word(fault.fault()));
    } catch (const SQLite::Exception&) {
        return error(503, "unavailable");  // a statement on the orders themselves failed
    }
}

std::int64_t Orders::count() {
    std::int64_t count = 0;
    store_.write([&](const cf::sqlite::Transaction& rows) {
        count = rows.database().execAndGet("SELECT count(*) FROM orders").getInt64();
    });
    return count;
}

void Orders::break_receipts(bool broken) {
    store_.write([&](const cf::sqlite::Transaction& rows) {
        rows.database().exec("DROP TRIGGER IF EXISTS broken_receipts");
        if (!broken) return;
        rows.database().exec(
            "CREATE TRIGGER broken_receipts BEFORE INSERT ON receipts BEGIN "
            "SELECT raise(ABORT, 'the receipt can not be written'); END");
    });
}

std::string body_of(const cf::Answer& answer) {
    const auto* bytes = std::get_if<cf::body::Bytes>(&answer.body);
    return bytes != nullptr ? bytes->bytes : std::string{};
}

}  // namespace order_lab
