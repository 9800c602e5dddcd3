#include "rounds.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace storage_bench {

namespace {

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    constexpr double nanoseconds = 1e9;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / nanoseconds;
}

Sample sample(const Variant& variant, std::chrono::milliseconds length) {
    const auto start = std::chrono::steady_clock::now();
    const double processor = processor_seconds();
    const auto times = static_cast<double>(variant.run(start + length));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    constexpr double microseconds = 1e6;
    return {times / elapsed.count(), (processor_seconds() - processor) * microseconds / times};
}

std::vector<double> ratios(const Rounds& rounds, std::size_t variant, std::size_t baseline) {
    std::vector<double> all;
    for (std::size_t i = 0; i < rounds[variant].size(); ++i) {
        all.push_back(rounds[variant][i].per_second / rounds[baseline][i].per_second);
    }
    return all;
}

}  // namespace

std::string with_digits(double value, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

Rounds alternate(const std::vector<Variant>& variants, int rounds,
                 std::chrono::milliseconds length) {
    for (const Variant& variant : variants) static_cast<void>(sample(variant, length / 4));
    Rounds all(variants.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < variants.size(); ++i) {
            const std::size_t turn = round % 2 == 0 ? i : variants.size() - 1 - i;
            all[turn].push_back(sample(variants[turn], length));
        }
    }
    return all;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double rate(const Rounds& rounds, std::size_t variant) {
    std::vector<double> rates;
    for (const Sample& sample : rounds[variant]) rates.push_back(sample.per_second);
    return median(rates);
}

double ratio(const Rounds& rounds, std::size_t variant, std::size_t baseline) {
    return median(ratios(rounds, variant, baseline));
}

std::string span_of_ratios(const Rounds& rounds, std::size_t variant, std::size_t baseline) {
    const std::vector<double> all = ratios(rounds, variant, baseline);
    const auto [lowest, highest] = std::minmax_element(all.begin(), all.end());
    return with_digits(*lowest, 2) + " to " + with_digits(*highest, 2);
}

double extra_processor_us(const Rounds& rounds, std::size_t variant, std::size_t baseline) {
    std::vector<double> all;
    for (std::size_t i = 0; i < rounds[variant].size(); ++i) {
        all.push_back(rounds[variant][i].processor_us - rounds[baseline][i].processor_us);
    }
    return median(all);
}

void print(const std::string& title, const std::vector<Variant>& variants, const Rounds& rounds,
           std::size_t baseline) {
    std::cout << "\n### " << title << "\n\n"
              << "| variant | a second | ratio to " << variants[baseline].name
              << " | rounds from to | processor, more than " << variants[baseline].name << " |\n"
              << "| --- | --- | --- | --- | --- |\n";
    for (std::size_t i = 0; i < variants.size(); ++i) {
        std::cout << "| " << variants[i].name << " | " << with_digits(rate(rounds, i), 0) << " | ";
        if (i == baseline) {
            std::cout << "1 | | |\n";
            continue;
        }
        std::cout << "**" << with_digits(ratio(rounds, i, baseline), 2) << "** | "
                  << span_of_ratios(rounds, i, baseline) << " | "
                  << (variants[i].process == Variant::Process::this_one
                          ? with_digits(extra_processor_us(rounds, i, baseline), 2) + " µs |\n"
                          : "|\n");
    }
    std::cout << std::flush;
}

}  // namespace storage_bench
