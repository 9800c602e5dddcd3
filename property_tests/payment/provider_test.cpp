#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <child.hpp>
#include <gtest/gtest.h>
#include <line_socket.hpp>
#include <running_provider.hpp>
#include <sys/wait.h>

#include "sqlite/kit.hpp"

namespace payments {
namespace {

constexpr const char* call = R"({"key":"k","amount":"12.50","currency":"EUR"})";
constexpr const char* succeeded = R"({"status":"succeeded"})";
constexpr const char* refused = R"({"status":"refused"})";
constexpr const char* done = R"({"done":true})";

/// The program itself, and lines that go there and back.
class ProviderTest : public testing::Test {
protected:
    Child started(const std::vector<std::string>& options) const {
        std::vector<std::string> words{COUNTERFOIL_PROVIDER, socket, log};
        words.insert(words.end(), options.begin(), options.end());
        return Child{words};
    }

    [[nodiscard]] std::optional<std::string> said_to(const std::string& line) const {
        std::optional<LineSocket> provider = connect_to(socket);
        if (!provider || !provider->send(line)) return std::nullopt;
        return provider->receive();
    }

    [[nodiscard]] std::string written() const { return counterfoil::kit::bytes_of(log); }

    counterfoil::kit::Scratch scratch;
    std::string socket{scratch.file("provider.socket").string()};
    std::string log{scratch.file("provider.jsonl").string()};
};

TEST_F(ProviderTest, answers_by_default_and_dedupes) {
    Child provider = started({});
    ASSERT_EQ(provider.read_line(), "ready");
    EXPECT_EQ(said_to(call), succeeded);
    const std::string once = written();
    EXPECT_NE(once, "");
    EXPECT_EQ(said_to(call), succeeded);
    EXPECT_EQ(written(), once);
    EXPECT_EQ(provider.wait(), 0);
}

TEST_F(ProviderTest, does_from_the_start_what_its_options_say) {
    Child provider = started({"--mode", "refuse", "--dedupe", "off"});
    ASSERT_EQ(provider.read_line(), "ready");
    EXPECT_EQ(said_to(call), refused);
    const std::string once = written();
    EXPECT_EQ(said_to(call), refused);
    EXPECT_EQ(written().size(), 2 * once.size());
}

TEST_F(ProviderTest, does_from_then_on_what_it_is_told) {
    Child provider = started({"--dedupe", "off"});
    ASSERT_EQ(provider.read_line(), "ready");
    EXPECT_EQ(said_to(R"({"mode":"silent","dedupe":"on"})"), done);
    EXPECT_EQ(said_to(call), std::nullopt);
    const std::string once = written();
    EXPECT_NE(once, "") << "it was charged all the same";
    EXPECT_EQ(said_to(R"({"mode":"answer"})"), done);
    EXPECT_EQ(said_to(call), succeeded);
    EXPECT_EQ(written(), once);
    EXPECT_EQ(said_to(R"({"mode":"die"})"), done);
    EXPECT_EQ(said_to(call), std::nullopt);
    const int status = provider.wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    EXPECT_EQ(written(), once);
    EXPECT_EQ(said_to(call), std::nullopt) << "nobody listens any more";
}

TEST_F(ProviderTest, what_is_late_is_charged_and_answered_once_it_is_let_go) {
    Child provider = started({"--mode", "late"});
    ASSERT_EQ(provider.read_line(), "ready");
    std::optional<LineSocket> late = connect_to(socket);
    ASSERT_TRUE(late.has_value() && late->send(call));
    // Others are served meanwhile, and see the charge. Only what was called in that mode is late.
    while (written().empty()) std::this_thread::yield();
    EXPECT_EQ(said_to(R"({"mode":"answer"})"), done);
    EXPECT_EQ(said_to(call), succeeded);
    EXPECT_EQ(said_to(R"({"let_go":true})"), done);
    EXPECT_EQ(late->receive(), succeeded);
}

TEST_F(ProviderTest, what_it_does_not_understand_is_told_and_not_charged) {
    Child provider = started({});
    ASSERT_EQ(provider.read_line(), "ready");
    for (const char* line : {"", "nonsense", "[]", R"({"mode":"kind"})", R"({"dedupe":"maybe"})",
                             R"({"key":1,"amount":"1.00","currency":"EUR"})",
                             R"({"key":"k","amount":1,"currency":"EUR"})", R"({"mod":"late"})"}) {
        EXPECT_EQ(said_to(line), R"({"error":"not_understood"})") << line;
    }
    EXPECT_EQ(written(), "");
}

TEST_F(ProviderTest, wrong_options_are_refused) {
    constexpr int wrong_use = 2;
    const std::vector<std::vector<std::string>> wrong{
        {"--mode"}, {"--mode", "kind"}, {"--dedupe", "maybe"}, {"--moody", "late"}};
    for (const std::vector<std::string>& options : wrong) {
        Child provider = started(options);
        EXPECT_EQ(provider.read_line(), std::nullopt);
        EXPECT_EQ(WEXITSTATUS(provider.wait()), wrong_use);
    }
}

}  // namespace
}  // namespace payments
