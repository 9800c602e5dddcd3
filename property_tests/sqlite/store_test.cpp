#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>

#include "sqlite/kit.hpp"

namespace counterfoil::sqlite {
namespace {

using namespace std::chrono_literals;

Settings with_notes() {
    return {.busy_timeout = 50ms, .on_connect = [](SQLite::Database& rows) {
                rows.exec("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, note TEXT)");
            }};
}

void note(SQLite::Database& rows) {
    rows.exec("INSERT INTO notes (note) VALUES ('x')");
}

class StoreTest : public testing::Test {
protected:
    [[nodiscard]] std::int64_t notes() const {
        return kit::number(file, "SELECT count(*) FROM notes");
    }

    [[nodiscard]] std::int64_t receipts() const {
        return kit::number(file, "SELECT count(*) FROM receipts");
    }

    /// Writes a note and answers with `body`.
    std::string once(std::string_view key, std::string_view body) {
        return kit::told(store.once(kit::request(kit::scope(key)), [&](SQLite::Database& rows) {
            note(rows);
            return kit::answer(201, body);
        }));
    }

    static Receipt claim_of(const Scope& scope) {
        return {.scope = scope,
                .fingerprint = kit::request(scope).fingerprint,
                .fence = Fence{5},
                .created_at = Instant{Span{5}},
                .state = state::InProgress{Instant{Span{9}}}};
    }

