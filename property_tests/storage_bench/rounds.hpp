#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace storage_bench {

using Deadline = std::chrono::steady_clock::time_point;

/// One way of doing the work that is compared.
struct Variant {
    std::string name;
    std::function<std::uint64_t(Deadline)> run;  ///< until then; returns how often it was done

    enum class Process { this_one, another };
    Process process{Process::this_one};  ///< whose processor time is told
};

/// What a variant did in one round.
struct Sample {
    double per_second{};
    double processor_us{};  ///< of the whole process, for one time
};

/// The samples of each variant, round by round.
using Rounds = std::vector<std::vector<Sample>>;

/// Runs the variants one after the other, again and again, every other round in reverse, so that
/// what disturbs the machine disturbs all of them.
[[nodiscard]] Rounds alternate(const std::vector<Variant>& variants, int rounds = 7,
                               std::chrono::milliseconds length = std::chrono::milliseconds{1'000});

[[nodiscard]] double median(std::vector<double> values);

/// The median rate of a variant.
[[nodiscard]] double rate(const Rounds& rounds, std::size_t variant);

/// The median of the ratios of two variants' rates in the same round.
[[nodiscard]] double ratio(const Rounds& rounds, std::size_t variant, std::size_t baseline);

/// The smallest and the largest of them, as `0.96 to 0.99`.
[[nodiscard]] std::string span_of_ratios(const Rounds& rounds, std::size_t variant,
                                         std::size_t baseline);

/// The median of the differences in processor time, variant minus baseline, in microseconds.
[[nodiscard]] double extra_processor_us(const Rounds& rounds, std::size_t variant,
                                        std::size_t baseline);

[[nodiscard]] std::string with_digits(double value, int digits);

/// Prints a table: each variant's median rate, and its ratio to the baseline.
void print(const std::string& title, const std::vector<Variant>& variants, const Rounds& rounds,
           std::size_t baseline);

}  // namespace storage_bench
