#include <cstdlib>
#include <filesystem>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <counterfoil/sqlite/guest.hpp>
#include <counterfoil/sqlite/schema.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sqlite/kit.hpp"

namespace counterfoil::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms owner_only = fs::perms::owner_read | fs::perms::owner_write;
constexpr fs::perms others_read = owner_only | fs::perms::group_read | fs::perms::others_read;

class SchemaTest : public testing::Test {
protected:
    [[nodiscard]] Store opened(Settings settings = {}) const {
        return Store{file, {.policies = kit::book()}, std::move(settings)};
    }

    [[nodiscard]] std::string fault_at_opening(Settings settings = {}) const {
        return kit::fault_of([&] { const Store made = opened(std::move(settings)); });
    }

    /// A file of an embedder's, for its owner only.
    void make(const std::string& statements) const {
        const SQLite::Database made{file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
        fs::permissions(file, owner_only);
        kit::execute(file, statements);
    }

    /// Opening is refused so, and the file is as it was, byte for byte.
    void expect_refused(const std::string& said) const {
        const std::string before = kit::bytes_of(file);
        const std::string fault = fault_at_opening();
        EXPECT_NE(fault.find(said), std::string::npos) << fault;
        EXPECT_EQ(kit::bytes_of(file), before);
    }

    kit::Scratch scratch;
    fs::path file{scratch.file()};
};

Answer perform(Store& store, std::string_view key) {
    return *answer_of(store.once(kit::request(kit::scope(key)),
                                 [](SQLite::Database&) { return kit::answer(201, "done"); }));
}

TEST_F(SchemaTest, a_new_file_is_marked_and_for_its_owner_only) {
    const mode_t before = ::umask(0);
    Store store = opened();
    perform(store, "k");
    ::umask(before);
    EXPECT_EQ(kit::number(file, "PRAGMA application_id"), application_id);
    EXPECT_EQ(kit::number(file, "PRAGMA user_version"), schema_version());
    EXPECT_EQ(kit::text(file, "PRAGMA journal_mode"), "wal");
    for (const char* suffix : {"", "-wal", "-shm"}) {
        const fs::path part = file.string() + suffix;
        ASSERT_TRUE(fs::exists(part)) << part;
        EXPECT_EQ(fs::status(part).permissions(), owner_only) << part;
    }
}

TEST_F(SchemaTest, a_file_that_others_may_read_is_refused_unless_that_is_asked_for) {
    make("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)");
    fs::permissions(file, others_read);
    expect_refused("refused: '" + file.string() + "' may be opened by others");
    EXPECT_EQ(fault_at_opening({.access = FileAccess::as_it_is}), "nothing");
    EXPECT_EQ(fs::status(file).permissions(), others_read);
}

TEST_F(SchemaTest, the_tables_of_an_embedder_are_kept) {
    make("CREATE TABLE mine (x); INSERT INTO mine VALUES (17)");
    Store store = opened();
    perform(store, "k");
    EXPECT_EQ(kit::number(file, "SELECT x FROM mine"), 17);
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 1);
}

TEST_F(SchemaTest, opening_a_file_again_changes_nothing_of_its_schema) {
    {
        Store store = opened();
        perform(store, "k");
    }
    const std::string before = kit::text(file, "SELECT group_concat(sql) FROM sqlite_schema");
    Store store = opened();
    EXPECT_EQ(kit::text(file, "SELECT group_concat(sql) FROM sqlite_schema"), before);
    EXPECT_EQ(body::Bytes{"done"}, std::get<body::Bytes>(perform(store, "k").body));
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 1);
}

TEST_F(SchemaTest, a_table_of_the_name_receipts_is_refused_and_nothing_has_changed) {
    make("CREATE TABLE receipts (shop, total); INSERT INTO receipts VALUES ('pen', 3)");
    expect_refused("refused: ");
    EXPECT_EQ(kit::number(file, "PRAGMA application_id"), 0);
}

TEST_F(SchemaTest, a_newer_schema_is_refused) {
    { const Store store = opened(); }
    const std::string newer = std::to_string(schema_version() + 1);
    kit::execute(file, "PRAGMA user_version = " + newer);
    expect_refused("refused: the database has schema version " + newer +
                   ", and this program knows versions up to " + std::to_string(schema_version()) +
                   ": use a newer one");
}

