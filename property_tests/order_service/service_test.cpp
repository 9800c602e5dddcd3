#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "order_service/client.hpp"
#include "order_service/running_service.hpp"
#include "sqlite/kit.hpp"

namespace order_service {
namespace {

namespace cf = counterfoil;
using kit::anna_of_acme;
using kit::bert_of_acme;
using kit::Client;
using kit::more_pens;
using kit::order;
using kit::pen;
using kit::Received;
using kit::request;
using kit::RunningService;
using kit::told;
using kit::zeta;

constexpr std::string_view first = R"(201 {"order_id":1,"status":"created"})";

std::string get(std::string_view path, std::string_view who) {
    return request("GET", path, {{"Authorization", std::string{who}}});
}

/// The program, on a file without an order.
class OrderServiceTest : public testing::Test {
protected:
    int status_of(std::string_view request) const {
        const std::optional<Received> received = service.ask(request);
        return received ? received->status : 0;
    }

    RunningService service;
};

TEST_F(OrderServiceTest, MakesAnOrderAndAnswersARetryTheSame) {
    const auto made = service.ask(order("k"));
    EXPECT_EQ(told(made), first);
    EXPECT_EQ(made->field("Location"), "/orders/1");
    EXPECT_EQ(made->field("Idempotent-Replay"), "");
    for (const std::string_view body : {pen, kit::pen_respelt}) {
        const auto again = service.ask(order("k", body));
        EXPECT_EQ(told(again), first);
        EXPECT_EQ(again->field("Location"), "/orders/1");
        EXPECT_EQ(again->field("Idempotent-Replay"), "true");
    }
    EXPECT_EQ(service.orders(), 1);
}

TEST_F(OrderServiceTest, AnswersARetryAfterARestart) {
    EXPECT_EQ(told(service.ask(order("k"))), first);
    service.terminate();
    EXPECT_EQ(service.wait(), 0);
    service.start();
    const auto again = service.ask(order("k"));
    EXPECT_EQ(told(again), first);
    EXPECT_EQ(again->field("Idempotent-Replay"), "true");
}

TEST_F(OrderServiceTest, RefusesAnotherOrderUnderTheKey) {
    EXPECT_EQ(told(service.ask(order("k"))), first);
    const auto other = service.ask(order("k", more_pens));
    EXPECT_EQ(other->status, 422);
    EXPECT_EQ(other->field("Content-Type"), "application/problem+json");
    EXPECT_EQ(status_of(order("k", pen, bert_of_acme)), 422);
    EXPECT_EQ(service.orders(), 1);
}

TEST_F(OrderServiceTest, EachTenantHasItsOwnKeysAndOrders) {
    EXPECT_EQ(told(service.ask(order("k"))), first);
    EXPECT_EQ(told(service.ask(order("k", more_pens, zeta))),
              R"(201 {"order_id":2,"status":"created"})");
    EXPECT_EQ(told(service.ask(get("/orders/1", bert_of_acme))),
              R"(200 {"order_id":1,"status":"created","sku":"pen","quantity":2})");
    for (const std::string_view path : {"/orders/2", "/orders/3", "/orders/", "/orders/1x",
                                        "/orders/99999999999999999999", "/orders/1/2"}) {
        EXPECT_EQ(status_of(get(path, anna_of_acme)), 404) << path;
    }
}

TEST_F(OrderServiceTest, WantsAKeyThatIsOne) {
    for (const std::string_view key : {std::string_view{}, std::string_view{"a b"}}) {
        const auto refused = service.ask(order(key));
        EXPECT_EQ(refused->status, 400);
        EXPECT_EQ(refused->field("Content-Type"), "application/problem+json");
    }
    EXPECT_EQ(status_of(order(std::string(129, 'k'))), 400);
    EXPECT_EQ(service.receipts(), 0);
    EXPECT_EQ(status_of(order(std::string(128, 'k'))), 201);
}

TEST_F(OrderServiceTest, WhatIsNoOrderLeavesNothing) {
    for (const std::string& body : std::vector<std::string>{
             "", "{", "[]", "null", R"("pen")", R"({"quantity":2})", R"({"sku":"","quantity":2})",
             R"({"sku":7,"quantity":2})", R"({"sku":"pen"})", R"({"sku":"pen","quantity":0})",
             R"({"sku":"pen","quantity":-1})", R"({"sku":"pen","quantity":1.5})",
             R"({"sku":"pen","quantity":"2"})", R"({"sku":"pen","quantity":1e30})",
             R"({"sku":")" + std::string(101, 'a') + R"(","quantity":2})"}) {
        EXPECT_EQ(status_of(order("k", body)), 400) << body;
    }
    EXPECT_EQ(service.orders() + service.receipts(), 0);
    // Characters, not bytes; and the key is free still.
    std::string sku;
    for (int i = 0; i < 100; ++i) sku += "\xC3\xA4";
    EXPECT_EQ(status_of(order("k", R"({"sku":")" + sku + R"(","quantity":1})")), 201);
}

TEST_F(OrderServiceTest, TheTableIsTheLastLineOfDefence) {
    EXPECT_EQ(told(service.ask(order("k"))), first);
    cf::kit::execute(service.file(), "DELETE FROM receipts");
    EXPECT_EQ(status_of(order("k", more_pens)), 422);
    EXPECT_EQ(status_of(order("k", pen, bert_of_acme)), 422);
    EXPECT_EQ(service.receipts(), 0);
    EXPECT_EQ(told(service.ask(order("k"))), first);
    EXPECT_EQ(service.receipts(), 1);
    EXPECT_EQ(service.orders(), 1);
}

TEST_F(OrderServiceTest, LetsNobodyInWithoutAToken) {
    for (const std::string_view who :
         {"", "Bearer", "Bearer nobody-0123456789abcdef", "Basic YTpi", "anna-0123456789abcdef"}) {
        const auto refused = service.ask(order("k", pen, who));
        EXPECT_EQ(refused->status, 401) << who;
        EXPECT_EQ(refused->field("WWW-Authenticate"), "Bearer");
        EXPECT_EQ(refused->field("Content-Type"), "application/problem+json");
    }
    EXPECT_EQ(status_of(request("GET", "/orders/1")), 401);
    EXPECT_EQ(service.orders(), 0);
}

TEST_F(OrderServiceTest, TellsWhatThereIs) {
    const auto wrong_way = service.ask(get("/orders", anna_of_acme));
    EXPECT_EQ(wrong_way->status, 405);
    EXPECT_EQ(wrong_way->field("Allow"), "POST");
    EXPECT_EQ(service.ask(request("DELETE", "/healthz"))->field("Allow"), "GET, HEAD");
    for (const std::string_view path : {"/", "/order", "/healthz/", "/ordersx"}) {
        EXPECT_EQ(status_of(get(path, anna_of_acme)), 404) << path;
    }
    EXPECT_EQ(status_of(request("OPTIONS", "*")), 400);
}

TEST_F(OrderServiceTest, TellsHowItIs) {
    EXPECT_EQ(told(service.ask(request("GET", "/healthz"))), R"(200 {"status":"ok"})");
    EXPECT_EQ(told(service.ask(order("k"))), first);
    const std::string metrics = told(service.ask(request("GET", "/metrics")));
    EXPECT_NE(metrics.find("counterfoil_calls_total{call=\"once\",reply=\"create\"} 1"),
              std::string::npos);
    EXPECT_NE(metrics.find("order_service_requests_total 3\n"), std::string::npos);
}

TEST_F(OrderServiceTest, WhoeverGoesLeavesAllOrNothing) {
    const std::string whole = order("k");
    for (const std::size_t unsent : {whole.size() - 1, std::size_t{1}, std::size_t{0}}) {
        Client client{service.port()};
        client.send(std::string_view{whole}.substr(0, whole.size() - unsent));
        client.drop();
    }
    EXPECT_EQ(told(service.ask(whole)), first);
    EXPECT_EQ(service.orders(), 1);
    EXPECT_EQ(cf::kit::wrong_with_orders(service.file()), std::vector<std::string>{});
}

TEST_F(OrderServiceTest, ManyAtOnceWithOneKeyMakeOneOrder) {
    constexpr int clients = 200;
    std::vector<std::unique_ptr<Client>> all;
    for (int i = 0; i < clients; ++i) all.push_back(std::make_unique<Client>(service.port()));
    for (const auto& client : all) client->send(order("k"));
    std::map<std::string, int> answers;
    for (const auto& client : all) {
        const auto received = client->receive();
        ++answers[received && received->status == 409 ? "409" : told(received)];
    }
    EXPECT_GE(answers[std::string{first}], 1);
    EXPECT_EQ(answers[std::string{first}] + answers["409"], clients);
    EXPECT_EQ(service.orders(), 1);
}

TEST_F(OrderServiceTest, LogsEachRequestAndNoSecret) {
    static_cast<void>(service.ask(order("the-key")));
    static_cast<void>(service.ask(order("the-key")));
    static_cast<void>(service.ask(request("GET", "/healthz?the-query")));
    static_cast<void>(service.ask("nonsense\r\n\r\n"));
    service.terminate();
    EXPECT_EQ(service.wait(), 0);

    const std::string log = cf::kit::bytes_of(service.file("access.jsonl"));
    for (const std::string_view secret : {"the-key", "0123456789", "pen", "the-query"}) {
        EXPECT_EQ(log.find(secret), std::string::npos) << secret;
    }
    std::vector<std::string> lines;
    std::set<std::string> ids;
    for (std::string_view rest = log; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
        const auto line = boost::json::parse(rest.substr(0, rest.find('\n'))).as_object();
        ids.insert(std::string{line.at("request_id").as_string()});
        std::string told;
        for (const std::string_view name : {"tenant", "method", "path", "status", "bytes"}) {
            told += line.contains(name) ? boost::json::serialize(line.at(name)) + ' ' : "- ";
        }
        const auto* idempotency = line.if_contains("idempotency_status");
        lines.push_back(told + (idempotency != nullptr ? idempotency->as_string().c_str() : "-"));
    }
    EXPECT_EQ(lines, (std::vector<std::string>{R"("acme" "POST" "/orders" 201 33 created)",
                                               R"("acme" "POST" "/orders" 201 33 replayed)",
                                               R"(- "GET" "/healthz" 200 15 -)", "- - - 400 0 -"}));
    EXPECT_EQ(ids.size(), 4U);
}

TEST(OrderService, IsBusyWhileSomebodyElseWrites) {
    const RunningService service{{"--durability", "off", "--busy-timeout", "20ms"}};
    EXPECT_EQ(told(service.ask(order("before"))), first);
    {
        SQLite::Database other{service.file().string(), SQLite::OPEN_READWRITE};
        other.exec("BEGIN IMMEDIATE");
        const auto busy = service.ask(order("k"));
        EXPECT_EQ(busy->status, 503);
        EXPECT_EQ(busy->field("Retry-After"), "1");
        EXPECT_EQ(busy->field("Content-Type"), "application/problem+json");
        // What is known already needs no lock.
        EXPECT_EQ(told(service.ask(order("before"))), first);
        EXPECT_EQ(service.ask(request("GET", "/healthz"))->status, 200);
        other.exec("ROLLBACK");
    }
    EXPECT_EQ(told(service.ask(order("k"))), R"(201 {"order_id":2,"status":"created"})");
}

TEST(OrderService, TellsATwinThatTheFirstIsRunning) {
    RunningService service{{"--durability", "off", "--stock-check", "3s"}};
    Client runner{service.port()};
    runner.send(order("k"));
    while (service.receipts() == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});

