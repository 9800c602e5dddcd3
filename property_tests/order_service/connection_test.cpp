#include <chrono>
#include <string>
#include <string_view>
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

constexpr std::string_view chunked_head =
    "POST /a HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n";

/// The status of the only answer to some bytes, after which the server closes.
int refusal_of(std::uint16_t port, std::string_view bytes) {
    Client client{port};
    client.send(bytes);
    const auto received = client.receive();
    if (!received) return 0;
    EXPECT_EQ(received->field("Connection"), "close");
    EXPECT_EQ(received->field("Content-Type"), "application/problem+json");
    EXPECT_EQ(client.rest(), "");
    return received->status;
}

TEST(Connection, AnswersOneRequestAfterTheOther) {
    LocalServer server{kit::echo};
    Client client{server.port()};
    for (const std::string_view body : {"one", "", "three"}) {
        client.send(request("POST", "/a?b=c", {}, body));
        EXPECT_EQ(told(client.receive()), "200 POST /a?b=c " + std::string{body});
    }
    client.send(request("GET", "/a"));
    EXPECT_EQ(told(client.receive()), "200 GET /a -");
}

TEST(Connection, AnswersPipelinedRequestsInOrder) {
    constexpr int requests = 100;
    LocalServer server{[](const Incoming& incoming) {
        // The first ones take longest.
        if (incoming.target.ends_with("7")) std::this_thread::sleep_for(2ms);
        return kit::echo(incoming);
    }};
    Client client{server.port()};
    std::string all;
    for (int i = 0; i < requests; ++i) all += request("POST", "/" + std::to_string(i), {}, "x");
    client.send(all);
    for (int i = 0; i < requests; ++i) {
        ASSERT_EQ(told(client.receive()), "200 POST /" + std::to_string(i) + " x");
    }
}

TEST(Connection, TakesARequestByteByByte) {
    LocalServer server{kit::echo};
    Client client{server.port()};
    for (const char byte : request("POST", "/a", {}, "abc")) client.send({&byte, 1});
    EXPECT_EQ(told(client.receive()), "200 POST /a abc");
}

TEST(Connection, TakesAChunkedBody) {
    LocalServer server{kit::echo};
    Client client{server.port()};
    client.send(std::string{chunked_head} + "3\r\nabc\r\n2;name=value\r\nde\r\n0\r\n\r\n");
    EXPECT_EQ(told(client.receive()), "200 POST /a abcde");
    client.send(request("GET", "/b"));
    EXPECT_EQ(told(client.receive()), "200 GET /b -");
}

TEST(Connection, TakesNoFieldFromATrailer) {
    LocalServer server{[](const Incoming& incoming) {
        return counterfoil::Answer{
            .status = values_of(incoming.fields, "Idempotency-Key").empty() ? 200 : 500};
    }};
    Client client{server.port()};
    client.send(std::string{chunked_head} + "1\r\na\r\n0\r\nIdempotency-Key: smuggled\r\n\r\n");
    EXPECT_EQ(told(client.receive()), "200 ");
}

TEST(Connection, HandsFieldsOverLineByLine) {
    LocalServer server{[](const Incoming& incoming) {
        std::string all;
        for (const std::string_view value : values_of(incoming.fields, "x-a")) {
            all.append(value).append(";");
        }
        return counterfoil::Answer{.status = 200, .body = counterfoil::body::Bytes{all}};
    }};
    Client client{server.port()};
    client.send(request("GET", "/", {{"X-A", "1"}, {"Other", "x"}, {"x-a", "  2, 3 "}}));
    EXPECT_EQ(told(client.receive()), "200 1;2, 3;");
}

TEST(Connection, HeadHasNoBody) {
    LocalServer server{kit::echo};
    Client client{server.port()};
    client.send(request("HEAD", "/a") + request("GET", "/b"));
    const auto head = client.receive_head();
    ASSERT_TRUE(head);
    EXPECT_EQ(head->field("Content-Length"), "9");
    EXPECT_EQ(told(client.receive()), "200 GET /b -");
}

TEST(Connection, SaysGoOnToWhoeverWaitsForIt) {
    LocalServer server{kit::echo};
    Client client{server.port()};
    const std::string whole = request("POST", "/a", {{"Expect", "100-continue"}}, "abc");
    const std::size_t body = whole.size() - 3;
    client.send(whole.substr(0, body));
    EXPECT_EQ(told(client.receive()), "100 ");
    client.send(whole.substr(body));
    EXPECT_EQ(told(client.receive()), "200 POST /a abc");
}

TEST(Connection, SaysNoToWhoeverWaitsWithTooMuch) {
    LocalServer server{kit::echo};
    EXPECT_EQ(refusal_of(server.port(),
                         "POST /a HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
                         "Content-Length: 65537\r\n\r\n"),
              413);
    EXPECT_EQ(refusal_of(server.port(), request("POST", "/a", {{"Expect", "miracles"}}, "x")), 417);
}

TEST(Connection, ClosesWhenTheClientAsksForIt) {
    LocalServer server{kit::echo};
    Client client{server.port()};
    client.send(request("GET", "/a", {{"Connection", "close"}}));
    const auto received = client.receive();
    EXPECT_EQ(told(received), "200 GET /a -");
    EXPECT_EQ(received->field("Connection"), "close");
    EXPECT_EQ(client.rest(), "");
}