TEST_F(SchemaTest, a_file_of_the_first_version_is_brought_up_to_date_with_all_that_is_in_it) {
    make(kit::bytes_of(fs::path{COUNTERFOIL_FILES} / "version_1.sql"));
    ASSERT_EQ(kit::number(file, "PRAGMA user_version"), 1);
    Store store = opened();
    EXPECT_EQ(kit::number(file, "PRAGMA user_version"), schema_version());
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM orders"), 4);
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 5);
    const std::optional<Receipt> order = store.find(kit::scope("key-1", "create_order"));
    ASSERT_TRUE(order.has_value());
    EXPECT_EQ(std::get<state::Completed>(order->state).answer.body,
              Body{body::Bytes{R"({"order_id":1})"}});
    const std::optional<Receipt> claim = store.find(kit::scope("key-9", "charge"));
    ASSERT_TRUE(claim.has_value());
    EXPECT_EQ(claim->attempt, 2);
    EXPECT_EQ(std::get<state::InProgress>(claim->state).checkpoint->note(), R"({"try":2})");
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM resolutions"), 0);
}

TEST_F(SchemaTest, a_file_of_another_application_is_refused) {
    make("PRAGMA application_id = 7; CREATE TABLE theirs (x)");
    expect_refused("refused: the database belongs to another application (application_id 7");
}

TEST_F(SchemaTest, an_embedder_s_own_version_is_told_from_ours) {
    make("PRAGMA user_version = 1; CREATE TABLE theirs (x)");
    expect_refused("refused: the database belongs to another application (application_id 0");
}

TEST_F(SchemaTest, what_is_no_database_is_corrupt) {
    for (const std::string& text : {std::string{"hello\n"}, std::string(5'000, 'x')}) {
        kit::write_bytes(file, text);
        fs::permissions(file, owner_only);
        expect_refused("corrupt: ");
        EXPECT_EQ(kit::bytes_of(file), text);
        EXPECT_FALSE(fs::exists(file.string() + "-wal"));
    }
}

TEST_F(SchemaTest, what_is_no_file_is_refused) {
    for (const char* name : {"", ":memory:", ":x"}) {
        file = name;
        EXPECT_EQ(fault_at_opening(), "refused: '" + file.string() +
                                          "' is no file; counterfoil::memory::Store keeps "
                                          "receipts in memory");
    }
    file = scratch.file().parent_path();
    EXPECT_EQ(fault_at_opening(), "refused: '" + file.string() + "' is no regular file");
    EXPECT_NE(fault_at_opening({.access = FileAccess::as_it_is}).find("unavailable: opening"),
              std::string::npos);
}

TEST_F(SchemaTest, what_can_t_be_made_is_unavailable) {
    file = scratch.file("missing") / "receipts.db";
    EXPECT_EQ(fault_at_opening(),
              "unavailable: making '" + file.string() + "': No such file or directory");
    file = scratch.file(std::string(300, 'n'));
    EXPECT_EQ(fault_at_opening(),
              "unavailable: making '" + file.string() + "': File name too long");
    file = scratch.file("link");
    fs::create_symlink(scratch.file("nowhere"), file);
    EXPECT_EQ(fault_at_opening(),
              "unavailable: looking at '" + file.string() + "': No such file or directory");
}

TEST_F(SchemaTest, a_guest_asks_for_the_schema) {
    SQLite::Database database{file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    const auto guest = [&] { const Guest made{database, {.policies = kit::book()}}; };
    EXPECT_EQ(kit::fault_of(guest),
              "refused: the database has no receipts of this schema version: migrate() first");
    migrate(database);
    migrate(database);
    EXPECT_EQ(kit::fault_of(guest), "nothing");
}

/// Threads that open one new file at once, with a Store each.
TEST_F(SchemaTest, threads_that_open_a_new_file_at_once_all_get_it) {
    constexpr int threads = 8;
    for (int round = 0; round < 20; ++round) {
        file = scratch.file("new-" + std::to_string(round));
        std::vector<std::string> faults(threads);
        std::latch start{threads};
        {
            std::vector<std::jthread> all;
            for (std::string& fault : faults) {
                all.emplace_back([&] {
                    start.arrive_and_wait();
                    fault = fault_at_opening();
                });
            }
        }
        EXPECT_EQ(faults, std::vector<std::string>(threads, "nothing")) << "round " << round;
    }
}

/// The same with processes; each says by its exit status whether it got in.
TEST_F(SchemaTest, processes_that_open_a_new_file_at_once_all_get_it) {
    constexpr int processes = 4;
    for (int round = 0; round < 20; ++round) {
        file = scratch.file("shared-" + std::to_string(round));
        std::vector<pid_t> children;
        for (int child = 0; child < processes; ++child) {
            const pid_t made = ::fork();
            if (made == 0) {
                const std::string fault = fault_at_opening();
                if (fault != "nothing") ::write(STDERR_FILENO, fault.data(), fault.size());
                ::_exit(fault == "nothing" ? 0 : 1);
            }
            children.push_back(made);
        }
        for (const pid_t child : children) {
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            EXPECT_EQ(status, 0) << "round " << round;
        }
        EXPECT_EQ(kit::number(file, "PRAGMA user_version"), schema_version());
    }
}

}  // namespace
}  // namespace counterfoil::sqlite