    const auto twin = service.ask(order("k"));
    ASSERT_TRUE(twin);
    EXPECT_EQ(twin->status, 409);
    EXPECT_EQ(twin->field("Idempotency-Status"), "in_progress");
    const int seconds = std::stoi(twin->field("Retry-After"));
    EXPECT_GE(seconds, 1);
    EXPECT_LE(seconds, 30);
    EXPECT_EQ(service.ask(order("k", more_pens))->status, 422);

    service.terminate();
    EXPECT_EQ(told(runner.receive()), first);
    EXPECT_EQ(service.wait(), 0);
    EXPECT_EQ(service.orders(), 1);
    service.start();
    EXPECT_EQ(told(service.ask(order("k"))), first);
    EXPECT_EQ(service.orders(), 1);
}

TEST(OrderService, HoldsItsLimits) {
    const RunningService service{{"--durability", "off", "--read-timeout", "50ms",
                                  "--max-header-bytes", "512", "--max-body-bytes", "100"}};
    Client slow{service.port()};
    slow.send("POST /orders HTTP/1.1\r\n");
    EXPECT_EQ(slow.rest(), "");
    EXPECT_EQ(service.ask(order("k", std::string(101, ' ')))->status, 413);
    EXPECT_EQ(service.ask(get("/" + std::string(512, 'a'), anna_of_acme))->status, 431);
    EXPECT_EQ(told(service.ask(order("k"))), first);
}

TEST(OrderService, WithoutCounterfoilARetryOrdersAgain) {
    const RunningService service{{"--durability", "off", "--without-counterfoil"}};
    EXPECT_EQ(told(service.ask(order("k"))), first);
    EXPECT_EQ(told(service.ask(order("k"))), R"(201 {"order_id":2,"status":"created"})");
    EXPECT_EQ(service.ask(order("", "{}"))->status, 400);
    EXPECT_EQ(service.orders(), 2);
    EXPECT_EQ(service.receipts(), 0);
}

TEST(OrderService, SaysByItsExitCodeWhyItDoesNotRun) {
    const RunningService service;
    const std::string database = service.file("another.db").string();
    const std::string tokens = service.file("tokens").string();
    const std::string address = "127.0.0.1:" + std::to_string(service.port());
    const std::string missing = service.file("missing/file").string();
    EXPECT_EQ(kit::exit_code_of({}), 2);
    EXPECT_EQ(kit::exit_code_of({"--db", database, "--tokens", missing}), 2);
    EXPECT_EQ(kit::exit_code_of({"--db", database, "--tokens", tokens, "--listen", "x"}), 2);
    EXPECT_EQ(kit::exit_code_of({"--db", database, "--tokens", tokens, "--idle-timeout", "5"}), 2);
    EXPECT_EQ(kit::exit_code_of({"--db", database, "--tokens", tokens, "--durability", "most"}), 2);
    EXPECT_EQ(kit::exit_code_of({"--db", missing, "--tokens", tokens}), 4);
    EXPECT_EQ(kit::exit_code_of({"--db", database, "--tokens", tokens, "--listen", address}), 4);
}

}  // namespace
}  // namespace order_service
