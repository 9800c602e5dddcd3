#include <algorithm>
#include <atomic>
#include <barrier>
#include <filesystem>
#include <functional>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <counterfoil/sqlite/guest.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>

#include "crash/process.hpp"
#include "sqlite/kit.hpp"

namespace counterfoil {
namespace {

constexpr int many_threads = 64;
constexpr int many_keys = 1'000;
constexpr int some_processes = 4;

/// How often each word was said; a fault counts as its text.
class Tally {
public:
    void add(const std::string& word) {
        const std::lock_guard lock{mutex_};
        ++counts_[word];
    }

    [[nodiscard]] std::map<std::string, int> counts() {
        const std::lock_guard lock{mutex_};
        return counts_;
    }

private:
    std::mutex mutex_;
    std::map<std::string, int> counts_;
};

/// Threads that begin together.
void together(int count, const std::function<void(int)>& run) {
    std::latch start{count};
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < count; ++thread) {
        threads.emplace_back([&, thread] {
            start.arrive_and_wait();
            run(thread);
        });
    }
}

sqlite::Settings with_effects() {
    return {.on_connect = [](SQLite::Database& rows) {
        rows.exec("CREATE TABLE IF NOT EXISTS effects (key TEXT NOT NULL)");
    }};
}

/// Leaves an effect that nothing but the receipt keeps from happening twice.
template <class Caller>
std::string once(Caller& caller, const std::string& key, int digest = 1) {
    try {
        return std::string{
            word(caller.once(kit::request(kit::scope(key), digest), [&](SQLite::Database& rows) {
                rows.exec("INSERT INTO effects VALUES ('" + key + "')");
                return kit::answer(201, key);
            }))};
    } catch (const StoreError& error) {
        return error.what();
    }
}

class Race : public testing::Test {
protected:
    std::int64_t effects() { return kit::number(file, "SELECT count(*) FROM effects"); }

    /// Keys without exactly one effect.
    std::int64_t keys_with_more() {
        return kit::number(file,
                           "SELECT count(*) FROM (SELECT key FROM effects GROUP BY key "
                           "HAVING count(*) <> 1)");
    }

    kit::Scratch scratch;
    std::filesystem::path file{scratch.file()};
};

using ThreadRace = Race;

TEST_F(ThreadRace, one_key) {
    sqlite::Store store{file, {.policies = kit::book()}, with_effects()};
    for (int round = 0; round < 20; ++round) {
        Tally tally;
        together(many_threads, [&](int) { tally.add(once(store, "k" + std::to_string(round))); });
        const std::map<std::string, int> expected{{"create", 1}, {"replay", many_threads - 1}};
        EXPECT_EQ(tally.counts(), expected);
    }
    EXPECT_EQ(effects(), 20);
}

TEST_F(ThreadRace, two_intents_with_one_key) {
    sqlite::Store store{file, {.policies = kit::book()}, with_effects()};
    for (int round = 0; round < 20; ++round) {
        Tally tally;
        const std::string key = "k" + std::to_string(round);
        together(many_threads, [&](int thread) { tally.add(once(store, key, thread % 2)); });
        const std::map<std::string, int> expected{
            {"conflict", many_threads / 2}, {"create", 1}, {"replay", many_threads / 2 - 1}};
        EXPECT_EQ(tally.counts(), expected);
    }
    EXPECT_EQ(effects(), 20);
}

TEST_F(ThreadRace, a_thousand_keys_in_any_order) {
    sqlite::Store store{file, {.policies = kit::book()}, with_effects()};
    Tally tally;
    together(many_threads, [&](int thread) {
        std::vector<int> keys(many_keys);
        for (int key = 0; key < many_keys; ++key) keys[static_cast<std::size_t>(key)] = key;
        std::mt19937_64 random{static_cast<std::uint64_t>(thread)};
        std::shuffle(keys.begin(), keys.end(), random);
        for (const int key : keys) tally.add(once(store, "k" + std::to_string(key)));
    });
    const std::map<std::string, int> expected{{"create", many_keys},
                                              {"replay", (many_threads - 1) * many_keys}};
    EXPECT_EQ(tally.counts(), expected);
    EXPECT_EQ(effects(), many_keys);
    EXPECT_EQ(keys_with_more(), 0);
}

/// Two stores are as two processes: what one of them has not found, the other may have written.
TEST_F(ThreadRace, two_stores_on_one_file) {
    constexpr int rounds = 2'000;
    sqlite::Settings settings = with_effects();
    settings.durability = sqlite::Durability::normal;
    sqlite::Store one{file, {.policies = kit::book()}, settings};
    sqlite::Store other{file, {.policies = kit::book()}, settings};
    Tally tally;
    std::barrier turn{2};
    together(2, [&](int thread) {
        for (int round = 0; round < rounds; ++round) {
            turn.arrive_and_wait();
            tally.add(once(thread == 0 ? one : other, "k" + std::to_string(round)));
        }
    });
    const std::map<std::string, int> expected{{"create", rounds}, {"replay", rounds}};
    EXPECT_EQ(tally.counts(), expected);
    EXPECT_EQ(effects(), rounds);
}

constexpr const char* somebody_was_first =
    "INSERT INTO receipts (key, tenant, operation, scheme, digest, fence, attempt, created_at_us, "
    "state, lease_end_us) VALUES ('k', 'acme', 'create', 'raw', zeroblob(32), 9, 1, 1, "
    "'in_progress', 1)";

TEST_F(ThreadRace, work_runs_again_in_a_new_transaction_where_the_scope_was_lost) {
    sqlite::Store store{file, {.policies = kit::book()}, with_effects()};
    int runs = 0;
    const auto work = [&](SQLite::Database& rows) {
        rows.exec("INSERT INTO effects VALUES ('k')");
        if (++runs < 3) rows.exec(somebody_was_first);
        return kit::answer(201, "done");
    };
    EXPECT_EQ(kit::told(store.once(kit::request(kit::scope("k")), work)), "done");
    EXPECT_EQ(runs, 3);
    EXPECT_EQ(effects(), 1);
}

TEST_F(ThreadRace, eight_lost_races_are_busy_and_leave_nothing) {
    sqlite::Store store{file, {.policies = kit::book()}, with_effects()};
    int runs = 0;
    const auto work = [&](SQLite::Database& rows) {
        rows.exec("INSERT INTO effects VALUES ('k')");
        rows.exec(somebody_was_first);
        ++runs;
        return kit::answer(201, "done");
    };
    EXPECT_EQ(kit::fault_of([&] { store.once(kit::request(kit::scope("k")), work); }),
              "busy: once: lost the race for its scope 8 times in a row");
    EXPECT_EQ(runs, 8);
    EXPECT_EQ(effects(), 0);
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 0);
}

