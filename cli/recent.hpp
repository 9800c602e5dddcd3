#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/tally.hpp>

#include "cli/program.hpp"

namespace counterfoil::cli {

/// --since: how far back the log of calls is looked at.
struct RecentOption {
    std::string since{"24h"};

    void add_to(CLI::App& command);

    /// The calls from then until now, by their name.
    ///
    /// Errors: Failure wrong_use; StoreError.
    [[nodiscard]] Tallies tallies(sqlite::Reader& reader, Instant now) const;
};

}  // namespace counterfoil::cli
