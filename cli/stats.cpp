#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <ostream>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/span_text.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/tally.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"
#include "cli/recent.hpp"
#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

namespace json = boost::json;

std::string age_label(std::size_t bucket) {
    const std::vector<Span>& limits = sqlite::age_limits();
    return bucket < limits.size() ? "under " + to_text(limits[bucket]) : "older";
}

constexpr std::array shares{0.5, 0.95, 0.99};

std::string percent(const std::optional<double>& rate) {
    if (!rate) return "";
    std::array<char, 16> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), *rate * 100,
                                            std::chars_format::fixed, 1);
    return std::string(text.data(), end) + "%";
}

std::string at_most(const std::optional<Span>& bound) {
    return bound ? to_text(*bound) : "over " + to_text(Durations::bounds().back());
}

json::object to_json(const Tallies& recent) {
    json::object calls;
    for (const auto& [call, tally] : recent) {
        json::object replies;
        for (const auto& [reply, count] : tally.counts()) replies[json_text(reply)] = count;
        json::object object{{"calls", tally.durations().total()}, {"replies", std::move(replies)}};
        if (const auto rate = tally.replay_rate()) object["replay_rate"] = *rate;
        if (const auto rate = tally.conflict_rate()) object["conflict_rate"] = *rate;
        for (const double share : shares) {
            const std::optional<Span> bound = tally.durations().percentile(share);
            const std::string name = "p" + std::to_string(static_cast<int>(share * 100)) + "_us";
            object[name] = bound ? json::value(bound->count()) : json::value();
        }
        calls[json_text(call)] = std::move(object);
    }
    return calls;
}

void print_recent(Context& context, const Tallies& recent) {
    if (recent.empty()) return;
    context.out << '\n';
    Table table{{"CALL", "CALLS", "CREATE", "TAKE_OVER", "REPLAY", "CONFLICT", "UNKNOWN",
                 "REPLAYED", "CONFLICTS", "P50", "P95", "P99"}};
    for (const auto& [call, tally] : recent) {
        std::vector<std::string> cells{escaped(call), std::to_string(tally.durations().total())};
        for (const char* reply : {"create", "take_over", "replay", "conflict", "unknown"}) {
            cells.push_back(std::to_string(tally.count(reply)));
        }
        cells.push_back(percent(tally.replay_rate()));
        cells.push_back(percent(tally.conflict_rate()));
        for (const double share : shares) {
            cells.push_back(at_most(tally.durations().percentile(share)));
        }
        table.add(std::move(cells));
    }
    table.print(context);
}

void print_json(Context& context, const sqlite::FileStats& stats, const Tallies& recent) {
    json::object states;
    for (const char* word : {"in_progress", "completed", "unknown", "tombstone"}) states[word] = 0;
    for (const auto& [word, count] : stats.states) states[word] = count;
    json::object object{{"receipts", stats.receipts()},
                        {"states", std::move(states)},
                        {"lapsed", stats.lapsed},
                        {"due", stats.due},
                        {"held", stats.held},
                        {"body_bytes", stats.body_bytes},
                        {"file_bytes", stats.file_bytes},
                        {"log_bytes", stats.log_bytes}};
    const auto add = [&](const char* name, const std::optional<Instant>& at) {
        object[name] = at ? json::value(to_rfc3339(*at)) : json::value();
    };
    add("oldest_created", stats.oldest_created);
    add("newest_created", stats.newest_created);
    add("oldest_unresolved", stats.oldest_unresolved);
    add("oldest_due", stats.oldest_due);
    json::array ages;
    for (std::size_t i = 0; i < stats.by_age.size(); ++i) {
        ages.push_back(json::object{{"age", age_label(i)}, {"receipts", stats.by_age[i]}});
    }
    object["ages"] = std::move(ages);
    object["recent"] = to_json(recent);
    context.out << json_line(object) << '\n';
}

/// A bar of at most this many signs; what is there at all has one.
std::string bar(std::uint64_t count, std::uint64_t largest) {
    constexpr std::uint64_t longest = 30;
    if (count == 0) return "";
    std::string signs;
    signs.resize(std::max<std::uint64_t>(1, count * longest / largest), '#');
    return signs;
}

void print_text(Context& context, const sqlite::FileStats& stats) {
    const auto instant = [&](const std::optional<Instant>& at) {
        return at ? with_age(*at, context.now) : std::string{"none"};
    };
    std::vector<std::pair<std::string, std::string>> facts{
        {"receipts", std::to_string(stats.receipts())}};
    for (const auto& [word, count] : stats.states) {
        facts.emplace_back("  " + word, std::to_string(count));
    }
    facts.insert(facts.end(), {{"in progress, lapsed", std::to_string(stats.lapsed)},
                               {"oldest unresolved", instant(stats.oldest_unresolved)},
                               {"on hold", std::to_string(stats.held)},
                               {"due for a purge", std::to_string(stats.due)},
                               {"oldest due", instant(stats.oldest_due)},
                               {"oldest", instant(stats.oldest_created)},
                               {"newest", instant(stats.newest_created)},
                               {"bodies kept", bytes_text(stats.body_bytes)},
                               {"file", bytes_text(stats.file_bytes)},
                               {"write-ahead log", bytes_text(stats.log_bytes)}});
    print_facts(context, facts);
    context.out << '\n';
    const std::uint64_t largest = *std::max_element(stats.by_age.begin(), stats.by_age.end());
    Table ages{{"AGE", "RECEIPTS", ""}};
    for (std::size_t i = 0; i < stats.by_age.size(); ++i) {
        ages.add({age_label(i), std::to_string(stats.by_age[i]), bar(stats.by_age[i], largest)});
    }
    ages.print(context);
}

Exit stats(Context& context, const RecentOption& option) {
    sqlite::Reader reader{existing_file(context)};
    const Tallies recent = option.tallies(reader, context.now);
    const sqlite::FileStats stats = reader.stats(context.now);
    if (context.json) {
        print_json(context, stats, recent);
    } else {
        print_text(context, stats);
        print_recent(context, recent);
    }
    return Exit::done;
}

}  // namespace

void add_stats(Program& program) {
    auto recent = std::make_shared<RecentOption>();
    CLI::App& command = program.add(
        "stats", "Count receipts by state and age, what is due, and the calls that are logged",
        "counterfoil --db orders.db stats --json",
        [recent](Context& context) { return stats(context, *recent); });
    recent->add_to(command);
}

}  // namespace counterfoil::cli
