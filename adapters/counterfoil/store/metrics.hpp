#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "counterfoil/instant.hpp"
#include "counterfoil/store/observer.hpp"
#include "counterfoil/tally.hpp"

namespace counterfoil {

/// Counts every call of the stores whose observer it is, since it was made.
///
/// Threads: any.
class Metrics final : public Observer {
public:
    /// `next` hears of every call as well; it may be null, and outlives the object.
    explicit Metrics(Observer* next = nullptr) : next_{next} {}

    void observe(const Observation& observation) noexcept override;

    /// What was counted so far, by the name of the call.
    [[nodiscard]] Tallies tallies() const;

private:
    Observer* next_;
    mutable std::mutex mutex_;
    Tallies tallies_;
};

/// What a store holds, at one moment.
struct Holdings {
    std::map<std::string, std::uint64_t> states{};  ///< receipts by the state's word
    std::uint64_t lapsed{};                         ///< in progress with the lease over
    std::uint64_t due{};                            ///< receipts that a purge would look at
    std::optional<Span> oldest_unresolved{};  ///< for how long the oldest unknown one has been so
    std::optional<Span> purge_lag{};          ///< for how long the first due one has been so
};

// Prometheus' text format, version 0.0.4: a family of metrics after the other, each with its HELP
// and TYPE. Hand it out as `text/plain; version=0.0.4`.

/// Counters since the process began: calls by reply, and how long they took, as a histogram.
///
///   counterfoil_calls_total{call="once",reply="replay"} 17
///   counterfoil_call_duration_seconds_bucket{call="once",le="0.001"} 17
[[nodiscard]] std::string prometheus_text(const Tallies& since_start);

/// Gauges of what a store holds. What does not apply (nothing unresolved, nothing due) is 0.
///
///   counterfoil_receipts{state="unknown"} 2
[[nodiscard]] std::string prometheus_text(const Holdings& holdings);

/// Gauges over a span of time that has just passed, from a log of calls. They are no counters,
/// which may never fall.
///
///   counterfoil_recent_calls{call="once",reply="replay"} 17
///   counterfoil_recent_replay_ratio{call="once"} 0.05
///   counterfoil_recent_call_duration_seconds{call="once",quantile="0.99"} 0.002
[[nodiscard]] std::string prometheus_text_of_recent(const Tallies& recent);

}  // namespace counterfoil
