#pragma once

#include <cstddef>
#include <optional>
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

    /// Why none of it can be read: what is wrong with the columns of a CSV. Then nothing else is
    /// told, and comparing would tell every receipt as one that they never heard of.
    std::optional<LogFault> unreadable{};

    friend bool operator==(const ProviderLog&, const ProviderLog&) = default;
};

/// The form of a log by its first character: JSON lines begin with a brace.
[[nodiscard]] LogForm guess_log_form(std::string_view text);

/// Reads a provider's log.
///
/// An entry has `key`, `status` and `time`, and may have `amount` and `currency`; whatever else it
/// has is passed over. `time` is RFC 3339 in UTC. `amount` is a decimal number, or a text that is
/// one. A status that is one of `succeeded` says that it was applied, and any other that it was
/// not. A byte order mark, empty lines, null and empty fields of CSV are passed over. Lines end in
/// LF or CRLF; a quoted field of CSV may have several, and its fault is told of the first.
///
/// Errors: a fault for each line that can't be used, which keeps no other from being read: it is
///         not JSON or CSV, has a member twice, lacks a name or has a value that is not as above.
///         Of CSV also `unreadable`, where the first line can't be read, lacks a column that is
///         needed, or has one that is read twice.
/// Source: RFC 4180 for CSV, RFC 8259 and RFC 7493 for JSON.
[[nodiscard]] ProviderLog read_provider_log(std::string_view text, LogForm form,
                                            const std::vector<std::string>& succeeded);

}  // namespace counterfoil
