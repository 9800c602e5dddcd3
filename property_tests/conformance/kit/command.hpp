#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include <counterfoil/receipt.hpp>
#include <rapidcheck.h>

namespace counterfoil::testing {

enum class Step { peek, begin, find, insert, replace, erase, commit, rollback, leave, reopen };

/// One thing to do to a store. One that makes no sense where it stands is passed over, so that any
/// part of a sequence is a sequence.
struct Command {
    Step step{};
    std::size_t session{};
    Receipt receipt;           ///< for insert and replace; its scope for all that have one
    std::int64_t fence_off{};  ///< how far the fence that is expected lies beside the right one
};

std::ostream& operator<<(std::ostream& out, const Command& command);

/// Sequences for so many sessions, in which few scopes meet often.
rc::Gen<std::vector<Command>> commands(std::size_t sessions);

}  // namespace counterfoil::testing
