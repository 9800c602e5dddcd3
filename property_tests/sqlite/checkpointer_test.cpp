#include <cstdint>
#include <filesystem>
#include <string>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>

#include "sqlite/faulty_vfs.hpp"
#include "sqlite/kit.hpp"

namespace counterfoil::sqlite {
namespace {

constexpr std::uintmax_t page_bytes = 4'096;
constexpr int threshold_pages = 50;
constexpr std::uintmax_t threshold{threshold_pages};

class CheckpointerTest : public testing::Test {
protected:
    void write(int times) {
        for (int i = 0; i < times; ++i) {
            store.write([](const Transaction& rows) {
                rows.database().exec("UPDATE filler SET bytes = randomblob(20000)");
            });
        }
    }

    [[nodiscard]] std::uintmax_t log_pages() const {
        return std::filesystem::file_size(file.string() + "-wal") / page_bytes;
    }

    kit::Scratch scratch;
    const std::filesystem::path file{scratch.file()};
    Store store{file,
                {.policies = kit::book()},
                {.durability = Durability::normal,
                 .checkpoint_pages = threshold_pages,
                 .on_connect =
                     [](SQLite::Database& rows) {
                         rows.exec(
                             "CREATE TABLE IF NOT EXISTS filler (bytes); "
                             "INSERT INTO filler VALUES (x'00')");
                     },
                 .vfs = kit::faulty_vfs()}};
};

TEST_F(CheckpointerTest, the_log_does_not_grow_for_ever) {
    write(500);  // about 3,000 pages
    EXPECT_LT(log_pages(), 2 * threshold);
}

TEST_F(CheckpointerTest, it_is_tried_once_for_each_threshold) {
    write(1);
    const std::int64_t before = kit::checkpoints_begun();
    write(500);  // about 3,000 pages
    const std::int64_t tries = kit::checkpoints_begun() - before;
    EXPECT_GT(tries, 30);
    EXPECT_LT(tries, 120);
}

TEST_F(CheckpointerTest, it_backs_off_from_a_reader_and_recovers_when_that_is_gone) {
    write(1);
    {
        SQLite::Database reader{file.string(), SQLite::OPEN_READONLY};
        reader.exec("BEGIN");
        SQLite::Statement look{reader, "SELECT count(*) FROM filler"};
        ASSERT_TRUE(look.executeStep());
        const std::int64_t before = kit::checkpoints_begun();
        write(300);
        EXPECT_GT(log_pages(), 30 * threshold);  // nothing can be copied back
        // Each try is twice as far from the one before as that was.
        EXPECT_GE(kit::checkpoints_begun() - before, 3);
        EXPECT_LE(kit::checkpoints_begun() - before, 8);
    }
    const std::uintmax_t highest = log_pages();
    // Within one more step of what was put off, the log is copied and begun anew: what is written
    // afterwards does not make it longer, and it is copied as often as ever.
    write(1'000);
    const std::uintmax_t settled = log_pages();
    EXPECT_LT(settled, highest + 65 * threshold);
    const std::int64_t before = kit::checkpoints_begun();
    write(500);
    EXPECT_EQ(log_pages(), settled);
    EXPECT_GT(kit::checkpoints_begun() - before, 30);
}

}  // namespace
}  // namespace counterfoil::sqlite
