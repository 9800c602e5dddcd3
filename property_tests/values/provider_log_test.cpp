#include "counterfoil/provider_log.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace counterfoil {
namespace {

const std::vector<std::string> succeeded{"succeeded"};

ProviderLog json(std::string_view text) {
    return read_provider_log(text, LogForm::json_lines, succeeded);
}

ProviderLog csv(std::string_view text) {
    return read_provider_log(text, LogForm::csv, succeeded);
}

std::string fault_of(const ProviderLog& log) {
    return log.faults.empty()
               ? "none"
               : std::to_string(log.faults.front().line) + ": " + log.faults.front().detail;
}

std::string unreadable(const ProviderLog& log) {
    if (!log.unreadable) return "none";
    return std::to_string(log.unreadable->line) + ": " + log.unreadable->detail;
}

const ProviderEntry entry{
    "k-1", Standing::applied, {"12.5", "EUR"}, from_rfc3339("2026-12-01T12:00:00.5Z").value()};

TEST(ProviderLog, reads_json_lines) {
    const ProviderLog log = json(
        R"({"key":"k-1","status":"succeeded","amount":12.50,"currency":"EUR","time":"2026-12-01T12:00:00.5Z","x":[]})"
        "\r\n\n"
        R"({"time":"2026-12-01T12:00:00Z","status":"refused","key":"k-2","amount":null})");
    EXPECT_EQ(fault_of(log), "none");
    ASSERT_EQ(log.entries.size(), 2U);
    EXPECT_EQ(log.entries[0], entry);
    EXPECT_EQ(log.entries[1].standing, Standing::not_applied);
    EXPECT_EQ(log.entries[1].money, Money{});
}

TEST(ProviderLog, keeps_every_digit_of_an_amount) {
    const ProviderLog log = json(
        R"({"key":"k","status":"succeeded","amount":90071992547409931.10,"time":"2026-12-01T12:00:00Z"})");
    EXPECT_EQ(log.entries.at(0).money.amount, "90071992547409931.1");
}

TEST(ProviderLog, reads_csv_with_its_columns_in_any_order) {
    const ProviderLog log =
        csv("time,note,\"key\",amount,currency,status\n"
            "2026-12-01T12:00:00.5Z,\"a, \"\"b\"\"\",k-1,12.50,EUR,succeeded\r\n"
            "2026-12-01T12:00:00Z,,k-2,,,refused\n");
    EXPECT_EQ(fault_of(log), "none");
    ASSERT_EQ(log.entries.size(), 2U);
    EXPECT_EQ(log.entries[0], entry);
    EXPECT_EQ(log.entries[1].money, Money{});
}

TEST(ProviderLog, tells_a_broken_line_and_reads_the_others) {
    const std::string good =
        R"({"key":"k-1","status":"succeeded","amount":"12.50","currency":"EUR","time":"2026-12-01T12:00:00.5Z"})";
    const auto between = [&](const std::string& broken) {
        const ProviderLog log = json(good + "\n" + broken + "\n" + good);
        EXPECT_EQ(log.entries, (std::vector<ProviderEntry>{entry, entry})) << broken;
        return fault_of(log);
    };
    EXPECT_EQ(between("{"), "2: it ends too early at byte 1");
    EXPECT_EQ(between("[1]"), "2: it is no object");
    EXPECT_EQ(between(R"({"key":"a","key":"b"})").substr(0, 16), "2: a member name");
    EXPECT_EQ(between(R"({"key":"a","status":"x"})"), "2: it has no time");
    EXPECT_EQ(between(R"({"key":7})"), "2: key is no text");
    EXPECT_EQ(between(R"({"key":"","status":"x","time":"2026-12-01T12:00:00Z"})"),
              "2: it has no key");
    EXPECT_EQ(between(R"({"key":"a","status":"x","time":"noon\n"})"),
              "2: time 'noon\\n' is no RFC 3339 in UTC");
}

TEST(ProviderLog, tells_an_amount_that_is_no_decimal_number) {
    const auto told = [](const std::string& amount) {
        return fault_of(json(R"({"key":"k","status":"x","time":"2026-12-01T12:00:00Z","amount":)" +
                             amount + "}"));
    };
    for (const char* amount : {"12.5", "12.50", "1.25e1", R"("12.500")", "null"}) {
        EXPECT_EQ(told(amount), "none") << amount;
    }
    EXPECT_EQ(told(R"("12,50")"), "1: amount '12,50' is no decimal number");
    for (const char* amount :
         {R"("abc")", R"("")", R"("null")", R"("true")", R"("0x1F")", R"("NaN")", R"("1 2")",
          R"("12.")", R"("[1]")", R"("{}")", R"("\"5\"")"}) {
        EXPECT_NE(told(amount), "none") << amount;
    }
    EXPECT_EQ(told("true"), "1: amount is no number and no text");
    const std::string columns = "key,status,time,amount\nk,x,2026-12-01T12:00:00Z,";
    EXPECT_EQ(fault_of(csv(columns + "12.50\n")), "none");
    EXPECT_EQ(fault_of(csv(columns + "\"12,50\"\n")), "2: amount '12,50' is no decimal number");
    EXPECT_EQ(fault_of(csv(columns + "abc\n")), "2: amount 'abc' is no decimal number");
}

TEST(ProviderLog, refuses_a_name_that_stands_twice) {
    EXPECT_EQ(
        fault_of(
            json(R"({"key":"a","status":"x","time":"2026-12-01T12:00:00Z","amount":1,"amount":1})"))
            .substr(0, 16),
        "1: a member name");
    const ProviderLog log = csv("key,time,status,\"time\"\nk,2026-12-01T12:00:00Z,x,\n");
    EXPECT_EQ(unreadable(log), "1: column 'time' stands twice");
    EXPECT_TRUE(log.entries.empty() && log.faults.empty());
    EXPECT_EQ(unreadable(csv("note,key,note,,status,time,\na,k,b,,x,2026-12-01T12:00:00Z,\n")),
              "none");
}

TEST(ProviderLog, reads_nothing_where_the_columns_are_not_what_they_have_to_be) {
    EXPECT_EQ(unreadable(csv("key,\"status\nk,x\n")),
              "1: a quote is not closed, or stands where none may");
    EXPECT_EQ(unreadable(csv("\r\n\nstatus,time\nx,2026-12-01T12:00:00Z\n")),
              "3: there is no column 'key'");
    EXPECT_EQ(unreadable(csv("")), "none");
}

TEST(ProviderLog, reads_csv_as_rfc_4180_has_it) {
    const ProviderLog log = csv(
        "\xEF\xBB\xBFkey,note,status,time\r\n"
        "\"k,\"\"1\"\"\",\"two\r\nlines, \"\"quoted\"\"\",\"succeeded\",2026-12-01T12:00:00Z\r\n"
        "k-2,a \"b\" c,succeeded,2026-12-01T12:00:00Z\r\n"
        "k-3,\"\",succeeded,2026-12-01T12:00:00Z");
    ASSERT_EQ(log.entries.size(), 2U);
    EXPECT_EQ(log.entries[0].key, "k,\"1\"");
    EXPECT_EQ(log.entries[1].key, "k-3");
    EXPECT_EQ(fault_of(log), "4: a quote is not closed, or stands where none may");
}

TEST(ProviderLog, passes_over_a_byte_order_mark) {
    EXPECT_EQ(json("\xEF\xBB\xBF"
                   R"({"key":"k","status":"x","time":"2026-12-01T12:00:00Z"})")
                  .entries.size(),
              1U);
    EXPECT_EQ(guess_log_form("\xEF\xBB\xBF {}"), LogForm::json_lines);
    EXPECT_EQ(guess_log_form("\xEF\xBB\xBFkey,{}"), LogForm::csv);
    EXPECT_EQ(guess_log_form(""), LogForm::csv);
}

TEST(ProviderLog, loses_one_line_by_a_quote_that_is_not_closed) {
    const std::string good = "k,x,2026-12-01T12:00:00Z\n";
    const ProviderLog log = csv("key,status,time\n\"open,x\n" + good + good + "k,\"open\n" + good);
    EXPECT_EQ(log.entries.size(), 3U);
    ASSERT_EQ(log.faults.size(), 2U);
    EXPECT_EQ(log.faults[0].line, 2U);
    EXPECT_EQ(log.faults[1].line, 5U);
}

TEST(ProviderLog, tells_broken_csv) {
    EXPECT_EQ(fault_of(csv("key,status,time\na,b\n")),
              "2: it has 2 fields, and the first line names 3");
    EXPECT_EQ(fault_of(csv("key,status,time\n\"a\"b,c,d\n")),
              "2: a quote is not closed, or stands where none may");
    EXPECT_EQ(fault_of(csv("key,status,time\n,x,2026-12-01T12:00:00Z\n")), "2: it has no key");
    EXPECT_TRUE(csv("").entries.empty());
}

RC_GTEST_PROP(ProviderLog, reads_or_tells_every_line_whatever_it_is, ()) {  // a line is swallowed
    const auto lines = *rc::gen::container<std::vector<std::string>>(
        rc::gen::nonEmpty(rc::gen::container<std::string>(
            rc::gen::element('{', '}', '"', ',', ':', 'k', '1', ' ', '\\', '\xff'))));
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    const ProviderLog log = json(text);
    RC_ASSERT(log.entries.size() + log.faults.size() == lines.size());
    std::replace(text.begin(), text.end(), '"', ';');
    const ProviderLog rows = csv("key,status,time\n" + text);
    RC_ASSERT(rows.entries.size() + rows.faults.size() == lines.size());
}

std::string quoted(const std::string& field) {
    std::string text{"\""};
    for (const char one : field) text += one == '"' ? "\"\"" : std::string{one};
    return text + "\"";
}

RC_GTEST_PROP(ProviderLog, reads_back_whatever_is_quoted, ()) {  // a doubled quote is left out
    const auto fields = *rc::gen::container<std::vector<std::string>>(rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::element('"', ',', '\r', '\n', 'k', ' ', '\xff'))));
    const std::string line_end = *rc::gen::element<std::string>("\n", "\r\n");
    std::string text = "status,key,time,note" + line_end;
    std::vector<std::string> keys;
    for (const std::string& field : fields) {
        text += "x," + quoted(field) + ",2026-12-01T12:00:00Z," + quoted(field) + line_end;
    }
    const ProviderLog log = csv(text);
    RC_ASSERT(log.faults.empty());
    for (const ProviderEntry& one : log.entries) keys.push_back(one.key);
    RC_ASSERT(keys == fields);
}

}  // namespace
}  // namespace counterfoil
