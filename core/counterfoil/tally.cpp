#include "counterfoil/tally.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace counterfoil {

namespace {

constexpr std::array<std::string_view, 8> verdicts{"create",   "take_over",   "replay",
                                                   "conflict", "in_progress", "unknown",
                                                   "expired",  "incomparable"};

}  // namespace

const std::array<Span, Durations::bound_count>& Durations::bounds() {
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    static constexpr std::array<Span, bound_count> all{
        Span{50},          Span{100},         Span{200},         Span{500},        milliseconds{1},
        milliseconds{2},   milliseconds{5},   milliseconds{10},  milliseconds{20}, milliseconds{50},
        milliseconds{100}, milliseconds{200}, milliseconds{500}, seconds{1},       seconds{2},
        seconds{5},        seconds{10}};
    return all;
}

void Durations::add(std::chrono::nanoseconds duration) {
    const auto* const bucket = std::lower_bound(bounds().begin(), bounds().end(), duration);
    ++counts_.at(static_cast<std::size_t>(bucket - bounds().begin()));
    sum_ += duration;
}

Durations& Durations::operator+=(const Durations& other) {
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
        counts_.at(bucket) += other.counts_.at(bucket);
    }
    sum_ += other.sum_;
    return *this;
}

std::uint64_t Durations::total() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

std::optional<Span> Durations::percentile(double share) const {
    assert(share > 0 && share <= 1);
    const std::uint64_t all = total();
    if (all == 0) return std::nullopt;
    std::uint64_t so_far = 0;
    for (std::size_t bucket = 0; bucket < bound_count; ++bucket) {
        so_far += counts_.at(bucket);
        if (static_cast<double>(so_far) / static_cast<double>(all) >= share) {
            return bounds().at(bucket);
        }
    }
    return std::nullopt;
}

void Tally::add(std::string_view reply, std::chrono::nanoseconds duration) {
    const auto found = counts_.find(reply);
    if (found != counts_.end()) {
        ++found->second;
    } else {
        counts_.emplace(reply, 1);
    }
    durations_.add(duration);
}

Tally& Tally::operator+=(const Tally& other) {
    for (const auto& [reply, count] : other.counts_) counts_[reply] += count;
    durations_ += other.durations_;
    return *this;
}

std::uint64_t Tally::count(std::string_view reply) const {
    const auto found = counts_.find(reply);
    return found == counts_.end() ? 0 : found->second;
}

std::uint64_t Tally::judged() const {
    std::uint64_t sum = 0;
    for (const std::string_view verdict : verdicts) sum += count(verdict);
    return sum;
}

std::optional<double> Tally::rate(std::string_view reply) const {
    const std::uint64_t all = judged();
    if (all == 0) return std::nullopt;
    return static_cast<double>(count(reply)) / static_cast<double>(all);
}

std::optional<double> Tally::replay_rate() const {
    return rate("replay");
}

std::optional<double> Tally::conflict_rate() const {
    return rate("conflict");
}

}  // namespace counterfoil
