// payment_lab POLICY FOLDER: what becomes of a payment when a party fails, a line each.
//
// It starts the provider as a program of its own, tells it what to do wrong, and kills workers.
// FOLDER, which must not be there yet, keeps payments.db and provider.jsonl. After each experiment
// it says how often the provider has charged, how many rows there are, and what the receipt is.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <counterfoil/receipt.hpp>
#include <counterfoil/reconcile.hpp>
#include <counterfoil/sqlite/reader.hpp>
#include <counterfoil/store/claim_reply.hpp>
#include <counterfoil/words.hpp>
#include <sys/wait.h>

#include "child.hpp"
#include "policies.hpp"
#include "running_provider.hpp"
#include "service.hpp"

namespace {

namespace cf = counterfoil;
using namespace std::chrono_literals;

constexpr std::string_view coffee = R"({"amount":"12.50","currency":"EUR"})";
constexpr std::string_view more_coffee = R"({"amount":"25.00","currency":"EUR"})";
constexpr cf::Span short_lease = 300ms;
constexpr std::chrono::milliseconds for_ever = std::chrono::hours{1};
/// For a twin's lease to be over, however slow the machine is.
constexpr cf::Wait as_long_as_it_takes{.at_most = std::chrono::hours{1}};

struct Programs {
    std::filesystem::path provider;
    std::filesystem::path worker;
    std::filesystem::path policy;
};

/// The system's clock, moved on as the story goes.
class StoryClock final : public cf::Clock {
public:
    [[nodiscard]] cf::Instant now() override { return cf::system_clock().now() + later_; }

    void later(cf::Span by) { later_ += by; }

private:
    cf::Span later_{0};
};

std::string outcome(const payments::Told& told) {
    return std::to_string(told.answer.status) + " (" + told.by + ")";
}

/// One file, one provider, and what is told of them.
class Lab {
public:
    Lab(Programs programs, std::filesystem::path folder, cf::Span lease, cf::Clock& clock)
        : programs_{std::move(programs)},
          folder_{made(std::move(folder))},
          lease_{lease},
          policies_{payments::with_leases(payments::policies_from(programs_.policy), lease)},
          provider{programs_.provider, folder_, payments::Dedupe::on},
          service_{folder_ / "payments.db",
                   {.policies = policies_,
                    .provider = provider.socket(),
                    .patience = for_ever,
                    .clock = &clock}} {}

    payments::Told pay(std::string_view operation, std::string_view key, std::string_view body,
                       const cf::Wait& wait = {}) {
        return service_.pay({.tenant = "acme", .operation = operation, .key = key, .body = body},
                            wait);
    }

    payments::Told pay_without_key() {
        return service_.pay(
            {.tenant = "acme", .operation = "charge", .key = std::nullopt, .body = coffee});
    }

    /// In a process that gets SIGKILL at a step.
    std::string pay_and_die(std::string_view operation, std::string_view key,
                            std::string_view step) {
        payments::Child worker{{programs_.worker, folder_ / "payments.db", programs_.policy,
                                provider.socket(), std::to_string(lease_ / 1ms) + "ms",
                                std::string{step}}};
        worker.write(std::string{operation} + "\tacme\t" + std::string{key} + '\t' +
                     std::string{coffee} + '\n');
        const int status = worker.wait();
        const bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        return was_killed ? "killed" : "status " + std::to_string(status);
    }

    std::string rule(std::string_view operation, std::string_view key) {
        return std::string{cf::word(
            service_.rule(payments::scope_of("acme", operation, key), provider.log(), "anna"))};
    }

    void report(std::string_view experiment, std::string_view what, std::string_view operation,
                std::string_view key) {
        const std::optional<cf::Receipt> receipt =
            service_.store().find(payments::scope_of("acme", operation, key));
        std::cout << experiment << ": " << what << "; charges=" << provider.charges()
                  << " rows=" << service_.rows()
                  << " receipt=" << (receipt ? cf::word(receipt->state) : "none") << '\n';
    }

