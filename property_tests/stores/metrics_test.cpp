#include <chrono>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <counterfoil/store/metrics.hpp>
#include <gtest/gtest.h>

namespace counterfoil {
namespace {

using std::chrono::microseconds;

Scope scope() {
    return {parse_tenant("acme").value(), parse_operation("pay").value(), parse_key("k").value()};
}

void observe(Observer& observer, std::string_view call, std::string_view reply,
             microseconds duration) {
    const Scope whose = scope();
    observer.observe(
        {.call = call, .scope = whose, .request_id = {}, .reply = reply, .duration = duration});
}

void observe_fault(Observer& observer, std::optional<StoreFault> fault) {
    const Scope whose = scope();
    observer.observe({.call = "once",
                      .scope = whose,
                      .request_id = {},
                      .fault = fault,
                      .duration = microseconds{30}});
}

/// What is no line of the format, if any is; and whether each value's family was told before it.
std::string wrong_line(const std::string& text) {
    static const std::regex comment{"# (HELP|TYPE) [a-z_]+ .+"};
    static const std::regex sample{
        R"(([a-z_]+?)(_bucket|_sum|_count)?(\{([a-z]+="([^"\\\n]|\\[\\"n])*",?)*\})? (\+Inf|[0-9.e+-]+))"};
    std::istringstream lines{text};
    std::string family;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, comment)) {
            family = line.substr(7, line.find(' ', 7) - 7);
        } else if (!std::regex_match(line, match, sample) ||
                   line.compare(0, family.size(), family) != 0) {
            return line;
        }
    }
    return "";
}

TEST(Metrics, count_every_call_by_its_name_and_reply) {
    Metrics after;
    Metrics metrics{&after};
    observe(metrics, "once", "create", microseconds{120});
    observe(metrics, "once", "replay", microseconds{20});
    observe(metrics, "claim", "create", microseconds{300});
    observe_fault(metrics, StoreFault::busy);
    observe_fault(metrics, std::nullopt);
    const Tallies tallies = metrics.tallies();
    EXPECT_EQ(tallies.at("once").count("create"), 1U);
    EXPECT_EQ(tallies.at("once").count("busy"), 1U);
    EXPECT_EQ(tallies.at("once").count("error"), 1U);
    EXPECT_EQ(tallies.at("once").replay_rate(), 0.5);
    EXPECT_EQ(tallies.at("claim").durations().total(), 1U);
    EXPECT_EQ(after.tallies(), tallies);
}

TEST(Metrics, count_the_calls_of_all_threads) {
    constexpr int calls = 1'000;
    Metrics metrics;
    const auto run = [&] {
        for (int call = 0; call < calls; ++call)
            observe(metrics, "once", "replay", microseconds{1});
    };
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) threads.emplace_back(run);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(metrics.tallies().at("once").count("replay"), 4U * calls);
}

TEST(PrometheusText, has_counters_and_a_histogram_of_what_was_counted) {
    Metrics metrics;
    observe(metrics, "once", "create", microseconds{120});
    observe(metrics, "once", "replay", microseconds{20});
    const std::string text = prometheus_text(metrics.tallies());
    EXPECT_EQ(wrong_line(text), "");
    EXPECT_EQ(text.substr(0, text.find("# HELP counterfoil_call_duration")),
              "# HELP counterfoil_calls_total Calls by what they came to: the word of the reply, "
              "or of the fault.\n"
              "# TYPE counterfoil_calls_total counter\n"
              "counterfoil_calls_total{call=\"once\",reply=\"create\"} 1\n"
              "counterfoil_calls_total{call=\"once\",reply=\"replay\"} 1\n");
    for (const char* line :
         {"counterfoil_call_duration_seconds_bucket{call=\"once\",le=\"0.00005\"} 1\n",
          "counterfoil_call_duration_seconds_bucket{call=\"once\",le=\"0.0002\"} 2\n",
          "counterfoil_call_duration_seconds_bucket{call=\"once\",le=\"+Inf\"} 2\n",
          "counterfoil_call_duration_seconds_sum{call=\"once\"} 0.00014\n",
          "counterfoil_call_duration_seconds_count{call=\"once\"} 2\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST(PrometheusText, escapes_labels) {
    Tallies tallies;
    tallies["a\"b\\c\nd"].add("create", microseconds{1});
    const std::string text = prometheus_text(tallies);
    EXPECT_EQ(wrong_line(text), "");
    EXPECT_NE(text.find("{call=\"a\\\"b\\\\c\\nd\",reply=\"create\"} 1\n"), std::string::npos);
}

TEST(PrometheusText, has_gauges_of_what_a_store_holds) {
    const Holdings holdings{.states = {{"completed", 7}, {"unknown", 2}},
                            .lapsed = 1,
                            .due = 3,
                            .oldest_unresolved = std::chrono::hours{2}};
    const std::string text = prometheus_text(holdings);
    EXPECT_EQ(wrong_line(text), "");
    for (const char* line :
         {"counterfoil_receipts{state=\"unknown\"} 2\n", "counterfoil_receipts_lapsed 1\n",
          "counterfoil_receipts_due 3\n", "counterfoil_oldest_unresolved_seconds 7200\n",
          "counterfoil_purge_lag_seconds 0\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST(PrometheusText, has_rates_of_what_was_recent) {
    Tallies recent;
    recent["once"].add("create", microseconds{120});
    recent["once"].add("replay", std::chrono::seconds{20});
    const std::string text = prometheus_text_of_recent(recent);
    EXPECT_EQ(wrong_line(text), "");
    for (const char* line :
         {"counterfoil_recent_calls{call=\"once\",reply=\"replay\"} 1\n",
          "counterfoil_recent_replay_ratio{call=\"once\"} 0.5\n",
          "counterfoil_recent_conflict_ratio{call=\"once\"} 0\n",
          "counterfoil_recent_call_duration_seconds{call=\"once\",quantile=\"0.5\"} 0.0002\n",
          "counterfoil_recent_call_duration_seconds{call=\"once\",quantile=\"0.99\"} +Inf\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

}  // namespace
}  // namespace counterfoil
