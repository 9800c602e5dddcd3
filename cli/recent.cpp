#include "cli/recent.hpp"

#include "cli/inputs.hpp"

namespace counterfoil::cli {

void RecentOption::add_to(CLI::App& command) {
    command
        .add_option("--since", since,
                    "From when on the log of calls is looked at: an instant, a date, or a span")
        ->capture_default_str()
        ->type_name("INSTANT");
}

Tallies RecentOption::tallies(sqlite::Reader& reader, Instant now) const {
    Tallies tallies;
    reader.for_each_attempt(instant_of(since, now), Instant::max(),
                            [&](const sqlite::Attempt& attempt) {
                                tallies[attempt.call].add(attempt.reply, attempt.duration);
                            });
    return tallies;
}

}  // namespace counterfoil::cli
