#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <child.hpp>
#include <counterfoil/intent.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/store/claim_reply.hpp>
#include <counterfoil/words.hpp>
#include <gtest/gtest.h>
#include <policies.hpp>
#include <running_provider.hpp>
#include <service.hpp>
#include <sys/wait.h>

#include "sqlite/kit.hpp"

namespace payments {
namespace {

namespace cf = counterfoil;
using namespace std::chrono_literals;

constexpr std::string_view coffee = R"({"amount":"12.50","currency":"EUR"})";

/// A clock that runs, and is set forward where a lease is to be over.
class TestClock final : public cf::Clock {
public:
    [[nodiscard]] cf::Instant now() override { return cf::system_clock().now() + later_; }

    void later(cf::Span by) { later_ += by; }

private:
    cf::Span later_{0};
};

/// The service with leases of the policy file, which are longer than any test takes.
class ServiceTest : public testing::Test {
protected:
    Told pay(std::string_view operation, std::string_view key, std::string_view body = coffee) {
        return service.pay({.tenant = "acme", .operation = operation, .key = key, .body = body});
    }

    static std::string said(const Told& told) {
        return std::to_string(told.answer.status) + " " + body_of(told.answer);
    }

    [[nodiscard]] std::string state(std::string_view operation, std::string_view key) {
        const auto receipt = service.store().find(scope_of("acme", operation, key));
        return receipt ? std::string{cf::word(receipt->state)} : "none";
    }

    [[nodiscard]] std::int64_t receipts() const {
        return cf::kit::number(file, "SELECT count(*) FROM receipts");
    }

    void lapse() { clock.later(1min); }

    std::string ruled(std::string_view operation, std::string_view key) {
        return std::string{
            cf::word(service.rule(scope_of("acme", operation, key), provider.log(), "anna"))};
    }

