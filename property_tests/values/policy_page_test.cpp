#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/words.hpp>
#include <gtest/gtest.h>

#include "generators/values.hpp"
#include "written/page.hpp"

namespace counterfoil {
namespace {

namespace json = boost::json;

// A service with a retry window of an hour, and handlers that take ten seconds at most.
constexpr ServiceBounds usual_bounds{.client_retry_window = std::chrono::hours{1},
                                     .handler_budget = std::chrono::seconds{10}};

PolicyBook book_of(const std::string& file) {
    auto book = parse_policy_book(file, usual_bounds);
    if (book) return *std::move(book);
    for (const auto& fault : book.error()) ADD_FAILURE() << describe(fault) << "\nin " << file;
    return PolicyBook{validate({}, usual_bounds).value()};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

const std::vector<std::string>& page() {
    static const auto lines =
        lines_of(written::read(std::string{COUNTERFOIL_DOCS} + "/policy.md").value_or(""));
    return lines;
}

// The contents of the fenced blocks that begin with this line.
std::vector<std::string> blocks(std::string_view kind) {
    const std::string opening = "```" + std::string{kind};
    std::vector<std::string> found;
    bool inside = false;
    for (const auto& line : page()) {
        if (inside && line == "```") {
            inside = false;
        } else if (inside) {
            found.back() += line + '\n';
        } else if (line == opening) {
            inside = true;
            found.emplace_back();
        }
    }
    return found;
}

std::string block(std::string_view kind) {
    const auto found = blocks(kind);
    EXPECT_EQ(found.size(), 1U) << kind;
    return found.empty() ? std::string{} : found.front();
}

// The cells of a table's row without the blanks and backticks round them.
std::vector<std::string> cells(std::string_view row) {
    std::vector<std::string> found;
    std::istringstream in{std::string{row.substr(1)}};
    for (std::string cell; std::getline(in, cell, '|');) {
        const auto first = cell.find_first_not_of(" `");
        const auto last = cell.find_last_not_of(" `");
        found.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    return found;
}

using Rows = std::vector<std::vector<std::string>>;

// The rows of the tables under a heading of whatever level, without their first two lines.
Rows table_under(std::string_view heading) {
    Rows rows;
    bool inside = false;
    for (const auto& line : page()) {
        if (line.starts_with('#')) inside = line.substr(line.find(' ') + 1) == heading;
        if (inside && line.starts_with("| `")) rows.push_back(cells(line));
    }
    return rows;
}

using Names = std::vector<std::string>;

// The members of an object that are written, and those that a table has.
Names names_in(const json::value& object) {
    Names names;
    for (const auto& [name, value] : object.as_object()) names.emplace_back(name);
    return names;
}

Names names_in(const Rows& rows) {
    Names names;
    for (const auto& row : rows) names.push_back(row.front());
    return names;
}

// What is written where nothing is said, but with conflict detail, so that its members show.
json::value built_in() {
    PolicyFigures figures;
    figures.conflict_detail = {.secret = "k"};
    const PolicyBook book{validate(figures, usual_bounds).value()};
    return json::parse(to_json(book)).at("default");
}

// A table says the names that the parser knows, in the order in which they are written, and the
// defaults that it gives say what is written.
void expect_says(const Rows& table, const json::value& written) {
    EXPECT_EQ(names_in(table), names_in(written));
    for (const auto& row : table) {
        ASSERT_EQ(row.size(), 4U) << row.front();
        EXPECT_FALSE(row[3].empty()) << row.front();
        if (row[2].empty()) continue;
        EXPECT_EQ(json::parse(row[2]), written.at(row[0])) << row.front();
    }
}

TEST(PolicyPage, names_what_the_parser_knows) {
    auto written = built_in();
    EXPECT_EQ(table_under("key_rules").size(), 3U);
    expect_says(table_under("key_rules"), written.at("key_rules"));
    expect_says(table_under("conflict_detail"), written.at("conflict_detail"));
    written.at("conflict_detail") = nullptr;
    expect_says(table_under("Every name"), written);
}

TEST(PolicyPage, leaves_no_default_out_but_those_of_objects) {
    for (const auto& row : table_under("Every name"))
        EXPECT_EQ(row[2].empty(), row[0] == "key_rules" || row[0] == "answers") << row[0];
    for (const auto& row : table_under("conflict_detail"))
        EXPECT_EQ(row[2].empty(), row[0] == "secret") << row[0];
}

TEST(PolicyPage, says_every_word_of_a_closed_set) {
    const auto rows = table_under("Every name");
    const auto words = [&](std::string_view name) -> std::string {
        for (const auto& row : rows)
            if (row[0] == name) return row[1];
        return {};
    };
    EXPECT_EQ(words("on_lapse"), "take_over`, `unknown");
    EXPECT_EQ(words("old_keys"), "create`, `refuse");
    EXPECT_EQ(names_in(table_under("answers")), (Names{"keep", "release", "unknown"}));
    Names kinds;
    for (int i = 0; !word(static_cast<PolicyFaultKind>(i)).empty(); ++i)
        kinds.emplace_back(word(static_cast<PolicyFaultKind>(i)));
    EXPECT_EQ(names_in(table_under("What is refused")), kinds);
}

TEST(PolicyPage, has_files_that_are_read) {
    const auto files = blocks("json");
    ASSERT_FALSE(files.empty());
    for (const auto& file : files) (void)book_of(file);
}

TEST(PolicyPage, says_what_is_built_in) {
    const auto file = block("json built-in");
    EXPECT_EQ(book_of(file), book_of("{}"));
    EXPECT_EQ(json::serialize(json::parse(file)), to_json(book_of("{}")));
}

TEST(PolicyPage, says_what_is_inherited) {
    const auto book = book_of(blocks("json").at(0));
    const auto& charges = book.policy_for(parse_operation("POST /charges").value());
    const auto& orders = book.policy_for(parse_operation("create_order").value());
    EXPECT_EQ(orders, book.fallback());
    EXPECT_EQ(charges->key_rules.max_length, 128U);
    EXPECT_EQ(charges->answer_limits, orders->answer_limits);
    EXPECT_EQ(charges->answers.of(404, Effect::may_have_begun), Disposition::keep);
    EXPECT_EQ(orders->answers.of(404, Effect::may_have_begun), Disposition::release);
}

TEST(PolicyPage, says_how_a_file_is_refused) {
    const auto book = parse_policy_book(block("refused"), usual_bounds);
    ASSERT_FALSE(book.has_value());
    std::string faults;
    for (const auto& fault : book.error()) faults += describe(fault) + '\n';
    EXPECT_EQ(block("faults"), faults);
}

}  // namespace
}  // namespace counterfoil
