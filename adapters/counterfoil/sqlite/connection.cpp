#include "counterfoil/sqlite/connection.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counterfoil/describe.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/reset.hpp"
#include "counterfoil/sqlite/schema.hpp"

namespace counterfoil::sqlite {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw StoreError{StoreFault::refused, "'" + escaped(file.string()) + "' " + why};
}

/// Makes the file if there is none. SQLite would make it with the modes that the process's mask
/// leaves.
void make_owner_only(const std::filesystem::path& file) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): POSIX has no other way to say a mode
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        ::close(descriptor);
        return;
    }
    if (errno == EEXIST) return;
    const std::error_code error{errno, std::generic_category()};
    throw StoreError{StoreFault::unavailable,
                     "making '" + escaped(file.string()) + "': " + error.message()};
}

void check_mode(const std::filesystem::path& file) {
    struct stat status {};

    if (::stat(file.c_str(), &status) != 0) {
        const std::error_code error{errno, std::generic_category()};
        throw StoreError{StoreFault::unavailable,
                         "looking at '" + escaped(file.string()) + "': " + error.message()};
    }
    if (!S_ISREG(status.st_mode)) refuse(file, "is no regular file");
    constexpr unsigned others = S_IRWXG | S_IRWXO;
    if ((status.st_mode & others) != 0) {
        refuse(file,
               "may be opened by others than its owner: chmod 600 it, or allow that in the "
               "settings (FileAccess::as_it_is)");
    }
}

int timeout_of(const Settings& settings) {
    constexpr std::int64_t longest = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp<std::int64_t>(settings.busy_timeout.count(), 1, longest));
}

SQLite::Database opened(const std::filesystem::path& file, const Settings& settings) {
    if (file.empty() || file.string().front() == ':') {
        refuse(file, "is no file; counterfoil::memory::Store keeps receipts in memory");
    }
    if (settings.access == FileAccess::owner_only) {
        make_owner_only(file);
        check_mode(file);
    }
    return translated("opening '" + escaped(file.string()) + "'", [&] {
        return SQLite::Database{file.string(),
                                SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                                timeout_of(settings), settings.vfs};
    });
}

const char* synchronous(Durability durability) {
    switch (durability) {
        case Durability::full: return "PRAGMA synchronous = FULL";
        case Durability::normal: return "PRAGMA synchronous = NORMAL";
        case Durability::off: return "PRAGMA synchronous = OFF";
    }
    return "";
}

/// The journal mode, once it is asked to be a write-ahead log. That takes the whole file for a
/// moment, and SQLite doesn't wait for it: of two who open a new file at once, one is told that it
/// is locked.
std::string journal_mode(SQLite::Database& database, const Settings& settings) {
    constexpr std::chrono::milliseconds pause{2};
    const auto deadline = std::chrono::steady_clock::now() + settings.busy_timeout;
    while (true) {
        try {
            return database.execAndGet("PRAGMA journal_mode = WAL").getString();
        } catch (const SQLite::Exception& error) {
            const bool busy = store_error("", error).fault() == StoreFault::busy;
            if (!busy || std::chrono::steady_clock::now() >= deadline) throw;
        }
        std::this_thread::sleep_for(pause);
    }
}

void set_up(SQLite::Database& database, const Settings& settings) {
    const std::string mode = journal_mode(database, settings);
    if (mode != "wal") {
        throw StoreError{StoreFault::unavailable,
                         "the database can't have a write-ahead log; its journal_mode is " + mode};
    }
    database.exec(synchronous(settings.durability));
    database.exec("PRAGMA foreign_keys = ON");
    database.exec("PRAGMA temp_store = MEMORY");
}

}  // namespace

Connection::Prepared::Prepared(SQLite::Database& database)
    : rows{database},
      begin{database, "BEGIN IMMEDIATE"},
      commit{database, "COMMIT"},
      rollback{database, "ROLLBACK"} {}

Connection::Connection(const std::filesystem::path& file, const Settings& settings,
                       Checkpointer& checkpointer)
    : database_{opened(file, settings)}, statements_{database_} {
    translated("opening '" + escaped(file.string()) + "'", [&] {
        sqlite3_extended_result_codes(database_.getHandle(), 1);
        // First, since a file that is refused must be left as it is, and a journal mode is written
        // to it.
        migrate(database_);
        set_up(database_, settings);
        checkpointer.watch(database_.getHandle());
        prepared_.emplace(database_);
        if (settings.on_connect) settings.on_connect(database_);
    });
}

void Connection::begin() {
    translated("taking the write lock", [&] {
        const Reset reset{prepared_->begin};
        prepared_->begin.exec();
    });
}

void Connection::commit() {
    translated("committing", [&] {
        // A statement of the embedder's that was left standing would keep it from committing.
        statements_.reset_all();
        const Reset reset{prepared_->commit};
        prepared_->commit.exec();
    });
}

void Connection::rollback() noexcept {
    statements_.reset_all();
    // SQLite may have rolled back by itself, as it does when the disk is full.
    if (sqlite3_get_autocommit(database_.getHandle()) != 0) return;
    const Reset reset{prepared_->rollback};
    prepared_->rollback.tryExecuteStep();
}

std::uint32_t Connection::data_version() {
    std::uint32_t version = 0;
    sqlite3_file_control(database_.getHandle(), "main", SQLITE_FCNTL_DATA_VERSION, &version);
    return version;
}

}  // namespace counterfoil::sqlite
