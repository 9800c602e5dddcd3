#include <memory>
#include <optional>
#include <ostream>

#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/store/metrics.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/recent.hpp"

namespace counterfoil::cli {

namespace {

Holdings holdings_of(const sqlite::FileStats& stats, Instant now) {
    const auto for_how_long = [&](const std::optional<Instant>& since) {
        return since ? std::optional{now - *since} : std::nullopt;
    };
    Holdings holdings{.lapsed = stats.lapsed,
                      .due = stats.due,
                      .oldest_unresolved = for_how_long(stats.oldest_unresolved),
                      .purge_lag = for_how_long(stats.oldest_due)};
    for (const char* state : {"in_progress", "completed", "unknown", "tombstone"}) {
        holdings.states[state] = 0;
    }
    for (const auto& [state, count] : stats.states) holdings.states[state] = count;
    return holdings;
}

Exit metrics(Context& context, const RecentOption& recent) {
    if (context.json) {
        throw Failure{Exit::wrong_use, "metrics are text for Prometheus; `stats --json` is JSON"};
    }
    sqlite::Reader reader{existing_file(context)};
    const Tallies tallies = recent.tallies(reader, context.now);
    context.out << prometheus_text(holdings_of(reader.stats(context.now), context.now))
                << prometheus_text_of_recent(tallies);
    return Exit::done;
}

}  // namespace

void add_metrics(Program& program) {
    auto recent = std::make_shared<RecentOption>();
    CLI::App& command =
        program.add("metrics", "Print what `stats` says as Prometheus text",
                    "counterfoil --db pay.db metrics --since 5m >receipts.prom",
                    [recent](Context& context) { return metrics(context, *recent); });
    recent->add_to(command);
}

}  // namespace counterfoil::cli
