#pragma once

#include <cstdint>
#include <iosfwd>

namespace counterfoil::kit {

// SQLite's own VFS, which does what it is told to fail. It is registered once, beside the default
// one, and used where it is asked for by name (sqlite::Settings::vfs). Its sleep takes no time.

/// Registers it, once a process.
///
/// Returns: its name.
const char* faulty_vfs();

/// What fails, and in which way.
enum class FaultKind {
    io_error,   ///< every call that touches a file or the shared index
    disk_full,  ///< every call that makes a file longer or syncs it
    busy,       ///< every lock
};

std::ostream& operator<<(std::ostream& out, FaultKind kind);

enum class FaultLength {
    once,
    from_then_on,
};

std::ostream& operator<<(std::ostream& out, FaultLength length);

/// From now on the n-th call of a kind fails, counted from 1, and all after it where that is asked
/// for.
void fail_call(std::int64_t n, FaultKind kind, FaultLength length);

/// From now on nothing fails.
///
/// Returns: how many calls have failed.
std::int64_t end_faults();

/// How often, through this VFS, somebody has begun to copy a write-ahead log back.
[[nodiscard]] std::int64_t checkpoints_begun();

}  // namespace counterfoil::kit
