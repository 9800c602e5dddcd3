#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>
#include <counterfoil/instant.hpp>
#include <counterfoil/receipt.hpp>
#include <counterfoil/settle.hpp>
#include <counterfoil/sqlite/attempts.hpp>

#include "cli/program.hpp"

namespace counterfoil::cli {

/// Rows of text in columns as wide as what is in them. Cells are escaped already.
class Table {
public:
    explicit Table(std::vector<std::string> heads);

    void add(std::vector<std::string> cells);

    /// Prints the rows that were added since the last time; the heads only once. Widths never
    /// shrink, so that the pages of one listing line up.
    void print(Context& context);

private:
    std::vector<std::string> heads_;
    std::vector<std::size_t> widths_;
    std::vector<std::vector<std::string>> rows_;
    bool headed_{false};
};

/// Prints `name  value` lines, the values in one column.
void print_facts(Context& context, const std::vector<std::pair<std::string, std::string>>& facts);

/// An instant for people: RFC 3339, and how long ago it was or how soon it will be.
[[nodiscard]] std::string with_age(Instant at, Instant now);

/// `3m ago`, `in 2h`, `now`, in the largest unit that gives a number above 0.
[[nodiscard]] std::string age(Instant at, Instant now);

/// `12.3 MB`.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// The text in a state's colour, where there are colours.
[[nodiscard]] std::string coloured_state(std::string_view word, const Context& context);

/// The object on one line of ASCII: what is beyond it, and DEL, stands as `\u` escapes, so that no
/// terminal takes stored text for a command.
[[nodiscard]] std::string json_line(const boost::json::object& object);

/// Stored text as a JSON string can hold it: as it is where it is UTF-8, else escaped().
[[nodiscard]] std::string json_text(const std::string& stored);

enum class Bodies { hidden, revealed };

/// A receipt as one JSON object. A revealed body is `body` where it is UTF-8, else `body_hex`.
[[nodiscard]] boost::json::object to_json(const Receipt& receipt, Bodies bodies);

[[nodiscard]] boost::json::object to_json(const sqlite::Attempt& attempt);

/// An audit row as one JSON object, without the answer that it ruled.
[[nodiscard]] boost::json::object to_json(const ResolutionRecord& resolution);

/// A receipt as facts for people.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> facts_of(const Receipt& receipt,
                                                                        Instant now, Bodies bodies);

}  // namespace counterfoil::cli
