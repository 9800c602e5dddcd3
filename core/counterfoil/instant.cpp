#include "counterfoil/instant.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <system_error>

namespace counterfoil {

namespace {

struct Date {
    std::int64_t year;
    unsigned month;
    unsigned day;
};

// The proleptic Gregorian date of a day number (days since 1970-01-01). std::chrono's calendar ends
// at year 32767, microseconds in 64 bits at year 294246, hence the algorithm of H. Hinnant,
// "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
Date date_of(std::int64_t day_number) {
    const std::int64_t shifted = day_number + 719'468;
    const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
    const auto day_of_era = static_cast<unsigned>(shifted - era * 146'097);
    const unsigned year_of_era =
        (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const unsigned day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const unsigned shifted_month = (5 * day_of_year + 2) / 153;
    const unsigned day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    const unsigned month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
    return {static_cast<std::int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

/// Digits of a fixed number; nothing where they are none.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
    if (at + count > text.size()) return std::nullopt;
    const std::string_view part = text.substr(at, count);
    int number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || end != part.data() + part.size() || number < 0) return std::nullopt;
    return number;
}

std::optional<Instant> midnight_of(std::string_view text) {
    const std::optional<int> year = digits(text, 0, 4);
    const std::optional<int> month = digits(text, 5, 2);
    const std::optional<int> day = digits(text, 8, 2);
    if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{*year},
                                           std::chrono::month{static_cast<unsigned>(*month)},
                                           std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok()) return std::nullopt;
    return Instant{
        std::chrono::duration_cast<Span>(std::chrono::sys_days{date}.time_since_epoch())};
}

/// `.`, up to six digits.
std::optional<Span> fraction_of(std::string_view text) {
    constexpr std::size_t most = 6;
    if (text.empty()) return Span{0};
    if (text.front() != '.' || text.size() < 2 || text.size() > most + 1) return std::nullopt;
    const std::string padded =
        std::string{text.substr(1)} + std::string(most + 1 - text.size(), '0');
    const std::optional<int> microseconds = digits(padded, 0, most);
    return microseconds ? std::optional{Span{*microseconds}} : std::nullopt;
}

/// `THH:MM:SS`, a fraction, `Z`.
std::optional<Span> time_of(std::string_view text) {
    constexpr std::size_t shortest = 10;
    if (text.size() < shortest || text.front() != 'T' || text.back() != 'Z' || text[3] != ':' ||
        text[6] != ':') {
        return std::nullopt;
    }
    const std::optional<int> hour = digits(text, 1, 2);
    const std::optional<int> minute = digits(text, 4, 2);
    const std::optional<int> second = digits(text, 7, 2);
    const std::optional<Span> fraction = fraction_of(text.substr(9, text.size() - shortest));
    if (!hour || !minute || !second || !fraction || *hour > 23 || *minute > 59 || *second > 59) {
        return std::nullopt;
    }
    return Span{std::chrono::hours{*hour}} + Span{std::chrono::minutes{*minute}} +
           Span{std::chrono::seconds{*second}} + *fraction;
}

}  // namespace

std::string to_rfc3339(Instant at) {
    if (at == Instant::max()) return "never";

    constexpr std::int64_t us_per_day = 86'400'000'000;
    const std::int64_t us = at.time_since_epoch().count();
    const std::int64_t left_over = us % us_per_day;  // Negative before 1970.
    const std::int64_t us_of_day = left_over < 0 ? left_over + us_per_day : left_over;
    const std::int64_t day_number = us / us_per_day - (left_over < 0 ? 1 : 0);
    const Date date = date_of(day_number);

    const bool writable = date.year >= 0 && date.year <= 9'999;
    const long long second_of_day = us_of_day / 1'000'000;
    std::array<char, 64> text{};
    const int length = std::snprintf(  // NOLINT(cppcoreguidelines-pro-type-vararg)
        text.data(), text.size(),
        writable ? "%04lld-%02u-%02uT%02lld:%02lld:%02lld.%06lldZ"
                 : "%+07lld-%02u-%02uT%02lld:%02lld:%02lld.%06lldZ",
        static_cast<long long>(date.year), date.month, date.day, second_of_day / 3'600,
        second_of_day / 60 % 60, second_of_day % 60, static_cast<long long>(us_of_day % 1'000'000));
    return {text.data(), static_cast<std::size_t>(length)};
}

std::optional<Instant> from_rfc3339(std::string_view text) {
    constexpr std::size_t date_size = 10;
    const std::optional<Instant> midnight = midnight_of(text);
    if (!midnight) return std::nullopt;
    const std::optional<Span> time = time_of(text.substr(date_size));
    if (!time) return std::nullopt;
    return *midnight + *time;
}

}  // namespace counterfoil
