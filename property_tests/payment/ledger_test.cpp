#include <stdexcept>
#include <string>

#include <counterfoil/provider_log.hpp>
#include <gtest/gtest.h>
#include <ledger.hpp>

#include "sqlite/kit.hpp"

namespace payments {
namespace {

namespace cf = counterfoil;

class LedgerTest : public testing::Test {
protected:
    [[nodiscard]] cf::ProviderLog written() const {
        return cf::read_provider_log(cf::kit::bytes_of(file), cf::LogForm::json_lines,
                                     {"succeeded"});
    }

    [[nodiscard]] std::size_t lines() const { return written().entries.size(); }

    cf::kit::Scratch scratch;
    std::filesystem::path file{scratch.file("provider.jsonl")};
    Money money{"12.50", "EUR"};
};

TEST_F(LedgerTest, a_line_is_what_reconciliation_reads) {
    Ledger ledger{file};
    EXPECT_EQ(ledger.enter("k\"1", money, ProviderStatus::succeeded, Dedupe::on),
              ProviderStatus::succeeded);
    const cf::ProviderLog log = written();
    ASSERT_EQ(log.entries.size(), 1U);
    EXPECT_TRUE(log.faults.empty());
    EXPECT_EQ(log.entries[0].key, "k\"1");
    EXPECT_EQ(log.entries[0].standing, cf::Standing::applied);
    EXPECT_EQ(log.entries[0].money, (cf::Money{cf::exact_amount("12.5"), "EUR"}));
}

TEST_F(LedgerTest, a_known_key_is_answered_as_it_was_first_where_it_dedupes) {
    Ledger ledger{file};
    static_cast<void>(ledger.enter("k", money, ProviderStatus::refused, Dedupe::on));
    EXPECT_EQ(ledger.enter("k", money, ProviderStatus::succeeded, Dedupe::on),
              ProviderStatus::refused);
    EXPECT_EQ(lines(), 1U);
    EXPECT_EQ(ledger.enter("k", money, ProviderStatus::succeeded, Dedupe::off),
              ProviderStatus::succeeded);
    EXPECT_EQ(lines(), 2U);
}

TEST_F(LedgerTest, what_is_known_outlives_the_process) {
    static_cast<void>(Ledger{file}.enter("k", money, ProviderStatus::refused, Dedupe::on));
    Ledger ledger{file};
    EXPECT_EQ(ledger.enter("k", money, ProviderStatus::succeeded, Dedupe::on),
              ProviderStatus::refused);
}

TEST_F(LedgerTest, a_line_that_was_cut_off_goes) {
    static_cast<void>(Ledger{file}.enter("k", money, ProviderStatus::succeeded, Dedupe::on));
    const std::string whole = cf::kit::bytes_of(file);
    cf::kit::write_bytes(file, whole + R"({"key":"other","status":"succ)");
    Ledger ledger{file};
    EXPECT_EQ(cf::kit::bytes_of(file), whole);
    static_cast<void>(ledger.enter("other", money, ProviderStatus::succeeded, Dedupe::on));
    EXPECT_EQ(lines(), 2U);
    EXPECT_TRUE(written().faults.empty());
}

TEST_F(LedgerTest, a_line_that_can_not_be_read_is_not_passed_over) {
    cf::kit::write_bytes(file, "nonsense\n");
    EXPECT_THROW(Ledger{file}, std::runtime_error);
}

}  // namespace
}  // namespace payments
