#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <access_log.hpp>
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "sqlite/kit.hpp"

namespace order_service {
namespace {

namespace cf = counterfoil;

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

TEST(AccessLine, IsAnObjectOfAllThatIsKnown) {
    EXPECT_EQ(line_of({.time = cf::from_rfc3339("2026-12-01T09:30:00Z").value(),
                       .request_id = "5f1c-1",
                       .peer = "127.0.0.1:50312",
                       .tenant = "acme",
                       .method = "POST",
                       .path = "/orders",
                       .status = 201,
                       .bytes = 33,
                       .duration_us = 812,
                       .idempotency_status = "created"}),
              R"({"time":"2026-12-01T09:30:00.000000Z","request_id":"5f1c-1",)"
              R"("peer":"127.0.0.1:50312","tenant":"acme","method":"POST","path":"/orders",)"
              R"("status":201,"bytes":33,"duration_us":812,"idempotency_status":"created"})"
              "\n");
}

TEST(AccessLine, LeavesOutWhatIsNotKnown) {
    EXPECT_EQ(line_of({.status = 400}),
              R"({"time":"1970-01-01T00:00:00.000000Z","status":400,"bytes":0,"duration_us":0})"
              "\n");
}

TEST(AccessLine, IsOneLineOfJsonWhateverThePath) {
    const std::string line = line_of({.path = "/a\"b\n\xFF\\ \x7F", .status = 404});
    EXPECT_EQ(lines_of(line).size(), 1U);
    const boost::json::value read = boost::json::parse(line);
    EXPECT_EQ(read.at("path").as_string(), "/a\"b%0A%FF\\%20%7F");
    const std::string longest = line_of({.path = std::string(5'000, 'a'), .status = 404});
    EXPECT_EQ(boost::json::parse(longest).at("path").as_string().size(), 1'024U);
}

TEST(AccessLog, LinesOfSeveralThreadsDontMix) {
    constexpr int threads = 4;
    constexpr int lines_each = 500;
    const cf::kit::Scratch scratch;
    const auto file = scratch.file("access.jsonl");
    {
        AccessLog log = AccessLog::to_file(file);
        std::vector<std::jthread> writers;
        for (int thread = 0; thread < threads; ++thread) {
            writers.emplace_back(
                [&log, path = "/" + std::string(200, static_cast<char>('a' + thread))] {
                    for (int line = 0; line < lines_each; ++line)
                        log.write({.path = path, .status = 200});
                });
        }
    }
    std::vector<int> seen(threads);
    for (const std::string& line : lines_of(cf::kit::bytes_of(file))) {
        const boost::json::value read = boost::json::parse(line);
        const std::string_view path = read.at("path").as_string();
        ASSERT_EQ(path, "/" + std::string(200, path.at(1)));
        ++seen.at(static_cast<std::size_t>(path.at(1) - 'a'));
    }
    EXPECT_EQ(seen, std::vector<int>(threads, lines_each));
}

TEST(AccessLog, GoesOnBehindWhatIsInTheFile) {
    const cf::kit::Scratch scratch;
    for (const int status : {200, 404}) {
        AccessLog::to_file(scratch.file("access.jsonl")).write({.status = status});
    }
    EXPECT_EQ(lines_of(cf::kit::bytes_of(scratch.file("access.jsonl"))).size(), 2U);
}

TEST(AccessLog, AFileThatCantBeMadeIsTold) {
    const cf::kit::Scratch scratch;
    EXPECT_THROW(static_cast<void>(AccessLog::to_file(scratch.file("no/such/folder"))),
                 std::system_error);
}

}  // namespace
}  // namespace order_service
