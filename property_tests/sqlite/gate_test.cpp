#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <numeric>
#include <thread>
#include <vector>

#include <counterfoil/sqlite/gate.hpp>
#include <gtest/gtest.h>

namespace counterfoil::sqlite {
namespace {

using namespace std::chrono_literals;

constexpr auto long_enough = 60s;

TEST(Gate, lets_one_in) {
    Gate gate;
    EXPECT_FALSE(gate.is_inside());
    EXPECT_TRUE(gate.try_enter());
    EXPECT_TRUE(gate.is_inside());
    std::jthread{[&] {
        EXPECT_FALSE(gate.try_enter());
        EXPECT_FALSE(gate.is_inside());
        EXPECT_FALSE(gate.enter(1ms));
    }}.join();
    gate.leave();
    EXPECT_FALSE(gate.is_inside());
    EXPECT_TRUE(gate.enter(0ms));
    gate.leave();
}

/// Starts a thread and waits until it stands in line.
template <class Run>
std::jthread in_line(Gate& gate, Run run) {
    std::latch about_to_wait{1};
    std::jthread thread{[&about_to_wait, run] {
        about_to_wait.count_down();
        run();
    }};
    about_to_wait.wait();
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(gate.try_enter());
    return thread;
}

TEST(Gate, lets_those_who_wait_in_as_they_came) {
    constexpr int threads = 8;
    Gate gate;
    std::vector<int> order;  // written by whoever is inside
    ASSERT_TRUE(gate.try_enter());
    std::vector<std::jthread> waiting;
    for (int number = 0; number < threads; ++number) {
        waiting.push_back(in_line(gate, [&gate, &order, number] {
            EXPECT_TRUE(gate.enter(long_enough));
            EXPECT_TRUE(gate.is_inside());
            order.push_back(number);
            gate.leave();
        }));
    }
    gate.leave();
    waiting.clear();
    std::vector<int> expected(threads);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
    EXPECT_TRUE(gate.try_enter());
}

TEST(Gate, nobody_overtakes_whoever_was_called) {
    Gate gate;
    std::latch may_leave{1};
    ASSERT_TRUE(gate.try_enter());
    const std::jthread next = in_line(gate, [&] {
        EXPECT_TRUE(gate.enter(long_enough));
        may_leave.wait();
        gate.leave();
    });
    gate.leave();
    EXPECT_FALSE(gate.try_enter());
    EXPECT_FALSE(gate.is_inside());
    may_leave.count_down();
}

TEST(Gate, whoever_gave_up_is_not_waited_for) {
    Gate gate;
    ASSERT_TRUE(gate.try_enter());
    std::jthread{[&] { EXPECT_FALSE(gate.enter(1ms)); }}.join();
    gate.leave();
    EXPECT_TRUE(gate.try_enter());
    gate.leave();
}

/// Many threads with short and long patience. A lost call would leave the gate shut, two inside
/// would lose a count.
TEST(Gate, loses_no_call_among_many_threads) {
    constexpr int threads = 32;
    constexpr int rounds = 500;
    Gate gate;
    std::int64_t counted = 0;  // written by whoever is inside
    std::atomic<std::int64_t> entered{0};
    {
        std::vector<std::jthread> all;
        for (int number = 0; number < threads; ++number) {
            all.emplace_back([&, number] {
                const auto patience = number % 4 == 0 ? std::chrono::milliseconds{1}
                                                      : std::chrono::milliseconds{long_enough};
                for (int round = 0; round < rounds; ++round) {
                    if (!gate.enter(patience)) continue;
                    ++counted;
                    ++entered;
                    gate.leave();
                }
            });
        }
    }
    EXPECT_EQ(counted, entered.load());
    EXPECT_GE(counted, threads / 4 * 3 * rounds);
    EXPECT_TRUE(gate.try_enter());
}

}  // namespace
}  // namespace counterfoil::sqlite
