#include "cli/render.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <ostream>
#include <sstream>

#include <counterfoil/describe.hpp>

namespace counterfoil::cli {

namespace {

constexpr std::string_view gap = "  ";
constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view no_colour = "\x1b[0m";

std::string span_text(Span span) {
    struct Unit {
        Span length;
        std::string_view name;
    };

    using std::chrono::hours;
    static constexpr std::array units{
        Unit{hours{24}, "d"},
        Unit{hours{1}, "h"},
        Unit{std::chrono::minutes{1}, "m"},
        Unit{std::chrono::seconds{1}, "s"},
        Unit{std::chrono::milliseconds{1}, "ms"},
    };
    for (const Unit& unit : units) {
        if (span >= unit.length) return std::to_string(span / unit.length) + std::string{unit.name};
    }
    return {};
}

/// What a terminal shows of the text; an escape sequence takes no place.
std::size_t shown_width(std::string_view text) {
    std::size_t width = 0;
    bool in_sequence = false;
    for (const char byte : text) {
        if (byte == '\x1b') in_sequence = true;
        if (!in_sequence) ++width;
        if (byte == 'm') in_sequence = false;
    }
    return width;
}

}  // namespace

Table::Table(std::vector<std::string> heads) : heads_{std::move(heads)} {
    for (const std::string& head : heads_) widths_.push_back(head.size());
}

void Table::add(std::vector<std::string> cells) {
    rows_.push_back(std::move(cells));
}

void Table::print(Context& context) {
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths_[i] = std::max(widths_[i], shown_width(row[i]));
        }
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text += cells[i];
            text.append(widths_[i] - shown_width(cells[i]), ' ').append(gap);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        context.out << text << '\n';
    };
    if (!headed_) {
        headed_ = true;
        std::vector<std::string> heads = heads_;
        if (context.style == Style::coloured) {
            for (std::string& head : heads) head = std::string{bold}.append(head).append(no_colour);
        }
        line(heads);
    }
    for (const auto& row : rows_) line(row);
    rows_.clear();
}

void print_facts(Context& context, const std::vector<std::pair<std::string, std::string>>& facts) {
    std::size_t width = 0;
    for (const auto& [name, value] : facts) width = std::max(width, name.size());
    for (const auto& [name, value] : facts) {
        context.out << name << std::string(width - name.size(), ' ') << gap << value << '\n';
    }
}

std::string age(Instant at, Instant now) {
    const std::string ago = span_text(now - at);
    if (!ago.empty()) return ago + " ago";
    const std::string to_come = span_text(at - now);
    return to_come.empty() ? "now" : "in " + to_come;
}

std::string with_age(Instant at, Instant now) {
    if (at == Instant::max()) return to_rfc3339(at);
    return to_rfc3339(at) + " (" + age(at, now) + ")";
}

std::string bytes_text(std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 4> units{"B", "kB", "MB", "GB"};
    constexpr double thousand = 1'000;
    auto number = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; number >= thousand && unit + 1 < units.size(); ++unit) number /= thousand;
    std::ostringstream text;
    text << std::fixed << std::setprecision(unit == 0 ? 0 : 1) << number << ' ' << units.at(unit);
    return text.str();
}

std::string coloured_state(std::string_view word, const Context& context) {
    if (context.style == Style::plain) return std::string{word};
    const std::string_view colour = word == "completed"     ? "\x1b[32m"
                                    : word == "in_progress" ? "\x1b[33m"
                                    : word == "unknown"     ? "\x1b[31m"
                                                            : "\x1b[2m";
    return std::string{colour}.append(word).append(no_colour);
}

}  // namespace counterfoil::cli
