#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/reconcile.hpp"

namespace counterfoil {

enum class LogForm {
    json_lines,  ///< an object a line
    csv,         ///< RFC 4180, its first line naming the columns
};

/// A line that says nothing that can be used.
struct LogFault {
    std::size_t line{};  ///< from 1
    std::string detail;  ///< a sentence; may hold any text of the line

    friend bool operator==(const LogFault&, const LogFault&) = default;
};

/// A provider's log, and what of it can't be read.
struct ProviderLog {
    std::vector<ProviderEntry> entries{};
    std::vector<LogFault> faults{};

    friend bool operator==(const ProviderLog&, const ProviderLog&) = default;
};

/// Reads a provider's log.
///
/// An entry has `key`, `status` and `time`, and may have `amount` and `currency`; whatever else it
/// has is passed over. `time` is RFC 3339 in UTC. `amount` is a number or a text. A status that is
/// one of `succeeded` says that it was applied, and any other that it was not. Empty lines are
/// passed over; a fault in one line keeps no other from being read. In CSV a quoted field ends in
/// its line.
///
/// Source: RFC 4180 for CSV.
[[nodiscard]] ProviderLog read_provider_log(std::string_view text, LogForm form,
                                            const std::vector<std::string>& succeeded);

}  // namespace counterfoil
