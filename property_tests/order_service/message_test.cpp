#include <chrono>
#include <string>

#include <gtest/gtest.h>
#include <message.hpp>

namespace order_service {
namespace {

namespace cf = counterfoil;

const cf::Answer hello{
    .status = 200, .fields = {{"Content-Type", "text/plain"}}, .body = cf::body::Bytes{"hello"}};

TEST(Message, SaysWhereTheBodyEnds) {
    EXPECT_EQ(message_of(hello, {}),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ(message_of({.status = 200}, {}), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
}

TEST(Message, OfHeadTellsTheLengthOfWhatItDoesNotSend) {
    EXPECT_EQ(message_of(hello, {.head = true}),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n");
    EXPECT_EQ(sent_bytes(hello, true), 0U);
    EXPECT_EQ(sent_bytes(hello, false), 5U);
}

TEST(Message, OfNoContentHasNeitherBodyNorLength) {
    for (const int status : {204, 304}) {
        const cf::Answer answer{.status = status, .body = cf::body::Bytes{"hello"}};
        const std::string message = message_of(answer, {});
        EXPECT_EQ(message.find("Content-Length"), std::string::npos);
        EXPECT_TRUE(message.ends_with("\r\n\r\n"));
        EXPECT_EQ(sent_bytes(answer, false), 0U);
    }
}

TEST(Message, LeavesOutWhatWouldFrameItAnotherWay) {
    const cf::Answer answer{.status = 200,
                            .fields = {{"content-length", "4"},
                                       {"Transfer-Encoding", "chunked"},
                                       {"CONNECTION", "upgrade"},
                                       {"Upgrade", "h2c"},
                                       {"Date", "never"},
                                       {"X-Mine", "1"}}};
    EXPECT_EQ(message_of(answer, {}), "HTTP/1.1 200 OK\r\nX-Mine: 1\r\nContent-Length: 0\r\n\r\n");
}

TEST(Message, LeavesOutFieldsThatWouldBeginAnother) {
    const cf::Answer answer{.status = 200,
                            .fields = {{"X-One", "1\r\nSet-Cookie: a"},
                                       {"X-Two\r\nSet-Cookie", "a"},
                                       {"X Three", "a"},
                                       {"", "a"},
                                       {"X-Four", std::string{"a\0b", 3}}}};
    EXPECT_EQ(message_of(answer, {}), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
}

TEST(Message, SaysWhetherTheConnectionStays) {
    EXPECT_EQ(message_of({.status = 299}, {.close = true, .told_to_keep = true}),
              "HTTP/1.1 299 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(message_of({.status = 299}, {.told_to_keep = true}),
              "HTTP/1.1 299 \r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n");
}

TEST(Message, IsMadeOfFinalAnswersWithTheirBody) {
    for (const int status : {0, 100, 199, 600}) EXPECT_FALSE(sendable({.status = status}));
    for (const int status : {200, 304, 599}) EXPECT_TRUE(sendable({.status = status}));
    EXPECT_FALSE(sendable({.status = 200, .body = cf::body::Omitted{cf::Omission::secret}}));
}

TEST(HttpDate, IsWrittenAsTheRfcHasIt) {
    using namespace std::chrono_literals;
    EXPECT_EQ(http_date(std::chrono::sys_days{1994y / 11 / 6} + 8h + 49min + 37s),
              "Sun, 06 Nov 1994 08:49:37 GMT");
}

}  // namespace
}  // namespace order_service
