#include "hostile_texts.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

namespace counterfoil::bench {

namespace {

constexpr std::size_t count = 100'000;

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text = "[";
    for (std::size_t i = 0; i < times; ++i) {
        if (i != 0) text += ',';
        text += piece;
    }
    return text + ']';
}

std::string members(const std::vector<std::size_t>& order, const std::string& prefix) {
    std::string text = "{";
    for (const std::size_t i : order) {
        if (text.size() > 1) text += ',';
        text += '"' + prefix + std::to_string(count + i) + "\":" + std::to_string(i % 10);
    }
    return text + '}';
}

std::vector<std::size_t> in_order() {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

// The generator's sequence is fixed by the standard, std::shuffle's use of it is not.
std::vector<std::size_t> at_random() {
    std::vector<std::size_t> order = in_order();
    std::mt19937_64 random{1};
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    return order;
}

std::vector<std::size_t> reversed() {
    std::vector<std::size_t> order = in_order();
    std::reverse(order.begin(), order.end());
    return order;
}

std::string under_unsorted_levels(const std::string& core, std::size_t levels) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += R"({"z":0,"a":)";
    text += core;
    text.append(levels, '}');
    return text;
}

std::string short_escapes() {
    std::string text = "\"";
    for (std::size_t i = 0; i < count; ++i) text += R"(\n)";
    return text + '"';
}

std::string long_decimals() {
    std::mt19937_64 random{2};
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) text += ',';
        text += std::to_string(random() % 9 + 1) + '.' +
                std::to_string(1'000'000'000'000'000 + random() % 9'000'000'000'000'000);
    }
    return text + ']';
}

}  // namespace

std::vector<HostileText> hostile_texts() {
    const std::string mebibyte = '"' + std::string(std::size_t{1} << 20U, 'x') + '"';
    const std::string small_nest = under_unsorted_levels("0", 120);
    return {
        {"1MiB_under_128_unsorted_levels", under_unsorted_levels(mebibyte, 128)},
        {"small_objects_under_120_unsorted_levels", repeated(small_nest, 600)},
        {"100000_members_random", members(at_random(), "k")},
        {"100000_members_common_prefix_reversed", members(reversed(), std::string(100, 'p'))},
        {"100000_members_common_prefix_random", members(at_random(), std::string(100, 'p'))},
        {"100000_members_escaped_prefix_random", members(at_random(), R"(\n\n\n\n\n\n\n\n\n\n)")},
        {"100000_times_1e20", repeated("1e20", count)},
        {"100000_times_1e-5", repeated("1e-5", count)},
        {"100000_zeros", repeated("0", count)},
        {"100000_empty_objects", repeated("{}", count)},
        {"100000_unsorted_pairs", repeated(R"({"b":1,"a":1})", count)},
        {"100000_empty_strings", repeated(R"("")", count)},
        {"17_digit_decimals", long_decimals()},
        {"short_escapes", short_escapes()},
        {"unicode_escapes", repeated(R"("\u00e9\u20ac\ud83d\ude00\u001f\u0041")", count / 4)},
        {"two_byte_characters", repeated("\"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\"", count)},
        {"alternating_characters", repeated("\"a\xC3\xA9"
                                            "b\xE2\x82\xAC"
                                            "c\xC3\xA9\"",
                                            count)},
        {"white_space", repeated("\n\t \n\t \n\t \n\t 1", count)},
    };
}

}  // namespace counterfoil::bench
