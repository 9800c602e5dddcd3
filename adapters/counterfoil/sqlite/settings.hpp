#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "counterfoil/sqlite/attempts.hpp"

namespace SQLite {
class Database;
}

namespace counterfoil::sqlite {

/// What a commit has to survive.
enum class Durability {
    full,    ///< a power cut: one sync of the disk a commit
    normal,  ///< a crash of the process; a power cut may take back the last commits
    off,     ///< a crash of the process; a power cut may ruin the file. For tests and benchmarks
};

/// Who may open the file, beside its owner.
enum class FileAccess {
    owner_only,  ///< made with mode 0600; a file that others may read or write is refused
    as_it_is,    ///< whatever mode the file has
};

/// How a Store uses its file.
struct Settings {
    Durability durability{Durability::full};
    FileAccess access{FileAccess::owner_only};

    /// How long a call waits for another's write before it is busy. Above 0; at most 2^31 - 1 ms.
    std::chrono::milliseconds busy_timeout{5'000};

    /// How many connections are kept at most; calls beyond them wait. At least 2: one that writes,
    /// and the others for replays. Each has SQLite's default cache of 2 MB.
    std::size_t connections{4};

    /// After how many pages in the write-ahead log it is copied back into the file, 4 MB by
    /// default. More makes copies rarer and longer.
    int checkpoint_pages{1'000};

    /// Keeps a log of every call in the file's table `attempts`, for `counterfoil show` and
    /// `stats`; none by default.
    std::optional<AttemptSettings> attempts{};

    /// Called with each connection before it is first used: for tables and pragmas of the
    /// embedder's own. What it throws leaves the constructor or the call that needed a connection;
    /// a SQLite::Exception does so as a StoreError.
    std::function<void(SQLite::Database&)> on_connect{};

    /// The VFS that SQLite reaches the file through, by the name that it was registered under; the
    /// default one where this is empty.
    std::string vfs{};
};

}  // namespace counterfoil::sqlite
