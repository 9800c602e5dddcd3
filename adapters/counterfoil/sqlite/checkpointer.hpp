#pragma once

#include <mutex>

struct sqlite3;

namespace counterfoil::sqlite {

/// Copies the write-ahead log of one file back into it, and backs off where that can't be done.
///
/// SQLite's own way tries again at every commit past its threshold, which cuts a writer to a third
/// while a reader keeps the log from being emptied. Here a try without success puts the next one
/// off, each time twice as far; the log grows meanwhile, and `counterfoil stats` shows its size.
///
/// Threads: any.
class Checkpointer {
public:
    explicit Checkpointer(int pages) : pages_{pages}, step_{pages}, next_{pages} {}

    /// Watches the commits of a connection, in the place of SQLite's own checkpoints.
    ///
    /// Requires: the object outlives the connection.
    void watch(sqlite3* connection);

private:
    static int on_commit(void* self, sqlite3* connection, const char* database, int pages);

    /// Whether a log of this many pages is to be copied now.
    bool is_due(int pages);
    void tried(int pages, bool emptied);

    std::mutex mutex_;
    const int pages_;
    int step_;
    int next_;
};

}  // namespace counterfoil::sqlite