    void reconcile() {
        std::vector<cf::OurEffect> ours;
        cf::sqlite::Reader reader{folder_ / "payments.db"};
        constexpr int all = 1'000;
        for (const cf::sqlite::ListedReceipt& listed : reader.list({}, std::nullopt, all)) {
            const cf::Receipt& receipt = listed.receipt.value();
            ours.push_back(cf::effect_of(receipt, receipt.scope.operation.text()));
        }
        const cf::Reconciliation found =
            cf::reconcile(ours, provider.log().entries, cf::Instant::max(), cf::Span{});
        std::cout << "receipts and the provider's log: matched=" << found.matched.size()
                  << " only_ours=" << found.only_ours.size()
                  << " only_theirs=" << found.only_theirs.size()
                  << " differing=" << found.differing.size() << '\n';
    }

    void purge() { service_.store().purge(); }

private:
    static std::filesystem::path made(std::filesystem::path folder) {
        std::filesystem::create_directory(folder);
        return folder;
    }

    Programs programs_;
    std::filesystem::path folder_;
    cf::Span lease_;
    cf::PolicyBook policies_;

public:
    payments::RunningProvider provider;

private:
    payments::PaymentService service_;
};

void answers_and_refusals(Lab& lab) {
    const payments::Told lost = lab.pay("charge", "key-1", coffee);
    const payments::Told again = lab.pay("charge", "key-1", coffee);
    lab.report("answer is lost, retry",
               outcome(again) + (again.answer == lost.answer ? ", the same" : ", another"),
               "charge", "key-1");
    lab.report("another body", outcome(lab.pay("charge", "key-1", more_coffee)), "charge", "key-1");
    lab.report("no key", outcome(lab.pay_without_key()), "charge", "none");

    lab.provider.mode("refuse");
    lab.report("provider refuses", outcome(lab.pay("charge", "key-2", coffee)), "charge", "key-2");
    lab.provider.mode("answer");
    lab.report("retry", outcome(lab.pay("charge", "key-2", coffee)), "charge", "key-2");

    lab.provider.stop();
    lab.report("provider is away", outcome(lab.pay("charge", "key-3", coffee)), "charge", "key-3");
    lab.provider.start();
    lab.report("retry", outcome(lab.pay("charge", "key-3", coffee)), "charge", "key-3");
}

/// It recognises the key that a takeover calls it by.
void a_provider_that_dedupes(Lab& lab) {
    lab.provider.mode("silent");
    lab.report("provider charges and is silent", outcome(lab.pay("charge", "key-4", coffee)),
               "charge", "key-4");
    lab.provider.mode("answer");
    lab.report("retry after the lease",
               outcome(lab.pay("charge", "key-4", coffee, as_long_as_it_takes)), "charge", "key-4");

    lab.report("worker dies after the charge", lab.pay_and_die("charge", "key-5", "charged"),
               "charge", "key-5");
    lab.report("retry after the lease",
               outcome(lab.pay("charge", "key-5", coffee, as_long_as_it_takes)), "charge", "key-5");

    lab.provider.mode("die");
    lab.report("provider dies", outcome(lab.pay("charge", "key-6", coffee)), "charge", "key-6");
    lab.provider.wait_for_its_end();
    lab.provider.start();
    lab.report("retry after the lease",
               outcome(lab.pay("charge", "key-6", coffee, as_long_as_it_takes)), "charge", "key-6");

    const std::int64_t before = lab.provider.charges();
    lab.provider.mode("late");
    payments::Told late;
    std::jthread worker{[&] { late = lab.pay("charge", "key-7", coffee); }};
    while (lab.provider.charges() == before) std::this_thread::sleep_for(1ms);
    lab.provider.mode("answer");
    lab.report("provider is late, retry after the lease",
               outcome(lab.pay("charge", "key-7", coffee, as_long_as_it_takes)), "charge", "key-7");
    lab.provider.let_go();
    worker.join();
    lab.report("the late worker", outcome(late), "charge", "key-7");
}

/// It would charge again, so nobody takes over: an operator reads its log.
void a_provider_that_does_not(Lab& lab) {
    lab.provider.dedupe(payments::Dedupe::off);
    lab.provider.mode("silent");
    lab.report("transfer: provider charges and is silent",
               outcome(lab.pay("transfer", "key-8", coffee)), "transfer", "key-8");
    lab.provider.mode("answer");
    lab.report("retry", outcome(lab.pay("transfer", "key-8", coffee)), "transfer", "key-8");
    lab.report("operator reads the log", lab.rule("transfer", "key-8"), "transfer", "key-8");
    lab.report("retry", outcome(lab.pay("transfer", "key-8", coffee)), "transfer", "key-8");

    lab.report("transfer: worker dies after the charge",
               lab.pay_and_die("transfer", "key-9", "charged"), "transfer", "key-9");
    lab.report("retry after the lease",
               outcome(lab.pay("transfer", "key-9", coffee, as_long_as_it_takes)), "transfer",
               "key-9");
    lab.report("operator reads the log", lab.rule("transfer", "key-9"), "transfer", "key-9");
    lab.report("retry", outcome(lab.pay("transfer", "key-9", coffee)), "transfer", "key-9");

    lab.provider.mode("die");
    lab.report("transfer: provider dies", outcome(lab.pay("transfer", "key-10", coffee)),
               "transfer", "key-10");
    lab.provider.wait_for_its_end();
    lab.provider.start();
    lab.report("operator reads the log", lab.rule("transfer", "key-10"), "transfer", "key-10");
    lab.report("retry", outcome(lab.pay("transfer", "key-10", coffee)), "transfer", "key-10");
}

/// As the policy file says: 48 hours and 90 days, and the stub for longer.
void forgetting(Lab& lab, StoryClock& clock) {
    const auto both = [&](std::string_view when) {
        for (const std::string_view operation : {"charge", "transfer"}) {
            lab.report(std::string{operation} + std::string{when},
                       outcome(lab.pay(operation, "key-1", coffee)), operation, "key-1");
        }
    };
    both(", new");
    clock.later(47h);
    both(" after 47 hours");
    clock.later(1h);
    both(" after 48 hours");
    lab.purge();
    both(" after a purge");
    clock.later(std::chrono::days{88});
    both(" after 90 days");
    clock.later(std::chrono::days{275});
    lab.purge();
    for (const std::string_view operation : {"charge", "transfer"}) {
        lab.report(std::string{operation} + " after 365 days", "purged", operation, "key-1");
    }
}

void run(const Programs& programs, const std::filesystem::path& folder) {
    Lab lab{programs, folder, short_lease, cf::system_clock()};
    answers_and_refusals(lab);
    a_provider_that_dedupes(lab);
    a_provider_that_does_not(lab);
    lab.reconcile();

    StoryClock clock;
    Lab archive{programs, folder / "archive", std::chrono::seconds{30}, clock};
    forgetting(archive, clock);
}

}  // namespace

int main(int count, char** given) {
    const std::vector<std::string> arguments(given, std::next(given, count));
    if (arguments.size() != 3) {
        std::cerr << "usage: payment_lab POLICY FOLDER\nFOLDER must not be there yet\n";
        return 2;
    }
    try {
        const std::filesystem::path beside =
            std::filesystem::read_symlink("/proc/self/exe").parent_path();
        if (std::filesystem::exists(arguments[2])) {
            std::cerr << "payment_lab: '" << arguments[2] << "' is there already\n";
            return 2;
        }
        run({beside / "provider", beside / "payment_worker", arguments[1]}, arguments[2]);
    } catch (const std::exception& error) {
        std::cerr << "payment_lab: " << error.what() << '\n';
        return 4;
    }
}
