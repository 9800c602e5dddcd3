// The program is stopped and killed while it is busy.

#include <atomic>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "order_service/client.hpp"
#include "order_service/running_service.hpp"
#include "sqlite/kit.hpp"

namespace order_service {
namespace {

namespace cf = counterfoil;
using kit::Client;
using kit::order;
using kit::Received;
using kit::RunningService;
using kit::told;

constexpr int clients = 4;

/// Clients that order, each over a connection of its own, until it is gone.
class Load {
public:
    Load(std::uint16_t port, const std::string& prefix) {
        for (int client = 0; client < clients; ++client) {
            threads_.emplace_back([this, port, prefix = prefix + std::to_string(client) + "-"] {
                try {
                    run(port, prefix);
                } catch (const std::exception& error) {
                    ADD_FAILURE() << error.what();
                }
            });
        }
    }

    void wait_for(std::size_t answers) const {
        while (answered_ < answers) std::this_thread::yield();
    }

    /// By key what was answered, `nothing` where the answer was lost. Once the service is gone.
    [[nodiscard]] std::map<std::string, std::string> ended() {
        threads_.clear();
        return answers_;
    }

private:
    void run(std::uint16_t port, const std::string& prefix) {
        Client client{port};
        for (int number = 0;; ++number) {
            const std::string key = prefix + std::to_string(number);
            const bool sent = client.send(order(key));
            const std::optional<Received> received =
                sent ? client.receive() : std::optional<Received>{};
            const std::scoped_lock lock{mutex_};
            answers_[key] = told(received);
            if (!received) return;
            ++answered_;
        }
    }

    std::mutex mutex_;
    std::map<std::string, std::string> answers_;
    std::atomic<std::size_t> answered_{};
    std::vector<std::jthread> threads_;
};

TEST(OrderServiceStops, WithEveryAnswerGivenAndEveryOrderKept) {
    RunningService service{{}};
    Load load{service.port(), "k"};
    load.wait_for(100);
    service.terminate();
    const int status = service.wait();
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;

    std::int64_t acknowledged = 0;
    for (const auto& [key, answer] : load.ended()) {
        if (answer == "nothing") {  // it came too late, and was not taken
            EXPECT_EQ(cf::kit::number(service.file(),
                                      "SELECT count(*) FROM orders WHERE key = '" + key + "'"),
                      0);
            continue;
        }
        ++acknowledged;
        const std::string number = std::to_string(
            cf::kit::number(service.file(), "SELECT id FROM orders WHERE key = '" + key + "'"));
        EXPECT_EQ(answer, R"(201 {"order_id":)" + number + R"(,"status":"created"})");
    }
    EXPECT_GE(acknowledged, 100);
    EXPECT_EQ(cf::kit::wrong_with_orders(service.file()), std::vector<std::string>{});
}

TEST(OrderServiceStops, WithoutWaitingForWhoeverIsIdle) {
    RunningService service;
    Client idle{service.port()};
    idle.send(order("k"));
    EXPECT_EQ(idle.receive()->status, 201);
    service.terminate();
    EXPECT_EQ(idle.rest(), "");
    EXPECT_EQ(service.wait(), 0);
}

TEST(OrderServiceKilled, AnswersARetryOfWhatItHadAcknowledged) {
    const std::uint64_t rounds = cf::kit::from_environment("COUNTERFOIL_KILLS", 20);
    RunningService service{{}};
    std::map<std::string, std::string> answers;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        Load load{service.port(), "r" + std::to_string(round) + "-"};
        load.wait_for(20 + 7 * round);
        service.kill();
        answers.merge(load.ended());
        service.start();
        EXPECT_EQ(cf::kit::wrong_with_orders(service.file()), std::vector<std::string>{});

        Client client{service.port()};
        for (auto& [key, answer] : answers) {
            client.send(order(key));
            const std::optional<Received> again = client.receive();
            ASSERT_TRUE(again) << key;
            EXPECT_EQ(again->status, 201) << key;
            if (answer == "nothing") {
                answer = told(again);
                continue;
            }
            EXPECT_EQ(told(again), answer) << key;
            EXPECT_EQ(again->field("Idempotent-Replay"), "true") << key;
        }
    }
    EXPECT_EQ(service.orders(), static_cast<std::int64_t>(answers.size()));
    EXPECT_EQ(service.receipts(), static_cast<std::int64_t>(answers.size()));
    EXPECT_EQ(cf::kit::wrong_with_orders(service.file()), std::vector<std::string>{});
}

}  // namespace
}  // namespace order_service
