// Receipts in a service's own SQLite file: a payment is noted once, whichever way its transaction
// is opened, and the same handler runs without a file in a unit test.
#include <iostream>
#include <iterator>
#include <string>
#include <variant>

#include <SQLiteCpp/SQLiteCpp.h>
#include <counterfoil/intent.hpp>
#include <counterfoil/memory/store.hpp>
#include <counterfoil/sqlite/guest.hpp>
#include <counterfoil/sqlite/schema.hpp>
#include <counterfoil/sqlite/store.hpp>

using namespace counterfoil;

namespace {

constexpr const char* payments =
    "CREATE TABLE IF NOT EXISTS payments (id INTEGER PRIMARY KEY, amount TEXT NOT NULL)";

PolicyBook policies() {
    PolicyFigures figures;
    figures.replay_window = std::chrono::hours{48};
    const ServiceBounds bounds{.client_retry_window = std::chrono::hours{1},
                               .handler_budget = std::chrono::seconds{10}};
    return PolicyBook{validate(figures, bounds).value()};
}

Submission submission(const char* key, const char* body) {
    return {{parse_tenant("acme").value(), parse_operation("pay").value(), parse_key(key).value()},
            intent::Json{body}};
}

// The embedder's own work: its rows, in the transaction that the receipt will be part of.
Answer pay(SQLite::Database& rows) {
    rows.exec("INSERT INTO payments (amount) VALUES ('12.50')");
    return {.status = 201,
            .fields = {{"Content-Type", "application/json"}},
            .body = body::Bytes{"{\"payment\":" + std::to_string(rows.getLastInsertRowid()) + "}"}};
}

void tell(const char* what, const Reply& reply) {
    std::cout << what << ": " << word(reply);
    if (const Answer* answer = answer_of(reply)) {
        std::cout << ", " << answer->status << ' ' << std::get<body::Bytes>(answer->body).bytes;
    }
    std::cout << '\n';
}

void with_a_store(const std::string& file) {
    sqlite::Settings settings;
    settings.on_connect = [](SQLite::Database& rows) { rows.exec(payments); };
    sqlite::Store store{file, {.policies = policies()}, settings};

    tell("first", store.once(submission("key-1", R"({"amount":"12.50"})"), pay));
    tell("again", store.once(submission("key-1", R"({ "amount": "12.50" })"), pay));
    tell("other", store.once(submission("key-1", R"({"amount":"99.00"})"), pay));
}

void in_a_transaction_of_your_own(const std::string& file) {
    SQLite::Database rows{file, SQLite::OPEN_READWRITE};
    sqlite::Guest receipts{rows, {.policies = policies()}};

    rows.exec("BEGIN IMMEDIATE");
    tell("in my transaction", receipts.once(submission("key-2", R"({"amount":"12.50"})"), pay));
    rows.exec("INSERT INTO payments (amount) VALUES ('0.99')");  // and whatever else belongs to it
    rows.exec("COMMIT");
}

void in_a_unit_test() {
    memory::Store store{{.policies = policies()}};
    int paid = 0;
    const auto pay_in_memory = [&](memory::Transaction& transaction) -> Answer {
        ++paid;
        transaction.on_rollback([&] { --paid; });
        return {.status = 201, .body = body::Bytes{"{}"}};
    };
    tell("in memory", store.once(submission("key-1", "{}"), pay_in_memory));
    tell("in memory", store.once(submission("key-1", "{}"), pay_in_memory));
    std::cout << "paid " << paid << " time\n";
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const std::string file = count == 2 ? *std::next(arguments) : "payments.db";
        with_a_store(file);
        in_a_transaction_of_your_own(file);
        in_a_unit_test();
    } catch (const StoreError& error) {
        std::cerr << word(error.fault()) << ": " << error.what() << '\n';
        return 1;
    }
}
