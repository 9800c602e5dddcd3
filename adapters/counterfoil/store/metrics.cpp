#include "counterfoil/store/metrics.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace counterfoil {

namespace {

using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

std::string number(double value) {
    std::array<char, 400> text{};  // more than any double takes
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return {text.data(), end};
}

std::string seconds(std::chrono::nanoseconds duration) {
    return number(std::chrono::duration<double>{duration}.count());
}

void append_escaped(std::string& text, std::string_view value) {
    for (const char one : value) {
        if (one == '\n') {
            text += "\\n";
        } else {
            if (one == '\\' || one == '"') text += '\\';
            text += one;
        }
    }
}

/// One family of metrics: its head, and a line for each of its values.
class Family {
public:
    Family(std::string_view name, std::string_view type, std::string_view help) : name_{name} {
        text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
        text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
    }

    void add(const Labels& labels, std::string_view value, std::string_view suffix = "") {
        text_.append(name_).append(suffix);
        char before = '{';
        for (const auto& [label, text] : labels) {
            text_ += std::exchange(before, ',');
            text_.append(label).append("=\"");
            append_escaped(text_, text);
            text_ += '"';
        }
        if (!labels.empty()) text_ += '}';
        text_.append(" ").append(value).append("\n");
    }

    void add(const Labels& labels, std::uint64_t value, std::string_view suffix = "") {
        add(labels, std::to_string(value), suffix);
    }

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string_view name_;
    std::string text_;
};

std::string counts(Family family, const Tallies& tallies) {
    for (const auto& [call, tally] : tallies) {
        for (const auto& [reply, count] : tally.counts()) {
            family.add({{"call", call}, {"reply", reply}}, count);
        }
    }
    return family.text();
}

std::string gauge(std::string_view name, std::string_view help, std::string_view value) {
    Family family{name, "gauge", help};
    family.add({}, value);
    return family.text();
}

}  // namespace

void Metrics::observe(const Observation& observation) noexcept {
    try {
        const std::lock_guard lock{mutex_};
        auto tally = tallies_.find(observation.call);
        if (tally == tallies_.end()) tally = tallies_.emplace(observation.call, Tally{}).first;
        tally->second.add(told(observation), observation.duration);
    } catch (...) {  // NOLINT(bugprone-empty-catch): no memory to count is no reason to fail
    }
    if (next_ != nullptr) next_->observe(observation);
}

Tallies Metrics::tallies() const {
    const std::lock_guard lock{mutex_};
    return tallies_;
}

std::string prometheus_text(const Tallies& since_start) {
    Family durations{"counterfoil_call_duration_seconds", "histogram",
                     "How long calls took, from entering to leaving."};
    for (const auto& [call, tally] : since_start) {
        std::uint64_t so_far = 0;
        for (std::size_t bucket = 0; bucket < Durations::bound_count; ++bucket) {
            so_far += tally.durations().counts().at(bucket);
            durations.add({{"call", call}, {"le", seconds(Durations::bounds().at(bucket))}}, so_far,
                          "_bucket");
        }
        const std::uint64_t all = tally.durations().total();
        durations.add({{"call", call}, {"le", "+Inf"}}, all, "_bucket");
        durations.add({{"call", call}}, seconds(tally.durations().sum()), "_sum");
        durations.add({{"call", call}}, all, "_count");
    }
    return counts({"counterfoil_calls_total", "counter",
                   "Calls by what they came to: the word of the reply, or of the fault."},
                  since_start) +
           durations.text();
}

std::string prometheus_text(const Holdings& holdings) {
    Family receipts{"counterfoil_receipts", "gauge", "Receipts by state."};
    for (const auto& [state, count] : holdings.states) receipts.add({{"state", state}}, count);
    return receipts.text() +
           gauge("counterfoil_receipts_lapsed", "Receipts in progress whose lease is over.",
                 std::to_string(holdings.lapsed)) +
           gauge("counterfoil_receipts_due", "Receipts that a purge would look at.",
                 std::to_string(holdings.due)) +
           gauge("counterfoil_oldest_unresolved_seconds",
                 "For how long the oldest unknown receipt has been so; 0 where there is none.",
                 seconds(holdings.oldest_unresolved.value_or(Span{0}))) +
           gauge("counterfoil_purge_lag_seconds",
                 "For how long the first due receipt has been so; 0 where there is none.",
                 seconds(holdings.purge_lag.value_or(Span{0})));
}

std::string prometheus_text_of_recent(const Tallies& recent) {
    constexpr std::array shares{0.5, 0.95, 0.99};
    Family replays{"counterfoil_recent_replay_ratio", "gauge",
                   "Replays as a share of what was judged."};
    Family conflicts{"counterfoil_recent_conflict_ratio", "gauge",
                     "Conflicts as a share of what was judged."};
    Family durations{"counterfoil_recent_call_duration_seconds", "gauge",
                     "How long calls took: the bound of the histogram that so many did not "
                     "exceed."};
    for (const auto& [call, tally] : recent) {
        if (const auto rate = tally.replay_rate()) replays.add({{"call", call}}, number(*rate));
        if (const auto rate = tally.conflict_rate()) conflicts.add({{"call", call}}, number(*rate));
        for (const double share : shares) {
            const std::optional<Span> bound = tally.durations().percentile(share);
            durations.add({{"call", call}, {"quantile", number(share)}},
                          bound ? seconds(*bound) : "+Inf");
        }
    }
    return counts({"counterfoil_recent_calls", "gauge", "Calls by what they came to."}, recent) +
           replays.text() + conflicts.text() + durations.text();
}

}  // namespace counterfoil
