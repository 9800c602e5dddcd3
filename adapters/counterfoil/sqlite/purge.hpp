#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "counterfoil/instant.hpp"

namespace counterfoil::sqlite {

/// What a purge has come to, so far or in all.
struct PurgeReport {
    std::uint64_t looked_at{};       ///< receipts that were due
    std::uint64_t purged{};          ///< forgotten altogether
    std::uint64_t tombstones{};      ///< whose answer was dropped
    std::uint64_t marked_unknown{};  ///< abandoned, and nobody came back
    std::uint64_t unreadable{};      ///< corrupt rows, which are left as they are
    std::uint64_t attempts{};        ///< calls taken out of the log; a dry run doesn't count them

    friend bool operator==(const PurgeReport&, const PurgeReport&) = default;
};

enum class PurgeMode {
    write,
    dry_run,  ///< counts what it would do
};

struct PurgeOptions {
    PurgeMode mode{PurgeMode::write};

    /// For how long a slice may keep writers out, and how many receipts it may look at.
    std::chrono::microseconds slice{1'000};
    int slice_rows{100};

    /// How long to pause after a slice, in times of how long it took. 0 for a file that nobody else
    /// uses.
    int pause{9};

    /// Takes calls out of the log that are older than this; where nothing is said, as
    /// AttemptSettings::keep says, and none where the store keeps no log.
    std::optional<Span> attempts_older_than{};

    /// Called after each slice; returning false ends the purge there. May be empty.
    std::function<bool(const PurgeReport& so_far)> progress{};
};

}  // namespace counterfoil::sqlite
