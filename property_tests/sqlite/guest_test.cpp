#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <counterfoil/sqlite/guest.hpp>
#include <counterfoil/sqlite/schema.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>

#include "sqlite/kit.hpp"

namespace counterfoil::sqlite {
namespace {

class GuestTest : public testing::Test {
protected:
    GuestTest() {
        database.exec("PRAGMA journal_mode = WAL");
        migrate(database);
        database.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT)");
        guest.emplace(database, counterfoil::Setup{.policies = kit::book(), .clock = &clock});
    }

    void run(const char* sql) { database.exec(sql); }

    void note(const char* text) {
        SQLite::Statement{database, std::string{"INSERT INTO notes (note) VALUES ('"} + text + "')"}
            .exec();
    }

    std::string once(std::string_view key, std::string_view body, int status = 201,
                     int digest = 1) {
        return kit::told(guest->once(kit::request(kit::scope(key), digest), [&](SQLite::Database&) {
            note("by the work");
            return kit::answer(status, body);
        }));
    }

    /// As others see it.
    [[nodiscard]] std::int64_t committed(const std::string& table) const {
        return kit::number(file, "SELECT count(*) FROM " + table);
    }

    [[nodiscard]] std::int64_t inside(const std::string& table) {
        return database.execAndGet("SELECT count(*) FROM " + table).getInt64();
    }