    kit::Scratch scratch;
    const std::filesystem::path file{scratch.file()};
    kit::HandClock clock;
    Store store{file, {.policies = kit::book(), .clock = &clock}, with_notes()};
};

TEST_F(StoreTest, a_request_is_performed_once) {
    EXPECT_EQ(once("k", "first"), "first");
    EXPECT_EQ(once("k", "second"), "first");
    EXPECT_EQ(notes(), 1);
    EXPECT_EQ(receipts(), 1);
}

TEST_F(StoreTest, what_the_work_throws_passes_and_leaves_nothing) {
    const auto failing = [](SQLite::Database& rows) -> Answer {
        note(rows);
        throw std::runtime_error{"the printer is out of paper"};
    };
    EXPECT_THROW(store.once(kit::request(kit::scope("k")), failing), std::runtime_error);
    EXPECT_THROW(store.write([](const Transaction& rows) {
        note(rows);
        throw std::runtime_error{"again"};
    }),
                 std::runtime_error);
    EXPECT_EQ(notes(), 0);
    EXPECT_EQ(receipts(), 0);
    EXPECT_EQ(once("k", "first"), "first");
}

TEST_F(StoreTest, a_released_answer_leaves_nothing) {
    const Reply reply = store.once(kit::request(kit::scope("k")), [](SQLite::Database& rows) {
        note(rows);
        return kit::answer(422, "no");
    });
    EXPECT_EQ(kit::told(reply), "no");
    EXPECT_EQ(std::get<reply::Performed>(reply).disposition, Disposition::release);
    EXPECT_EQ(notes(), 0);
    EXPECT_EQ(receipts(), 0);
}

TEST_F(StoreTest, a_doubtful_answer_leaves_the_receipt_only) {
    const Reply reply = store.once(kit::request(kit::scope("k")), [](SQLite::Database& rows) {
        note(rows);
        return Outcome{.answer = kit::answer(500, "who knows"), .effect = Effect::may_have_begun};
    });
    EXPECT_EQ(std::get<reply::Performed>(reply).disposition, Disposition::unknown);
    EXPECT_EQ(notes(), 0);
    EXPECT_EQ(once("k", "again"), "unknown");
}

TEST_F(StoreTest, once_in_the_work_of_another_is_refused) {
    std::string inner;
    const auto nested = [&](SQLite::Database&) {
        inner = kit::fault_of([&] { once("inner", "x"); });
        return kit::answer(201, "outer");
    };
    EXPECT_EQ(kit::told(store.once(kit::request(kit::scope("outer")), nested)), "outer");
    EXPECT_EQ(inner.rfind("refused: the store was called from the work of another call", 0), 0U)
        << inner;
    EXPECT_EQ(notes(), 0);
    EXPECT_EQ(receipts(), 1);
    EXPECT_EQ(once("inner", "x"), "x");
}

TEST_F(StoreTest, write_in_the_work_of_another_is_refused) {
    std::string inner;
    store.write([&](const Transaction&) {
        inner = kit::fault_of([&] { store.write([](const Transaction&) {}); });
    });
    EXPECT_EQ(inner.rfind("refused: ", 0), 0U) << inner;
    EXPECT_EQ(once("k", "x"), "x");
}

TEST_F(StoreTest, write_is_a_transaction_without_a_receipt) {
    store.write([](const Transaction& rows) {
        note(rows);
        note(rows);
    });
    EXPECT_EQ(notes(), 2);
    EXPECT_EQ(receipts(), 0);
}

TEST_F(StoreTest, statements_left_standing_block_nobody) {
    EXPECT_EQ(once("first", "x"), "x");
    const auto left_standing = [](const Transaction& rows) {
        EXPECT_TRUE(rows.statement("SELECT id FROM notes").executeStep());
        EXPECT_TRUE(
            rows.statement("INSERT INTO notes (note) VALUES ('y') RETURNING id").executeStep());
        return kit::answer(201, "standing");
    };
    EXPECT_EQ(kit::told(store.once(kit::request(kit::scope("k")), left_standing)), "standing");
    EXPECT_EQ(notes(), 2);
    EXPECT_EQ(once("next", "y"), "y");

    const auto thrown = [](const Transaction& rows) -> Answer {
        EXPECT_TRUE(
            rows.statement("INSERT INTO notes (note) VALUES ('z') RETURNING id").executeStep());
        throw std::runtime_error{"left standing"};
    };
    EXPECT_THROW(store.once(kit::request(kit::scope("t")), thrown), std::runtime_error);
    EXPECT_EQ(notes(), 3);
    EXPECT_EQ(once("t", "t"), "t");
}

TEST_F(StoreTest, a_statement_that_failed_is_as_good_as_new) {
    const auto twice = [](const Transaction& rows) {
        constexpr std::string_view insert = "INSERT INTO notes (id) VALUES (?)";
        for (int time = 0; time < 2; ++time) {
            SQLite::Statement& statement = rows.statement(insert);
            statement.bind(1, 7);
            try {
                statement.exec();
            } catch (const SQLite::Exception&) {
                EXPECT_EQ(time, 1);
            }
        }
        SQLite::Statement& statement = rows.statement(insert);
        statement.bind(1, 8);
        statement.exec();
        return kit::answer(201, "both");
    };
    EXPECT_EQ(kit::told(store.once(kit::request(kit::scope("k")), twice)), "both");
    EXPECT_EQ(notes(), 2);
}

/// SQLite rolls back by itself on some errors. Work that swallows one has no transaction any more;
/// neither may its receipt be written.
TEST_F(StoreTest, a_transaction_that_sqlite_ended_is_not_gone_on_with) {
    store.write([](const Transaction& rows) {
        rows.database().exec(
            "CREATE TRIGGER ends BEFORE UPDATE ON notes BEGIN "
            "SELECT raise(ROLLBACK, 'the disk is full'); END");
    });
    const auto swallowing = [](SQLite::Database& rows) {
        note(rows);
        EXPECT_THROW(rows.exec("UPDATE notes SET note = 'y'"), SQLite::Exception);
        return kit::answer(201, "all is well");
    };
    const std::string fault =
        kit::fault_of([&] { store.once(kit::request(kit::scope("k")), swallowing); });
    EXPECT_EQ(fault.rfind("unavailable: ", 0), 0U) << fault;
    EXPECT_EQ(receipts(), 0);
    EXPECT_EQ(notes(), 0);
    EXPECT_EQ(once("k", "first"), "first");
}

TEST_F(StoreTest, work_that_commits_by_itself_gets_no_receipt) {
    const auto ending = [](SQLite::Database& rows) {
        rows.exec("COMMIT");
        return kit::answer(201, "mine");
    };
    EXPECT_NE(kit::fault_of([&] { store.once(kit::request(kit::scope("k")), ending); }), "nothing");
    EXPECT_NE(kit::fault_of([&] {
                  store.write([](const Transaction& rows) { rows.database().exec("COMMIT"); });
              }),
              "nothing");
    EXPECT_EQ(receipts(), 0);
    EXPECT_EQ(once("k", "first"), "first");
}

TEST_F(StoreTest, a_lock_that_is_not_had_in_time_is_busy) {
    SQLite::Database other{file.string(), SQLite::OPEN_READWRITE};
    other.exec("BEGIN IMMEDIATE");
    const std::string fault = kit::fault_of([&] { once("k", "x"); });
    EXPECT_EQ(fault.rfind("busy: taking the write lock", 0), 0U) << fault;
    other.exec("ROLLBACK");
    EXPECT_EQ(once("k", "x"), "x");
}

/// A statement that failed for a lock and was not reset would keep the connection at what it saw
/// then.
TEST_F(StoreTest, a_connection_that_was_busy_sees_what_is_committed_afterwards) {
    SQLite::Database other{file.string(), SQLite::OPEN_READWRITE};
    other.exec("BEGIN IMMEDIATE");
    EXPECT_NE(kit::fault_of([&] { once("k", "x"); }), "nothing");
    other.exec("ROLLBACK");
    for (const char* key : {"a", "b"}) {
        EXPECT_FALSE(store.find(kit::scope(key)).has_value());
        Store another{file, {.policies = kit::book(), .clock = &clock}, with_notes()};
        another.once(kit::request(kit::scope(key)),
                     [](SQLite::Database&) { return kit::answer(201, "theirs"); });
        EXPECT_TRUE(store.find(kit::scope(key)).has_value()) << key;
        EXPECT_EQ(once(key, "ours"), "theirs");
    }
}

TEST_F(StoreTest, a_replay_waits_for_no_lock) {
    EXPECT_EQ(once("k", "first"), "first");
    SQLite::Database other{file.string(), SQLite::OPEN_READWRITE};
    other.exec("BEGIN IMMEDIATE");
    EXPECT_EQ(once("k", "second"), "first");
}

TEST_F(StoreTest, a_connection_that_can_t_be_set_up_leaves_its_place_free) {
    bool broken = false;
    Settings settings = with_notes();
    settings.connections = 2;
    settings.on_connect = [&](SQLite::Database&) {
        if (broken) throw std::runtime_error{"no table today"};
    };
    Store second{file, {.policies = kit::book(), .clock = &clock}, settings};
    const auto nested_find = [&](SQLite::Database&) {
        for (int time = 0; time < 5; ++time) {
            EXPECT_THROW(static_cast<void>(second.find(kit::scope("k"))), std::runtime_error);
        }
        broken = false;
        EXPECT_FALSE(second.find(kit::scope("k")).has_value());
        return kit::answer(201, "x");
    };
    broken = true;
    EXPECT_EQ(kit::told(second.once(kit::request(kit::scope("k")), nested_find)), "x");
}

TEST_F(StoreTest, more_calls_than_connections_are_busy_in_time) {
    std::vector<std::unique_ptr<Session>> held;
    for (int i = 0; i < 4; ++i) {
        held.push_back(store.session());
        EXPECT_FALSE(held.back()->peek(kit::scope("k")).has_value());
    }
    EXPECT_EQ(kit::fault_of([&] { static_cast<void>(store.find(kit::scope("k"))); }),
              "busy: waiting for a connection: all are in use");
    held.clear();
    EXPECT_FALSE(store.find(kit::scope("k")).has_value());
}

/// What a session has once not found it has to look for again when another has committed.
TEST_F(StoreTest, an_absence_is_not_believed_for_longer_than_it_lasts) {
    Store other{file, {.policies = kit::book(), .clock = &clock}, with_notes()};
    const std::unique_ptr<Session> session = store.session();
    for (const char* key : {"a", "b", "c"}) {
        const Scope scope = kit::scope(key);
        EXPECT_FALSE(session->peek(scope).has_value());
        other.once(kit::request(scope),
                   [](SQLite::Database&) { return kit::answer(201, "theirs"); });
        session->begin();
        EXPECT_TRUE(session->find(scope).has_value()) << key;
        session->rollback();
    }
}

/// Each connection counts by itself what it sees change, so that the same number on another says
/// nothing. One of these rounds brings both counts together.
TEST_F(StoreTest, an_absence_seen_by_another_connection_is_not_believed) {
    Settings settings = with_notes();
    settings.connections = 2;
    settings.busy_timeout = 60s;
    Store two{file, {.policies = kit::book(), .clock = &clock}, settings};
    for (int round = 0; round < 12; ++round) {
        const Scope scope = kit::scope("k" + std::to_string(round));
        std::unique_ptr<Session> looked = two.session();
        std::unique_ptr<Session> wrote = two.session();
        EXPECT_FALSE(looked->peek(scope).has_value());
        EXPECT_FALSE(wrote->peek(scope).has_value());
        for (int commits = 0; commits < round % 4; ++commits) {
            // Which the one notices each time, and the other only once.
            kit::execute(file, "INSERT INTO notes (note) VALUES ('from elsewhere')");
            EXPECT_FALSE(looked->peek(scope).has_value());
        }
        wrote->begin();
        bool found = false;
        std::jthread waits{[&] {
            looked->begin();  // its connection is somebody else's while it waits
            found = looked->find(scope).has_value();
            looked->rollback();
        }};
        std::this_thread::sleep_for(2ms);
        std::unique_ptr<Session> takes_its_connection = two.session();
        EXPECT_FALSE(takes_its_connection->peek(scope).has_value());
        EXPECT_TRUE(wrote->insert(claim_of(scope)));
        wrote->commit();
        wrote.reset();
        waits.join();
        EXPECT_TRUE(found) << "round " << round;
        looked.reset();
    }
}

TEST_F(StoreTest, an_absence_does_not_hide_what_the_transaction_itself_wrote) {
    const std::unique_ptr<Session> session = store.session();
    const Receipt receipt = claim_of(kit::scope("k"));
    EXPECT_FALSE(session->peek(receipt.scope).has_value());
    session->begin();
    EXPECT_FALSE(session->find(receipt.scope).has_value());
    EXPECT_TRUE(session->insert(receipt));
    EXPECT_TRUE(session->find(receipt.scope).has_value());
    session->rollback();
    EXPECT_FALSE(session->find(receipt.scope).has_value());
    session->begin();
    EXPECT_FALSE(session->find(receipt.scope).has_value());
    EXPECT_TRUE(session->insert(receipt));
    session->commit();
    session->begin();
    EXPECT_TRUE(session->find(receipt.scope).has_value());
    session->rollback();
}

TEST_F(StoreTest, keys_of_255_bytes_and_answers_of_a_megabyte) {
    const std::string key(255, 'k');
    const std::string body(60'000, 'b');
    EXPECT_EQ(once(key, body), body);
    EXPECT_EQ(once(key, "again"), body);
    EXPECT_EQ(once(std::string(254, 'k') + "l", "other"), "other");

    PolicyFigures figures;
    constexpr std::size_t megabyte = 1'048'576;
    figures.answer_limits.max_body_bytes = megabyte;
    Store large{file, {.policies = kit::book(figures), .clock = &clock}, with_notes()};
    std::string megabyte_body(megabyte, '\0');
    for (std::size_t i = 0; i < megabyte_body.size(); i += 97) megabyte_body[i] = 'x';
    const auto work = [&](SQLite::Database&) { return kit::answer(201, megabyte_body); };
    EXPECT_EQ(kit::told(large.once(kit::request(kit::scope("large")), work)), megabyte_body);
    EXPECT_EQ(kit::told(large.once(kit::request(kit::scope("large")), work)), megabyte_body);
}

TEST_F(StoreTest, a_body_above_the_limit_is_told_once_and_then_said_to_be_omitted) {
    const std::string body(65'537, 'b');
    EXPECT_EQ(once("k", body), body);
    const Reply again = store.once(kit::request(kit::scope("k")),
                                   [](SQLite::Database&) { return kit::answer(201, "never"); });
    ASSERT_EQ(word(again), "replay");
    EXPECT_EQ(answer_of(again)->body, Body{body::Omitted{Omission::too_large}});
    EXPECT_EQ(answer_of(again)->status, 201);
}

}  // namespace
}  // namespace counterfoil::sqlite