    cf::kit::Scratch scratch;
    std::filesystem::path file{scratch.file("payments.db")};
    RunningProvider provider{COUNTERFOIL_PROVIDER, file.parent_path(), Dedupe::on};
    TestClock clock;
    PaymentService service{file,
                           {.policies = policies_from(COUNTERFOIL_PAYMENT_POLICY),
                            .provider = provider.socket(),
                            .patience = 1h,
                            .clock = &clock}};
};

TEST_F(ServiceTest, what_is_refused_at_once_leaves_nothing) {
    EXPECT_EQ(said(service.pay(
                  {.tenant = "acme", .operation = "charge", .key = std::nullopt, .body = coffee})),
              R"(400 {"error":"key_required"})");
    EXPECT_EQ(said(pay("charge", "")), R"(400 {"error":"invalid_key"})");
    EXPECT_EQ(said(pay("charge", std::string(129, 'k'))), R"(400 {"error":"invalid_key"})");
    EXPECT_EQ(said(service.pay({.tenant = "", .operation = "charge", .key = "k", .body = coffee})),
              R"(400 {"error":"invalid_key"})");
    EXPECT_EQ(said(pay("charge", "k", "{}")), R"(400 {"error":"invalid_body"})");
    EXPECT_EQ(said(pay("refund", "k")), R"(404 {"error":"unknown_operation"})");
    EXPECT_EQ(receipts(), 0);
    EXPECT_EQ(service.rows(), 0);
    EXPECT_EQ(provider.charges(), 0);
}

TEST_F(ServiceTest, a_retry_gets_the_same_bytes_and_other_bytes_are_a_conflict) {
    const Told first = pay("charge", "k");
    EXPECT_EQ(first.answer.status, 201);
    const Told again = pay("charge", "k");
    EXPECT_EQ(again.by, "replay");
    EXPECT_EQ(again.answer, first.answer);
    EXPECT_EQ(said(pay("charge", "k", R"({"amount":"12.51","currency":"EUR"})")),
              R"(422 {"error":"conflict"})");
    EXPECT_EQ(said(pay("charge", "k", R"({"amount":"12.50", "currency":"EUR"})")),
              R"(422 {"error":"conflict"})")
        << "the body is compared byte by byte";
    EXPECT_EQ(provider.charges(), 1);
}

TEST_F(ServiceTest, the_answer_has_the_key_that_the_provider_was_called_by) {
    const Told paid = pay("transfer", "k");
    const std::string key = provider.log().entries.at(0).key;
    EXPECT_EQ(said(paid), R"(201 {"charge":")" + key + R"(","amount":"12.50","currency":"EUR"})");
    EXPECT_EQ(paid.answer.reference, key);
    EXPECT_EQ(cf::kit::text(file, "SELECT key || ' ' || client_key || ' ' || amount FROM charges"),
              key + " k 12.50");
}

TEST_F(ServiceTest, a_key_that_is_being_worked_on_is_told_when_to_ask_again) {
    const cf::ClaimReply held =
        service.store().claim({scope_of("acme", "charge", "k"), cf::intent::Bytes{coffee}});
    ASSERT_TRUE(std::holds_alternative<cf::reply::Claimed>(held));
    const Told told = pay("charge", "k");
    EXPECT_EQ(said(told), R"(409 {"error":"in_progress"})");
    EXPECT_EQ(told.answer.fields.back().name, "Retry-After");
    EXPECT_EQ(provider.charges(), 0);
}

TEST_F(ServiceTest, a_refusal_is_the_answer_from_then_on) {
    provider.mode("refuse");
    EXPECT_EQ(said(pay("charge", "k")), R"(402 {"error":"refused"})");
    provider.mode("answer");
    EXPECT_EQ(said(pay("charge", "k")), R"(402 {"error":"refused"})");
    EXPECT_EQ(service.rows(), 0);
    EXPECT_EQ(provider.charges(), 0);
}

TEST_F(ServiceTest, a_provider_that_is_away_frees_the_key_of_a_first_attempt) {
    provider.stop();
    EXPECT_EQ(said(pay("transfer", "k")), R"(503 {"error":"provider_away"})");
    EXPECT_EQ(state("transfer", "k"), "none");
}

TEST_F(ServiceTest, a_provider_that_is_away_frees_no_key_that_was_taken_over) {
    provider.mode("silent");
    EXPECT_EQ(said(pay("charge", "k")), R"(504 {"error":"no_answer"})");
    provider.stop();
    lapse();
    EXPECT_EQ(said(pay("charge", "k")), R"(503 {"error":"provider_away"})");
    EXPECT_EQ(state("charge", "k"), "in_progress");
    provider.start();
    lapse();
    EXPECT_EQ(pay("charge", "k").answer.status, 201);
    EXPECT_EQ(provider.charges(), 1);
}

TEST_F(ServiceTest, a_charge_whose_row_can_not_be_written_is_taken_over) {
    static_cast<void>(service.rows());  // the table is there
    cf::kit::execute(file,
                     "CREATE TRIGGER broken BEFORE INSERT ON charges BEGIN "
                     "SELECT raise(ABORT, 'no row'); END");
    EXPECT_EQ(said(pay("charge", "k")), R"(503 {"error":"unavailable"})");
    EXPECT_EQ(state("charge", "k"), "in_progress");
    EXPECT_EQ(said(pay("transfer", "k")), R"(503 {"error":"unavailable"})");
    EXPECT_EQ(state("transfer", "k"), "unknown");
    cf::kit::execute(file, "DROP TRIGGER broken");
    lapse();
    EXPECT_EQ(pay("charge", "k").by, "take_over");
    EXPECT_EQ(ruled("transfer", "k"), "resolved_applied");
    EXPECT_EQ(pay("transfer", "k").by, "replay");
    EXPECT_EQ(provider.charges(), 2);
    EXPECT_EQ(service.rows(), 2);
}

TEST_F(ServiceTest, a_ruling_is_by_the_log_and_leaves_what_the_worker_would_have) {
    provider.mode("silent");
    EXPECT_EQ(said(pay("transfer", "k")), R"(504 {"error":"no_answer"})");
    EXPECT_EQ(said(pay("transfer", "k")), R"(409 {"error":"unknown"})");
    EXPECT_EQ(ruled("transfer", "k"), "resolved_applied");
    const std::string key = provider.log().entries.at(0).key;
    EXPECT_EQ(said(pay("transfer", "k")),
              R"(201 {"charge":")" + key + R"(","amount":"12.50","currency":"EUR"})");
    EXPECT_EQ(service.rows(), 1);
    const auto resolutions =
        cf::sqlite::Reader{file}.resolutions(scope_of("acme", "transfer", "k"));
    ASSERT_EQ(resolutions.size(), 1U);
    EXPECT_EQ(resolutions[0].by, "anna");
    EXPECT_EQ(resolutions[0].evidence, "the provider's log says succeeded of " + key);
    EXPECT_EQ(ruled("transfer", "k"), "already_completed");
    EXPECT_EQ(service.rows(), 1);
}

TEST_F(ServiceTest, a_ruling_on_what_the_log_does_not_have_frees_the_key) {
    provider.mode("die");
    EXPECT_EQ(said(pay("transfer", "k")), R"(504 {"error":"no_answer"})");
    EXPECT_EQ(ruled("transfer", "k"), "resolved_not_applied");
    EXPECT_EQ(state("transfer", "k"), "none");
    EXPECT_EQ(ruled("transfer", "k"), "lost");
    EXPECT_EQ(service.rows(), 0);
}

TEST_F(ServiceTest, a_ruling_takes_no_line_that_can_not_be_read_for_nothing) {
    provider.mode("silent");
    EXPECT_EQ(pay("transfer", "k").answer.status, 504);
    const cf::ProviderLog whole = provider.log();
    const auto rule_by = [&](const cf::ProviderLog& log) {
        return std::string{cf::word(service.rule(scope_of("acme", "transfer", "k"), log, "anna"))};
    };
    cf::ProviderLog broken;
    broken.faults.push_back({1, "amount '12,50' is no decimal number"});
    EXPECT_THROW(rule_by(broken), std::runtime_error);
    cf::ProviderLog unreadable;
    unreadable.unreadable = broken.faults.front();
    EXPECT_THROW(rule_by(unreadable), std::runtime_error);
    broken.entries = whole.entries;
    broken.entries.at(0).standing = cf::Standing::not_applied;
    EXPECT_THROW(rule_by(broken), std::runtime_error);
    EXPECT_EQ(state("transfer", "k"), "unknown");
    broken.entries = whole.entries;
    EXPECT_EQ(rule_by(broken), "resolved_applied");
}

TEST_F(ServiceTest, a_ruling_waits_for_the_lease) {
    provider.mode("silent");
    EXPECT_EQ(pay("charge", "k").by, "no_answer");
    EXPECT_EQ(ruled("charge", "k"), "still_held");
    EXPECT_EQ(service.rows(), 0);
    lapse();
    EXPECT_EQ(ruled("charge", "k"), "resolved_applied");
    EXPECT_EQ(service.rows(), 1);
}

TEST_F(ServiceTest, a_ruling_keeps_a_refusal_that_nobody_heard_of) {
    provider.mode("refuse");
    Child worker{{COUNTERFOIL_PAYMENT_WORKER, file.string(), COUNTERFOIL_PAYMENT_POLICY,
                  provider.socket().string(), "30s", "charged"}};
    worker.write("transfer\tacme\tk\t" + std::string{coffee} + '\n');
    const int status = worker.wait();
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    lapse();
    EXPECT_EQ(said(pay("transfer", "k")), R"(409 {"error":"unknown"})");
    EXPECT_EQ(ruled("transfer", "k"), "resolved_applied");
    EXPECT_EQ(said(pay("transfer", "k")), R"(402 {"error":"refused"})");
    EXPECT_EQ(service.rows(), 0);
}

TEST_F(ServiceTest, every_attempt_is_recorded) {
    static_cast<void>(service.pay({.tenant = "acme",
                                   .operation = "charge",
                                   .key = "k",
                                   .body = coffee,
                                   .request_id = "request-1"}));
    static_cast<void>(pay("charge", "k"));
    service.store().flush_attempts();
    std::vector<std::string> calls;
    for (const cf::sqlite::Attempt& attempt :
         cf::sqlite::Reader{file}.attempts(scope_of("acme", "charge", "k"), 10)) {
        calls.push_back(attempt.request_id + " " + attempt.call + " " + attempt.reply);
    }
    const std::vector<std::string> expected{"request-1 claim create",
                                            "request-1 checkpoint checkpointed",
                                            "request-1 complete completed", " claim replay"};
    EXPECT_EQ(calls, expected);
}

TEST_F(ServiceTest, the_worker_is_the_service_as_a_program) {
    Child worker{{COUNTERFOIL_PAYMENT_WORKER, file.string(), COUNTERFOIL_PAYMENT_POLICY,
                  provider.socket().string()}};
    worker.write("charge\tacme\tk\t" + std::string{coffee} + "\ncharge\tacme\t\t{}\nnonsense\n");
    const std::optional<std::string> paid = worker.read_line();
    EXPECT_EQ(paid, "k\t" + said(pay("charge", "k")));
    EXPECT_EQ(worker.read_line(), "\t400 {\"error\":\"key_required\"}");
    EXPECT_EQ(worker.read_line(), "\t404 {\"error\":\"unknown_operation\"}");
    EXPECT_EQ(worker.wait(), 0);
}

}  // namespace
}  // namespace payments