/// A guest's transactions, on a connection of its own, against a store's. SQLITE_BUSY_SNAPSHOT
/// (517) is what somebody would get who reads first and writes then.
TEST_F(ThreadRace, a_guest_and_a_store_never_meet_an_old_snapshot) {
    constexpr int rounds = 10'000;
    sqlite::Settings settings = with_effects();
    settings.durability = sqlite::Durability::normal;
    sqlite::Store store{file, {.policies = kit::book()}, settings};
    SQLite::Database rows{file.string(), SQLite::OPEN_READWRITE, 10'000};
    rows.exec("PRAGMA synchronous = NORMAL");
    sqlite::Guest guest{rows, {.policies = kit::book()}};
    const auto once_as_guest = [&](const std::string& key) -> std::string {
        try {
            rows.exec("BEGIN IMMEDIATE");
            std::string told = once(guest, key);
            rows.exec("COMMIT");
            return told;
        } catch (const SQLite::Exception& error) {
            rows.tryExec("ROLLBACK");
            return std::to_string(error.getExtendedErrorCode()) + " " + error.what();
        }
    };
    Tally tally;
    std::barrier turn{2};
    together(2, [&](int thread) {
        for (int round = 0; round < rounds; ++round) {
            const std::string key = "k" + std::to_string(round);
            turn.arrive_and_wait();
            tally.add(thread == 0 ? once(store, key) : once_as_guest(key));
        }
    });
    const std::map<std::string, int> expected{{"create", rounds}, {"replay", rounds}};
    EXPECT_EQ(tally.counts(), expected);
    EXPECT_EQ(effects(), rounds);
}

/// What several processes were answered, by key.
class ProcessRace : public Race {
protected:
    /// Each of the processes with one of the quantities.
    void run(int keys, int threads, const std::vector<int>& quantities) {
        std::vector<std::unique_ptr<kit::OrderRunner>> processes;
        for (const int quantity : quantities) {
            processes.push_back(std::make_unique<kit::OrderRunner>(
                kit::Run{file, "k", keys, threads, true, quantity}));
        }
        for (const auto& process : processes) process->start();
        for (const auto& process : processes) {
            for (const kit::Acknowledged& given : process->finished()) {
                answers[given.key][given.answer] += 1;
            }
            EXPECT_EQ(process->status(), 0);
        }
    }

    /// Each key made one order, and whoever got a 201 was told of it.
    void check(int keys) {
        EXPECT_EQ(answers.size(), static_cast<std::size_t>(keys));
        std::set<std::string> created;
        for (const auto& [key, counts] : answers) {
            int orders = 0;
            for (const auto& [answer, count] : counts) {
                if (answer.rfind("201 ", 0) == 0) {
                    ++orders;
                    EXPECT_TRUE(created.insert(answer).second) << key << " shares " << answer;
                } else {
                    EXPECT_TRUE(answer == conflict || answer == busy) << key << ": " << answer;
                }
            }
            EXPECT_EQ(orders, 1) << key;
        }
        EXPECT_EQ(kit::number(file, "SELECT count(*) FROM orders"), keys);
        EXPECT_EQ(kit::wrong_with_orders(file), std::vector<std::string>{});
    }

    [[nodiscard]] int times(const std::string& answer) const {
        int sum = 0;
        for (const auto& [key, counts] : answers) {
            const auto found = counts.find(answer);
            if (found != counts.end()) sum += found->second;
        }
        return sum;
    }

    const std::string conflict{R"(409 {"error":"key_reused_with_different_payload"})"};
    const std::string busy{R"(503 {"error":"busy"})"};
    std::map<std::string, std::map<std::string, int>> answers;
};

TEST_F(ProcessRace, one_key) {
    for (int round = 0; round < 20; ++round) {
        file = scratch.file("round-" + std::to_string(round));
        answers.clear();
        run(1, 16, std::vector<int>(some_processes, 2));
        check(1);
        EXPECT_EQ(times(conflict), 0);
    }
}

TEST_F(ProcessRace, two_intents_with_one_key_a_hundred_times) {
    run(100, 2, {2, 3, 2, 3});
    check(100);
    EXPECT_GT(times(conflict), 0);
}

TEST_F(ProcessRace, two_intents_within_each_process) {
    run(50, 4, {0, 0, 0, 0});
    check(50);
    EXPECT_GT(times(conflict), 0);
}

TEST_F(ProcessRace, a_thousand_keys) {
    run(many_keys, 2, std::vector<int>(some_processes, 2));
    check(many_keys);
    EXPECT_EQ(times(conflict), 0);
}

}  // namespace
}  // namespace counterfoil
