#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <counterfoil/sha256.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>

#include "sqlite/kit.hpp"

namespace counterfoil::sqlite {
namespace {

constexpr Instant end_of_time = Instant::max();

class AttemptsTest : public testing::Test {
protected:
    Settings settings(AttemptSettings attempts = {}) {
        return {.durability = Durability::off, .attempts = attempts};
    }

    counterfoil::Setup setup() { return {.policies = kit::book(), .clock = &clock}; }

    static void once(Store& store, std::string_view key, std::string_view request_id = {}) {
        static_cast<void>(store.once(
            kit::request(kit::scope(key)),
            [](SQLite::Database&) { return kit::answer(201, "done"); }, request_id));
    }

    std::vector<Attempt> logged() {
        std::vector<Attempt> all;
        Reader{file}.for_each_attempt(Instant::min(), end_of_time,
                                      [&](const Attempt& one) { all.push_back(one); });
        return all;
    }

    kit::Scratch scratch;
    std::filesystem::path file{scratch.file()};
    kit::HandClock clock;
};

TEST_F(AttemptsTest, every_call_is_in_the_log_once_it_is_flushed) {
    Store store{file, setup(), settings()};
    once(store, "k", "request-1");
    clock.set(2'000);
    once(store, "k", "request-2");
    const ClaimReply claimed = store.claim(kit::request(kit::scope("c")));
    EXPECT_EQ(word(store.release(std::get<reply::Claimed>(claimed).permit)), "released");
    store.flush_attempts();

    const std::vector<Attempt> all = logged();
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].at, Instant{Span{1'000}});
    EXPECT_EQ(all[0].request_id, "request-1");
    EXPECT_EQ(all[0].call, "once");
    EXPECT_EQ(all[0].reply, "create");
    EXPECT_EQ(all[0].rule, Rule::nothing_found);
    EXPECT_EQ(all[0].attempt, 1);
    EXPECT_EQ(all[1].reply, "replay");
    EXPECT_EQ(all[1].rule, Rule::inside_replay_window);
    EXPECT_EQ(all[1].attempt, std::nullopt);
    EXPECT_EQ(all[2].call, "claim");
    EXPECT_EQ(all[3].call + " " + all[3].reply, "release released");
    EXPECT_EQ(all[3].rule, std::nullopt);

    Reader reader{file};
    EXPECT_EQ(reader.attempts(kit::scope("k"), 20), (std::vector<Attempt>{all[0], all[1]}));
    EXPECT_EQ(reader.attempts(kit::scope("k"), 1), std::vector<Attempt>{all[1]});
    EXPECT_TRUE(reader.attempts(kit::scope("k", "create", "zeta"), 20).empty());
}

TEST_F(AttemptsTest, are_written_when_the_store_goes) {
    {
        Store store{file, setup(), settings({.batch_time = std::chrono::hours{1}})};
        once(store, "k");
    }
    EXPECT_EQ(logged().size(), 1U);
}

TEST_F(AttemptsTest, are_written_by_themselves_once_there_are_enough) {
    Store store{file, setup(), settings({.batch_time = std::chrono::hours{1}, .batch_size = 3})};
    for (const char* key : {"a", "b", "c"}) once(store, key);
    constexpr int patience = 1'000;
    for (int look = 0; look < patience && logged().size() < 3; ++look) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    EXPECT_EQ(logged().size(), 3U);
}

TEST_F(AttemptsTest, a_hashed_key_is_found_by_its_key_and_is_nowhere_in_the_log) {
    Store store{file, setup(), settings({.keys = AttemptKeys::hashed})};
    once(store, "secret-key");
    store.flush_attempts();
    EXPECT_EQ(kit::text(file, "SELECT key FROM attempts"),
              "sha256:" + to_hex(sha256("secret-key")));
    EXPECT_EQ(Reader{file}.attempts(kit::scope("secret-key"), 20).size(), 1U);
}

TEST_F(AttemptsTest, no_log_is_kept_where_none_is_asked_for) {
    Store store{file, setup(), {.durability = Durability::off}};
    once(store, "k");
    store.flush_attempts();
    EXPECT_TRUE(logged().empty());
}

TEST_F(AttemptsTest, a_file_that_cannot_be_written_fails_no_call_and_loses_nothing) {
    Store store{file, setup(), settings({.batch_time = std::chrono::hours{1}})};
    kit::execute(file,
                 "CREATE TRIGGER full BEFORE INSERT ON attempts BEGIN SELECT RAISE(ABORT, 'full'); "
                 "END");
    once(store, "k");
    EXPECT_NE(kit::fault_of([&] { store.flush_attempts(); }), "nothing");
    kit::execute(file, "DROP TRIGGER full");
    once(store, "l");
    store.flush_attempts();
    EXPECT_EQ(logged().size(), 2U);
    EXPECT_EQ(store.dropped_attempts(), 0U);
}

TEST_F(AttemptsTest, what_waits_beyond_the_limit_is_dropped_and_counted) {
    Store store{file, setup(), settings({.batch_time = std::chrono::hours{1}, .most_waiting = 2})};
    for (const char* key : {"a", "b", "c", "d"}) once(store, key);
    EXPECT_EQ(store.dropped_attempts(), 2U);
    store.flush_attempts();
    EXPECT_EQ(logged().size(), 2U);
}

TEST_F(AttemptsTest, the_observer_hears_of_every_call_as_well) {
    class Counting final : public Observer {
    public:
        void observe(const Observation& /*observation*/) noexcept override { ++calls; }

        int calls{};
    };

    Counting counting;
    counterfoil::Setup with_observer = setup();
    with_observer.observer = &counting;
    Store store{file, std::move(with_observer), settings()};
    once(store, "k");
    EXPECT_EQ(counting.calls, 1);
}

TEST_F(AttemptsTest, a_purge_takes_out_what_is_older_than_is_kept) {
    Store store{file, setup(), settings({.keep = Span{500}})};
    for (int call = 0; call < 250; ++call) once(store, "k");
    clock.set(1'501);
    once(store, "k");
    store.flush_attempts();
    EXPECT_EQ(store.purge({.mode = PurgeMode::dry_run}).attempts, 0U);
    EXPECT_EQ(store.purge({.pause = 0}).attempts, 250U);
    EXPECT_EQ(logged().size(), 1U);
    EXPECT_EQ(store.purge({.pause = 0, .attempts_older_than = Span{-1}}).attempts, 1U);
}

TEST_F(AttemptsTest, a_row_that_is_damaged_is_corrupt) {
    Store store{file, setup(), settings()};
    once(store, "k");
    store.flush_attempts();
    kit::execute(file, "UPDATE attempts SET rule = 12");
    EXPECT_EQ(kit::fault_of([&] { static_cast<void>(logged()); }),
              "corrupt: an attempt can't be read: its rule is 12");
}

}  // namespace
}  // namespace counterfoil::sqlite