    kit::Scratch scratch;
    const std::filesystem::path file{scratch.file()};
    kit::HandClock clock;
    SQLite::Database database{file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    std::optional<Guest> guest;
};

TEST_F(GuestTest, is_seen_by_others_when_the_outer_transaction_commits) {
    run("BEGIN IMMEDIATE");
    EXPECT_EQ(once("k", "first"), "first");
    EXPECT_EQ(once("k", "second"), "first");
    EXPECT_EQ(inside("receipts"), 1);
    EXPECT_EQ(committed("receipts"), 0);
    EXPECT_EQ(committed("notes"), 0);
    run("COMMIT");
    EXPECT_EQ(committed("receipts"), 1);
    EXPECT_EQ(committed("notes"), 1);
}

TEST_F(GuestTest, goes_with_the_outer_transaction) {
    run("BEGIN IMMEDIATE");
    EXPECT_EQ(once("k", "first"), "first");
    run("ROLLBACK");
    EXPECT_EQ(committed("receipts"), 0);
    run("BEGIN IMMEDIATE");
    EXPECT_EQ(once("k", "second"), "second");
    run("COMMIT");
}

TEST_F(GuestTest, needs_an_open_transaction) {
    EXPECT_EQ(kit::fault_of([&] { once("k", "x"); }),
              "refused: a Guest needs an open transaction: BEGIN IMMEDIATE first");
    EXPECT_EQ(committed("notes"), 0);
}

TEST_F(GuestTest, takes_the_write_lock_in_a_transaction_that_only_reads) {
    run("BEGIN");
    EXPECT_EQ(inside("notes"), 0);
    EXPECT_EQ(once("k", "x"), "x");
    SQLite::Database other{file.string(), SQLite::OPEN_READWRITE};
    EXPECT_THROW(other.exec("BEGIN IMMEDIATE"), SQLite::Exception);
    run("COMMIT");
    EXPECT_EQ(committed("receipts"), 1);
}

TEST_F(GuestTest, takes_the_write_lock_before_it_looks) {
    run("BEGIN");
    EXPECT_EQ(once("k", "x"), "x");
    run("COMMIT");
    run("BEGIN");
    EXPECT_EQ(once("k", "y"), "x");
    SQLite::Database other{file.string(), SQLite::OPEN_READWRITE};
    EXPECT_THROW(other.exec("BEGIN IMMEDIATE"), SQLite::Exception);
    run("COMMIT");
}

TEST_F(GuestTest, is_busy_where_somebody_has_committed_since_the_transaction_began_to_read) {
    run("BEGIN");
    EXPECT_EQ(inside("notes"), 0);
    kit::execute(file, "INSERT INTO notes (note) VALUES ('from elsewhere')");
    const std::string fault = kit::fault_of([&] { once("k", "x"); });
    EXPECT_EQ(fault.rfind("busy: taking the write lock in a transaction that only reads", 0), 0U)
        << fault;
    run("ROLLBACK");
    run("BEGIN IMMEDIATE");
    EXPECT_EQ(once("k", "x"), "x");
    run("COMMIT");
}

TEST_F(GuestTest, the_outer_transaction_lives_on_after_a_released_answer) {
    run("BEGIN IMMEDIATE");
    note("before");
    EXPECT_EQ(once("k", "no", 422), "no");
    EXPECT_EQ(inside("notes"), 1);
    EXPECT_EQ(once("k", "yes"), "yes");
    run("COMMIT");
    EXPECT_EQ(committed("notes"), 2);
    EXPECT_EQ(committed("receipts"), 1);
}

TEST_F(GuestTest, the_outer_transaction_lives_on_after_an_exception) {
    run("BEGIN IMMEDIATE");
    note("before");
    EXPECT_THROW(guest->once(kit::request(kit::scope("k")),
                             [&](SQLite::Database&) -> Answer {
                                 note("by the work");
                                 throw std::runtime_error{"no paper"};
                             }),
                 std::runtime_error);
    EXPECT_EQ(inside("notes"), 1);
    EXPECT_EQ(inside("receipts"), 0);
    run("COMMIT");
    EXPECT_EQ(committed("notes"), 1);
}

TEST_F(GuestTest, the_outer_transaction_lives_on_after_a_conflict) {
    run("BEGIN IMMEDIATE");
    EXPECT_EQ(once("k", "first"), "first");
    EXPECT_EQ(once("k", "second", 201, 2), "conflict");
    note("after");
    run("COMMIT");
    EXPECT_EQ(committed("notes"), 2);
}

TEST_F(GuestTest, lives_in_a_savepoint_and_goes_with_it) {
    run("SAVEPOINT outer_one");
    EXPECT_EQ(once("kept", "x"), "x");
    run("SAVEPOINT inner_one");
    EXPECT_EQ(once("dropped", "x"), "x");
    EXPECT_EQ(once("kept", "y"), "x");
    run("ROLLBACK TO inner_one");
    EXPECT_EQ(once("dropped", "again"), "again");
    run("RELEASE outer_one");
    EXPECT_EQ(committed("receipts"), 2);
    EXPECT_EQ(committed("notes"), 2);
}

TEST_F(GuestTest, work_may_have_savepoints_of_its_own) {
    run("BEGIN IMMEDIATE");
    const auto work = [&](SQLite::Database& rows) {
        rows.exec("SAVEPOINT counterfoil");  // the very name that ours has
        note("dropped");
        rows.exec("ROLLBACK TO counterfoil; RELEASE counterfoil");
        note("kept");
        return kit::answer(201, "x");
    };
    EXPECT_EQ(kit::told(guest->once(kit::request(kit::scope("k")), work)), "x");
    run("COMMIT");
    EXPECT_EQ(committed("notes"), 1);
}

TEST_F(GuestTest, once_in_its_own_work_is_refused) {
    run("BEGIN IMMEDIATE");
    std::string inner;
    const auto nested = [&](SQLite::Database&) {
        inner = kit::fault_of([&] { once("inner", "x"); });
        return kit::answer(201, "outer");
    };
    EXPECT_EQ(kit::told(guest->once(kit::request(kit::scope("outer")), nested)), "outer");
    EXPECT_EQ(inner.rfind("refused: a Guest was called from its own work", 0), 0U) << inner;
    EXPECT_EQ(inside("notes"), 0);
    EXPECT_EQ(once("inner", "x"), "x");
    run("COMMIT");
    EXPECT_EQ(committed("receipts"), 2);
}

TEST_F(GuestTest, statements_left_standing_block_neither_receipt_nor_commit) {
    run("BEGIN IMMEDIATE");
    const auto work = [](const Transaction& rows) {
        EXPECT_TRUE(
            rows.statement("INSERT INTO notes (note) VALUES ('y') RETURNING id").executeStep());
        return kit::answer(201, "standing");
    };
    EXPECT_EQ(kit::told(guest->once(kit::request(kit::scope("k")), work)), "standing");
    run("COMMIT");
    EXPECT_EQ(committed("notes"), 1);
}

TEST_F(GuestTest, statements_left_standing_hold_no_snapshot) {
    run("BEGIN IMMEDIATE");
    note("one");
    const auto work = [](const Transaction& rows) -> Answer {
        EXPECT_TRUE(rows.statement("SELECT id FROM notes").executeStep());
        throw std::runtime_error{"left standing"};
    };
    EXPECT_THROW(guest->once(kit::request(kit::scope("k")), work), std::runtime_error);
    run("COMMIT");
    kit::execute(file, "INSERT INTO notes (note) VALUES ('from elsewhere')");
    EXPECT_EQ(inside("notes"), 2);
    run("BEGIN IMMEDIATE");
    run("COMMIT");
}

TEST_F(GuestTest, a_transaction_that_sqlite_ended_is_not_gone_on_with) {
    run("CREATE TRIGGER ends BEFORE UPDATE ON notes BEGIN "
        "SELECT raise(ROLLBACK, 'the disk is full'); END");
    run("BEGIN IMMEDIATE");
    const auto swallowing = [&](SQLite::Database& rows) {
        note("lost");
        EXPECT_THROW(rows.exec("UPDATE notes SET note = 'y'"), SQLite::Exception);
        return kit::answer(201, "all is well");
    };
    const std::string fault =
        kit::fault_of([&] { guest->once(kit::request(kit::scope("k")), swallowing); });
    EXPECT_EQ(fault.rfind("unavailable: ", 0), 0U) << fault;
    EXPECT_EQ(committed("receipts"), 0);
    EXPECT_EQ(committed("notes"), 0);
}

TEST_F(GuestTest, and_a_store_see_each_other_s_receipts) {
    std::filesystem::permissions(
        file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    Store store{file, {.policies = kit::book(), .clock = &clock}};
    run("BEGIN IMMEDIATE");
    EXPECT_EQ(once("k", "guest"), "guest");
    run("COMMIT");
    const auto work = [](SQLite::Database&) { return kit::answer(201, "store"); };
    EXPECT_EQ(kit::told(store.once(kit::request(kit::scope("k")), work)), "guest");
    EXPECT_EQ(kit::told(store.once(kit::request(kit::scope("l")), work)), "store");
    run("BEGIN IMMEDIATE");
    EXPECT_EQ(once("l", "guest"), "store");
    run("COMMIT");
}

}  // namespace
}  // namespace counterfoil::sqlite
