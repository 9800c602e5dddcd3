#include "counterfoil/provider_log.hpp"

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
    EXPECT_EQ(between(R"({"key":"a","status":"x","time":"noon\n"})"),
              "2: time 'noon\\n' is no RFC 3339 in UTC");
}

TEST(ProviderLog, tells_broken_csv) {
    EXPECT_EQ(fault_of(csv("key,\"status\n")), "1: the columns can't be read");
    EXPECT_EQ(fault_of(csv("key,status,time\na,b\n")),
              "2: it has 2 fields, and the first line names 3");
    EXPECT_EQ(fault_of(csv("key,status,time\n\"a\"b,c,d\n")),
              "2: a quote is not closed, or text stands behind it");
    EXPECT_EQ(fault_of(csv("status,time\nx,2026-12-01T12:00:00Z\n")), "2: it has no key");
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
    const ProviderLog rows = csv("key,status,time\n" + text);
    RC_ASSERT(rows.entries.size() + rows.faults.size() == lines.size());
}

}  // namespace
}  // namespace counterfoil
