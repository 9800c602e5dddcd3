#include <atomic>
#include <chrono>
#include <latch>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "order_service/client.hpp"
#include "order_service/local_server.hpp"

namespace order_service {
namespace {

using namespace std::chrono_literals;
using kit::Client;
using kit::LocalServer;
using kit::request;
using kit::told;

/// Holds requests up until it is told to let them go.
class Held {
public:
    [[nodiscard]] Handler handler() {
        return [this](const Incoming& incoming) {
            arrived_.release();
            go_.wait();
            return kit::echo(incoming);
        };
    }

    void wait_for_one() { arrived_.acquire(); }

    void let_go() { go_.count_down(); }

private:
    std::counting_semaphore<> arrived_{0};
    std::latch go_{1};
};

ServerSettings with(Limits limits) {
    return {.limits = limits};
}

/// Until the server has closed the port.
void wait_until_nobody_is_accepted(std::uint16_t port) {
    try {
        for (;;) {
            Client client{port};
            std::this_thread::sleep_for(1ms);
        }
    } catch (const std::system_error&) {
        return;
    }
}

TEST(Server, CutsWhoeverSendsTooSlowly) {
    LocalServer server{kit::echo, with({.read_timeout = 100ms})};
    Client header{server.port()};
    Client body{server.port()};
    Client trickle{server.port()};
    header.send("GET /a HTTP/1.1\r\nX");
    body.send("POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\nab");
    // A byte now and then doesn't buy more time.
    while (trickle.send("G")) std::this_thread::sleep_for(10ms);
    EXPECT_EQ(header.rest(), "");
    EXPECT_EQ(body.rest(), "");
    EXPECT_EQ(server.counts.cut, 3U);
}

TEST(Server, CutsWhoeverDoesNotTakeItsAnswer) {
    const std::string large(64 << 20, 'a');
    LocalServer server{[&](const Incoming&) {
                           return counterfoil::Answer{.status = 200,
                                                      .body = counterfoil::body::Bytes{large}};
                       },
                       with({.write_timeout = 100ms})};
    Client client{server.port()};
    client.send(request("GET", "/"));
    while (server.counts.cut == 0) std::this_thread::sleep_for(1ms);
    EXPECT_LT(client.rest().size(), large.size());
}

TEST(Server, ClosesConnectionsThatAreIdle) {
    LocalServer server{kit::echo, with({.idle_timeout = 50ms})};
    Client silent{server.port()};
    EXPECT_EQ(silent.rest(), "");
    Client once{server.port()};
    once.send(request("GET", "/a"));
    EXPECT_EQ(told(once.receive()), "200 GET /a -");
    EXPECT_EQ(once.rest(), "");
}

TEST(Server, TurnsAwayMoreThanItTakes) {
    Held held;
    LocalServer server{held.handler(), with({.connections = 2})};
    Client one{server.port()};
    one.send(request("GET", "/1"));
    held.wait_for_one();
    Client two{server.port()};
    two.send(request("GET", "/2"));
    held.wait_for_one();
    Client third{server.port()};
    third.send(request("GET", "/3"));
    const auto received = third.receive();
    ASSERT_TRUE(received);
    EXPECT_EQ(received->status, 503);
    EXPECT_EQ(received->field("Retry-After"), "1");
    EXPECT_EQ(third.rest(), "");
    held.let_go();
    EXPECT_EQ(told(one.receive()), "200 GET /1 -");
    EXPECT_EQ(told(two.receive()), "200 GET /2 -");
    EXPECT_EQ(server.counts.turned_away, 1U);
}

TEST(Server, AcceptsNobodyWhereTooManyWaitToBeTurnedAway) {
    Held held;
    LocalServer server{held.handler(), with({.connections = 1, .turned_away = 1})};
    Client one{server.port()};
    one.send(request("GET", "/1"));
    held.wait_for_one();
    Client second{server.port()};
    EXPECT_EQ(second.receive()->status, 503);
    Client third{server.port()};  // waits in the kernel
    second.drop();
    EXPECT_EQ(third.receive()->status, 503);
    held.let_go();
    EXPECT_EQ(told(one.receive()), "200 GET /1 -");
}

TEST(Server, WhatAHandlerThrowsIsToldToUsAlone) {
    std::vector<std::string> told_to_us;
    ServerSettings settings{.threads = 1};
    settings.on_failure = [&](std::string_view what) { told_to_us.emplace_back(what); };
    LocalServer server{[](const Incoming& incoming) -> counterfoil::Answer {
                           if (incoming.target == "/1") throw std::runtime_error{"a secret"};
                           if (incoming.target == "/2") throw 2;
                           if (incoming.target == "/3") return {.status = 100};
                           return kit::echo(incoming);
                       },
                       settings};
    Client client{server.port()};
    for (const std::string_view target : {"/1", "/2", "/3"}) {
        client.send(request("GET", target));
        const auto received = client.receive();
        ASSERT_TRUE(received);
        EXPECT_EQ(received->status, 500);
        EXPECT_EQ(received->field("Content-Type"), "application/problem+json");
        EXPECT_EQ(received->body.find("secret"), std::string::npos);
    }
    client.send(request("GET", "/4"));
    EXPECT_EQ(told(client.receive()), "200 GET /4 -");
    server.stop();
    EXPECT_EQ(told_to_us,
              (std::vector<std::string>{"a secret", "something that is no exception was thrown",
                                        "the answer can't be sent: status 100"}));
}

TEST(Server, OutlivesClientsThatGo) {
    Held held;
    LocalServer server{held.handler(), {.threads = 8}};
    const std::string whole = request("POST", "/a", {}, "abc");
    for (const std::size_t sent : {std::size_t{0}, std::size_t{1}, whole.size() - 1}) {
        Client client{server.port()};
        client.send(whole.substr(0, sent));
        client.drop();
    }
    for (int i = 0; i < 3; ++i) {  // before they read
        Client client{server.port()};
        client.send(whole);
        held.wait_for_one();
        client.drop();
    }
    held.let_go();
    Client half_closed{server.port()};
    half_closed.send(whole);
    half_closed.end_sending();
    EXPECT_EQ(told(half_closed.receive()), "200 POST /a abc");
    EXPECT_EQ(half_closed.rest(), "");
}

TEST(Server, AnswersWhatHasBegunWhenItIsStopped) {
    Held held;
    LocalServer server{held.handler()};
    Client idle{server.port()};
    Client running{server.port()};
    running.send(request("GET", "/running") + request("GET", "/behind"));
    held.wait_for_one();
    Client half_sent{server.port()};
    half_sent.send("POST /half HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\na");
    // Whoever is answered later has been accepted before.
    Client last{server.port()};
    last.send("nonsense\r\n\r\n");
    EXPECT_EQ(last.receive()->status, 400);

    server.begin_to_stop();
    EXPECT_EQ(idle.rest(), "");
    wait_until_nobody_is_accepted(server.port());
    held.let_go();
    const auto received = running.receive();
    EXPECT_EQ(told(received), "200 GET /running -");
    EXPECT_EQ(received->field("Connection"), "close");
    EXPECT_EQ(running.rest(), "");
    half_sent.send("bc");
    EXPECT_EQ(told(half_sent.receive()), "200 POST /half abc");
    half_sent.drop();
    server.stop();
}

TEST(Server, CutsAtTheDeadlineWhatIsNotOver) {
    LocalServer server{kit::echo, with({.stop_deadline = 50ms})};
    Client client{server.port()};
    client.send("POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\na");
    Client last{server.port()};
    last.send("nonsense\r\n\r\n");
    EXPECT_EQ(last.receive()->status, 400);
    server.stop();
    EXPECT_EQ(client.rest(), "");
}

TEST(Server, WaitsForAHandlerBeyondTheDeadline) {
    std::atomic<bool> over{};
    std::binary_semaphore arrived{0};
    LocalServer server{[&](const Incoming& incoming) {
                           arrived.release();
                           std::this_thread::sleep_for(100ms);
                           over = true;
                           return kit::echo(incoming);
                       },
                       with({.stop_deadline = 1ms})};
    Client client{server.port()};
    client.send(request("GET", "/a"));
    arrived.acquire();
    server.stop();
    EXPECT_TRUE(over);
    EXPECT_EQ(client.rest(), "");
}

TEST(Server, SaysWhyItCantListen) {
    LocalServer server{kit::echo};
    ServerCounts counts;
    try {
        const Server second{{.port = server.port()}, kit::echo, counts};
        FAIL() << "two servers on one port";
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), "can't listen on 127.0.0.1:" + std::to_string(server.port()) +
                                    ": Address already in use");
    }
    EXPECT_THROW((Server{{.address = "nowhere"}, kit::echo, counts}), std::runtime_error);
}

}  // namespace
}  // namespace order_service
