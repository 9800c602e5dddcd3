#include "counterfoil/sqlite/checkpointer.hpp"

#include <algorithm>

#include <sqlite3.h>

namespace counterfoil::sqlite {

namespace {

constexpr int longest_step = 64;  // times the usual one

}  // namespace

void Checkpointer::watch(sqlite3* connection) {
    sqlite3_wal_hook(connection, &Checkpointer::on_commit, this);
}

int Checkpointer::on_commit(void* self, sqlite3* connection, const char* database, int pages) {
    auto& checkpointer = *static_cast<Checkpointer*>(self);
    if (checkpointer.is_due(pages)) {
        int in_log = 0;
        int copied = 0;
        const int code = sqlite3_wal_checkpoint_v2(connection, database, SQLITE_CHECKPOINT_PASSIVE,
                                                   &in_log, &copied);
        checkpointer.tried(pages, code == SQLITE_OK && copied == in_log);
    }
    // The commit has happened, whatever became of the copy.
    return SQLITE_OK;
}

bool Checkpointer::is_due(int pages) {
    const std::lock_guard lock{mutex_};
    // A short log has begun anew since the last try.
    if (pages < pages_) {
        step_ = pages_;
        next_ = pages_;
    }
    return pages >= next_;
}

void Checkpointer::tried(int pages, bool emptied) {
    const std::lock_guard lock{mutex_};
    step_ = emptied ? pages_ : std::min(2 * step_, longest_step * pages_);
    next_ = pages + step_;
}

}  // namespace counterfoil::sqlite
