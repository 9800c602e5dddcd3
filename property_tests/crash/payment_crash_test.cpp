#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <child.hpp>
#include <counterfoil/reconcile.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/store/claim_reply.hpp>
#include <gtest/gtest.h>
#include <policies.hpp>
#include <running_provider.hpp>
#include <service.hpp>
#include <step.hpp>
#include <sys/wait.h>

#include "sqlite/kit.hpp"

namespace counterfoil {
namespace {

using payments::Dedupe;

constexpr std::uint64_t kills_in_the_normal_run = 320;  // of both runs together
constexpr int rounds_a_file = 5;
constexpr int keys_a_round = 8;
constexpr Span lease = std::chrono::milliseconds{100};
/// For the lease of whoever was killed to be over, however slow the machine is.
constexpr Wait as_long_as_it_takes{.at_most = std::chrono::hours{1}};
constexpr std::array before_the_answer{"before_claim", "claimed", "checkpointed", "sent"};
constexpr std::array all_steps{"before_claim", "claimed",     "checkpointed", "sent",
                               "charged",      "row_written", "completed"};

/// What happens to the provider in a round.
enum class Provider { answers, is_silent, is_killed };

std::string told(const payments::Told& told) {
    return std::to_string(told.answer.status) + " " + payments::body_of(told.answer);
}

bool is_killed(int status) {
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/// A process that pays, and the step at which it kills itself; where there is none it is killed
/// from outside.
struct Worker {
    std::unique_ptr<payments::Child> process;
    std::string step;
};

/// One file and one provider: what was paid, and what is to be true of it in the end.
class Bank {
public:
    Bank(const std::filesystem::path& folder, std::string operation, Dedupe dedupe)
        : file_{made(folder) / "payments.db"},
          operation_{std::move(operation)},
          provider{COUNTERFOIL_PROVIDER, folder, dedupe} {}

    std::unique_ptr<payments::Child> worker(const std::string& step, int times) const {
        std::vector<std::string> words{COUNTERFOIL_PAYMENT_WORKER, file_.string(),
                                       COUNTERFOIL_PAYMENT_POLICY, provider.socket().string(),
                                       std::to_string(lease / std::chrono::milliseconds{1}) + "ms"};
        if (!step.empty()) words.insert(words.end(), {step, std::to_string(times)});
        return std::make_unique<payments::Child>(words);
    }

    [[nodiscard]] std::string request(const std::string& key) const {
        return operation_ + "\tacme\t" + key + '\t' + body + '\n';
    }

    /// Made after the workers, whose file it is.
    std::unique_ptr<payments::PaymentService> service() const {
        return std::make_unique<payments::PaymentService>(
            file_, payments::ServiceSettings{
                       .policies = payments::with_leases(
                           payments::policies_from(COUNTERFOIL_PAYMENT_POLICY), lease),
                       .provider = provider.socket()});
    }

    payments::Told pay(payments::PaymentService& service, const std::string& key) const {
        return service.pay({.tenant = "acme", .operation = operation_, .key = key, .body = body},
                           as_long_as_it_takes);
    }

    [[nodiscard]] Scope scope(const std::string& key) const {
        return payments::scope_of("acme", operation_, key);
    }

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

    /// Downstream keys that the provider has charged for more than once.
    [[nodiscard]] std::vector<std::string> charged_twice() const {
        std::map<std::string, int> charges;
        for (const ProviderEntry& entry : provider.log().entries) ++charges[entry.key];
        std::vector<std::string> twice;
        for (const auto& [key, count] : charges) {
            if (count > 1) twice.push_back(key);
        }
        return twice;
    }

    /// The receipts beside the provider's log.
    [[nodiscard]] Reconciliation reconciled() const {
        std::vector<OurEffect> ours;
        sqlite::Reader reader{file_};
        constexpr int all = 10'000;
        for (const sqlite::ListedReceipt& listed : reader.list({}, std::nullopt, all)) {
            EXPECT_TRUE(listed.receipt.has_value()) << listed.fault;
            if (listed.receipt) ours.push_back(effect_of(*listed.receipt, operation_));
        }
        return reconcile(ours, provider.log().entries, Instant::max(), Span{});
    }

    /// Every key has one charge, one row and one completed receipt, and nothing else is there.
    void expect_one_of_each(std::size_t keys) const {
        EXPECT_TRUE(provider.log().faults.empty());
        EXPECT_EQ(charged_twice(), std::vector<std::string>{});
        EXPECT_EQ(static_cast<std::size_t>(provider.charges()), keys);
        const auto count = static_cast<std::int64_t>(keys);
        EXPECT_EQ(kit::number(file_, "SELECT count(*) FROM charges"), count);
        EXPECT_EQ(kit::number(file_, "SELECT count(*) FROM receipts"), count);
        EXPECT_EQ(kit::number(file_, "SELECT count(*) FROM receipts WHERE state = 'completed'"),
                  count);
        const Reconciliation found = reconciled();
        EXPECT_FALSE(found.has_findings());
        EXPECT_EQ(found.matched.size(), keys);
        std::set<std::string> charged;
        for (const ProviderEntry& entry : provider.log().entries) charged.insert(entry.key);
        std::string sorted;
        for (const std::string& key : charged) sorted += key + "\n";
        EXPECT_EQ(kit::text(file_,
                            "SELECT coalesce(group_concat(key || char(10), ''), '') FROM "
                            "(SELECT key FROM charges ORDER BY key)"),
                  sorted);
        EXPECT_EQ(kit::text(file_, "PRAGMA integrity_check"), "ok");
    }

private:
    static std::filesystem::path made(const std::filesystem::path& folder) {
        std::filesystem::create_directory(folder);
        return folder;
    }

    static constexpr const char* body = R"({"amount":"12.50","currency":"EUR"})";

    std::filesystem::path file_;
    std::string operation_;

public:
    payments::RunningProvider provider;
};

/// Two processes at a time that pay with the same keys or with their own, each killed at a step or
/// at a moment of its own; the provider answers, is silent or is killed as well.
class PaymentCrashRuns : public testing::Test {
protected:
    void run(const std::string& operation, Dedupe dedupe) {
        const std::uint64_t most =
            kit::from_environment("COUNTERFOIL_KILLS", kills_in_the_normal_run) / 2;
        std::cout << "COUNTERFOIL_SEED=" << seed << " COUNTERFOIL_KILLS=" << 2 * most << std::endl;
        for (int files = 0; kills < most && !HasFailure(); ++files) {
            Bank bank{scratch.file("bank-" + std::to_string(files)), operation, dedupe};
            acknowledged.clear();
            for (int left = rounds_a_file; left > 0 && !HasFailure(); --left) round(bank);
            settle(bank);
        }
        std::cout << kills << " kills";
        for (const auto& [step, count] : kills_at) std::cout << ", " << count << " at " << step;
        std::cout << "; " << answers_before_a_kill << " answers before a kill, " << taken_over
                  << " taken over, " << ruled_applied << " and " << ruled_not_applied
                  << " ruled applied and not applied" << std::endl;
        // Kills that never meet a payment under way would prove nothing.
        EXPECT_GT(answers_before_a_kill, 0U);
        for (const char* step : all_steps) EXPECT_GT(kills_at[step], 0) << step;
        EXPECT_GT(kills_at["a moment"], 0);
    }

    void round(Bank& bank) {
        const std::string prefix = std::to_string(++rounds) + "-";
        const Provider provider = draw(4) == 0   ? Provider::is_silent
                                  : draw(6) == 0 ? Provider::is_killed
                                                 : Provider::answers;
        bank.provider.mode(provider == Provider::is_silent ? "silent" : "answer");
        const bool shared = draw(2) == 0;
        std::vector<Worker> workers;
        for (const char* own : {"a", "b"}) {
            std::vector<std::string> keys;
            for (int number = 0; number < keys_a_round; ++number) {
                keys.push_back(prefix + (shared ? "" : own) + std::to_string(number));
            }
            acknowledge_none_of(keys);
            if (*own == 'b') std::reverse(keys.begin(), keys.end());
            workers.push_back(started(bank, keys, provider));
        }
        if (provider == Provider::is_killed) {
            pause(30'000);
            bank.provider.kill();
            bank.provider.start();
        }
        for (Worker& worker : workers) end(worker);
    }

    Worker started(Bank& bank, const std::vector<std::string>& keys, Provider provider) {
        Worker worker;
        if (draw(2) == 0) {
            const std::uint64_t turn = next_step++;
            worker.step = provider == Provider::is_silent
                              ? before_the_answer[turn % before_the_answer.size()]
                              : all_steps[turn % all_steps.size()];
        }
        worker.process = bank.worker(worker.step, 1 + static_cast<int>(draw(3)));
        for (const std::string& key : keys) worker.process->write(bank.request(key));
        // One that doesn't get to its step ends by itself.
        if (!worker.step.empty()) worker.process->end_input();
        return worker;
    }

    void end(Worker& worker) {
        if (worker.step.empty()) {
            const std::uint64_t answers = draw(keys_a_round);
            for (std::uint64_t heard = 0; heard < answers; ++heard) {
                if (const auto line = worker.process->read_line()) note(*line);
            }
            pause(answers == 0 ? 30'000 : 8'000);
            worker.process->kill();
        }
        while (const std::optional<std::string> line = worker.process->read_line()) note(*line);
        const int status = worker.process->wait();
        EXPECT_TRUE(is_killed(status) || (!worker.step.empty() && status == 0)) << status;
        if (!is_killed(status)) return;
        ++kills;
        ++kills_at[worker.step.empty() ? "a moment" : worker.step];
    }

    void acknowledge_none_of(const std::vector<std::string>& keys) {
        for (const std::string& key : keys) acknowledged.emplace(key, "");
    }

    /// `key TAB status SP body`. What is no answer for good may be another the next time.
    void note(const std::string& line) {
        const std::size_t tab = line.find('\t');
        const std::string answer = line.substr(tab + 1);
        ++answers_before_a_kill;
        if (answer.rfind("201 ", 0) != 0) {
            const std::string status = answer.substr(0, 4);
            EXPECT_TRUE(status == "409 " || status == "503 " || status == "504 ") << line;
            return;
        }
        std::string& known = acknowledged[line.substr(0, tab)];
        if (known.empty()) known = answer;
        EXPECT_EQ(answer, known) << line;
    }

    /// Nobody works any more; every key again, until it has an answer for good.
    void settle(Bank& bank) {
        // What a dead worker has sent and nobody has read is gone with the provider's sockets.
        bank.provider.stop();
        bank.provider.start();
        EXPECT_EQ(bank.charged_twice(), std::vector<std::string>{});
        const std::unique_ptr<payments::PaymentService> service = bank.service();
        for (auto& [key, answer] : acknowledged) {
            payments::Told last = bank.pay(*service, key);
            if (last.by == "take_over") ++taken_over;
            if (last.by == "unknown") {
                EXPECT_EQ(answer, "") << key << " was answered, and is unknown";
                rule(bank, *service, key);
                last = bank.pay(*service, key);
            }
            EXPECT_EQ(last.answer.status, 201) << key << ": " << told(last) << " by " << last.by;
            EXPECT_TRUE(answer.empty() || told(last) == answer) << key << ": " << told(last);
            EXPECT_EQ(told(bank.pay(*service, key)), told(last)) << key;
        }
        bank.expect_one_of_each(acknowledged.size());
    }

    /// As an operator does who reads the provider's log.
    void rule(Bank& bank, payments::PaymentService& service, const std::string& key) {
        const std::int64_t rows = service.rows();
        const std::string ruled{word(service.rule(bank.scope(key), bank.provider.log(), "anna"))};
        const bool applied = ruled == "resolved_applied";
        EXPECT_TRUE(applied || ruled == "resolved_not_applied") << key << ": " << ruled;
        EXPECT_EQ(service.rows(), rows + (applied ? 1 : 0)) << key;
        ++(applied ? ruled_applied : ruled_not_applied);
    }

    void pause(std::uint64_t at_most_us) {
        std::this_thread::sleep_for(std::chrono::microseconds{draw(at_most_us)});
    }

    std::uint64_t draw(std::uint64_t sides) { return random() % sides; }

    const std::uint64_t seed{kit::from_environment("COUNTERFOIL_SEED", std::random_device{}())};
    std::mt19937_64 random{seed};
    kit::Scratch scratch;
    std::map<std::string, std::string> acknowledged;  // by key; empty where nobody was told
    std::map<std::string, int> kills_at;
    std::uint64_t next_step{};
    std::uint64_t rounds{};
    std::uint64_t kills{};
    std::uint64_t answers_before_a_kill{};
    std::uint64_t taken_over{};
    std::uint64_t ruled_applied{};
    std::uint64_t ruled_not_applied{};
};

TEST_F(PaymentCrashRuns, one_charge_one_row_one_answer_where_the_provider_dedupes) {
    run("charge", Dedupe::on);
    EXPECT_GT(taken_over, 0U);
    EXPECT_EQ(ruled_applied + ruled_not_applied, 0U);
}

TEST_F(PaymentCrashRuns, no_second_charge_where_it_does_not_and_what_is_unknown_is_resolved) {
    run("transfer", Dedupe::off);
    EXPECT_EQ(taken_over, 0U);
    EXPECT_GT(ruled_applied, 0U);
    EXPECT_GT(ruled_not_applied, 0U);
}

/// Whether these runs could see a second charge: here is one, since nothing keeps it away.
TEST_F(PaymentCrashRuns, a_takeover_charges_again_where_the_provider_does_not_dedupe) {
    Bank bank{scratch.file("bank"), "charge", Dedupe::off};
    const std::unique_ptr<payments::Child> worker = bank.worker("charged", 1);
    worker->write(bank.request("k"));
    EXPECT_TRUE(is_killed(worker->wait()));
    EXPECT_EQ(bank.pay(*bank.service(), "k").by, "take_over");
    EXPECT_EQ(bank.charged_twice().size(), 1U);
    const Reconciliation found = bank.reconciled();
    ASSERT_EQ(found.differing.size(), 1U);
    EXPECT_EQ(found.differing.front().differs,
              std::vector<Difference>{Difference::applied_more_often});
}

}  // namespace
}  // namespace counterfoil