TEST(Connection, SpeaksTheOlderVersion) {
    LocalServer server{kit::echo};
    Client closing{server.port()};
    closing.send("GET /a HTTP/1.0\r\n\r\n");
    EXPECT_EQ(told(closing.receive()), "200 GET /a -");
    EXPECT_EQ(closing.rest(), "");
    Client staying{server.port()};
    staying.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(staying.receive()->field("Connection"), "keep-alive");
    staying.send("GET /b HTTP/1.0\r\n\r\n");
    EXPECT_EQ(told(staying.receive()), "200 GET /b -");
}

TEST(Connection, RefusesAHeaderThatIsTooLarge) {
    LocalServer server{kit::echo};
    EXPECT_EQ(refusal_of(server.port(), request("GET", "/" + std::string(9'000, 'a'))), 431);
    EXPECT_EQ(refusal_of(server.port(), request("GET", "/", {{"X-A", std::string(9'000, 'a')}})),
              431);
    EXPECT_EQ(refusal_of(server.port(), std::string(9'000, 'A')), 431);
    std::string many;
    for (int i = 0; i < 2'000; ++i) many += "X-A: b\r\n";
    EXPECT_EQ(refusal_of(server.port(), "GET / HTTP/1.1\r\nHost: test\r\n" + many + "\r\n"), 431);
}

TEST(Connection, RefusesABodyThatIsTooLarge) {
    LocalServer server{kit::echo};
    const std::string large(65'537, 'a');
    EXPECT_EQ(refusal_of(server.port(), request("POST", "/a", {}, large)), 413);
    EXPECT_EQ(refusal_of(server.port(),
                         std::string{chunked_head} + "10001\r\n" + large + "\r\n0\r\n\r\n"),
              413);
    std::string chunks;
    for (int i = 0; i < 70; ++i) chunks += "400\r\n" + std::string(1'024, 'a') + "\r\n";
    EXPECT_EQ(refusal_of(server.port(), std::string{chunked_head} + chunks), 413);
    // It is announced, and not one byte of it is waited for.
    EXPECT_EQ(refusal_of(
                  server.port(),
                  "POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: 18446744073709551615\r\n\r\n"),
              413);
    Client client{server.port()};
    client.send(request("POST", "/a", {}, std::string(65'536, 'a')));
    EXPECT_EQ(client.receive()->status, 200);
}

TEST(Connection, RefusesWhatIsNoRequest) {
    LocalServer server{kit::echo};
    const std::string host = "Host: test\r\n";
    for (const std::string& bytes : std::vector<std::string>{
             "\x16\x03\x01\x02\x7F\x01\xFC\r\n\r\n",
             "GET\r\n\r\n",
             "GET /a HTTP/3.0\r\n" + host + "\r\n",
             "GET /a b HTTP/1.1\r\n" + host + "\r\n",
             "GET /a HTTP/1.1\r\nHost : test\r\n\r\n",
             "GET /a HTTP/1.1\r\n" + host + "X-A: a\x01\r\n\r\n",
             "POST /a HTTP/1.1\r\n" + host + "Content-Length: abc\r\n\r\n",
             "POST /a HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n",
         }) {
        EXPECT_EQ(refusal_of(server.port(), bytes), 400) << bytes;
    }
}

TEST(Connection, RefusesWhatTwoServersCouldReadTwoWays) {
    LocalServer server{kit::echo};
    const std::string start = "POST /a HTTP/1.1\r\nHost: test\r\n";
    for (const std::string& rest : std::vector<std::string>{
             "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
             "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
             "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
             "Host: another\r\n\r\n",
         }) {
        EXPECT_EQ(refusal_of(server.port(), start + rest), 400) << rest;
    }
    EXPECT_EQ(refusal_of(server.port(), "GET /a HTTP/1.1\r\n\r\n"), 400);
    EXPECT_EQ(refusal_of(server.port(), start + "Transfer-Encoding: gzip\r\n\r\n"), 501);
    EXPECT_EQ(refusal_of(server.port(), start + "Transfer-Encoding: gzip, chunked\r\n\r\n"), 501);
}

TEST(Connection, RefusesBadChunks) {
    LocalServer server{kit::echo};
    for (const std::string_view chunks :
         {"xyz\r\nabc\r\n0\r\n\r\n", "-1\r\na\r\n", "3\r\nabcd\r\n0\r\n\r\n",
          "3\nabc\n0\n\n\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\nabc\r\n"}) {
        const int status =
            refusal_of(server.port(), std::string{chunked_head} + std::string{chunks});
        EXPECT_TRUE(status == 400 || status == 413) << status << ' ' << chunks;
    }
}

TEST(Connection, NoHandlerHearsOfARefusedRequest) {
    std::atomic<int> handled{};
    std::vector<int> refused;
    ServerSettings settings;
    settings.on_refusal = [&](std::string_view /*peer*/, int status) { refused.push_back(status); };
    {
        LocalServer server{[&](const Incoming& incoming) {
                               ++handled;
                               return kit::echo(incoming);
                           },
                           settings};
        EXPECT_EQ(refusal_of(server.port(), "nonsense\r\n\r\n"), 400);
        EXPECT_EQ(refusal_of(server.port(), request("GET", "/" + std::string(9'000, 'a'))), 431);
        EXPECT_EQ(server.counts.refused, 2U);
    }
    EXPECT_EQ(handled, 0);
    EXPECT_EQ(refused, (std::vector{400, 431}));
}

}  // namespace
}  // namespace order_service
