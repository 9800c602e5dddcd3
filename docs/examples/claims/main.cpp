// A charge at a provider: claimed, charged and completed; a worker that dies on the way, a provider
// that doesn't answer, and an operator who rules.
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include <SQLiteCpp/SQLiteCpp.h>
#include <counterfoil/intent.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <counterfoil/store/held_claim.hpp>
#include <counterfoil/words.hpp>

using namespace counterfoil;

namespace {

/// The clock of the story, so that a lease runs out when it is told to.
class StoryClock final : public Clock {
public:
    [[nodiscard]] Instant now() override { return now_ = now_ + Span{1}; }

    void pause(Span length) override { now_ = now_ + length; }

private:
    Instant now_{std::chrono::seconds{1'796'000'000}};
};

/// A provider that charges once for each key, and may keep the answer to itself.
class Provider {
public:
    std::string charge(const std::string& key, bool answers = true) {
        const auto [charge, is_new] = charges_.try_emplace(key, charges_.size() + 1);
        if (!answers) throw std::runtime_error{"the provider did not answer"};
        return "{\"charge\":" + std::to_string(charge->second) + "}";
    }

    [[nodiscard]] std::size_t charges() const { return charges_.size(); }

private:
    std::map<std::string, std::size_t> charges_;
};

/// What becomes of the worker that handles a request.
enum class Fate { lives, dies_after_the_charge, gets_no_answer };

class Payments {
public:
    Payments(const std::string& file, Clock& clock, OnLapse on_lapse)
        : store_{file, {.policies = policies(on_lapse), .clock = &clock}, settings()} {}

    std::string charge(const Scope& scope, const std::string& body, Fate fate = Fate::lives) {
        const ClaimReply reply = store_.claim({scope, intent::Bytes{body}});
        const auto* claimed = std::get_if<reply::Claimed>(&reply);
        if (claimed == nullptr) return told(reply);

        HeldClaim claim{store_, *claimed};
        const std::string key = claim.downstream_key("charge");
        try {
            const std::string charged = provider.charge(key, fate != Fate::gets_no_answer);
            if (fate == Fate::dies_after_the_charge) {
                claim.leave_to_lapse();  // as a process does that dies here
                return "(no answer)";
            }
            const CompleteReply ended = claim.complete([&](SQLite::Database& rows) {
                SQLite::Statement insert{rows, "INSERT INTO charges (key) VALUES (?)"};
                insert.bind(1, key);
                insert.exec();
                return Answer{.status = 201, .body = body::Bytes{charged}};
            });
            return std::string{word(ended)} + ", " + charged;
        } catch (const std::runtime_error&) {
            return "500";  // the claim is abandoned, and nobody knows
        }
    }

    std::string resolve(const Scope& scope, Ruling ruling) {
        const std::optional<Receipt> found = store_.find(scope);
        const Permit permit{scope, found ? found->fence : Fence{}};
        return std::string{word(
            store_.resolve(permit, {std::move(ruling), "anna", "the provider's log, line 3"}))};
    }

    Provider provider;

private:
    static PolicyBook policies(OnLapse on_lapse) {
        PolicyFigures figures;
        figures.scheme = parse_scheme("raw").value();
        figures.lease = std::chrono::seconds{30};
        figures.replay_window = std::chrono::hours{48};
        figures.on_lapse = on_lapse;
        const ServiceBounds bounds{.client_retry_window = std::chrono::hours{24},
                                   .handler_budget = std::chrono::seconds{20}};
        return PolicyBook{validate(figures, bounds).value()};
    }

    static sqlite::Settings settings() {
        sqlite::Settings settings;
        settings.attempts.emplace();
        settings.on_connect = [](SQLite::Database& rows) {
            rows.exec("CREATE TABLE IF NOT EXISTS charges (key TEXT PRIMARY KEY)");
        };
        return settings;
    }

    static std::string told(const ClaimReply& reply) {
        if (const auto* replay = std::get_if<verdict::Replay>(&reply)) {
            return "replay, " + std::get<body::Bytes>(replay->answer.body).bytes;
        }
        return std::string{word(reply)};
    }

    sqlite::Store store_;
};

Scope scope(const char* key) {
    return {parse_tenant("acme").value(), parse_operation("charge").value(),
            parse_key(key).value()};
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: claims NEW_FILE\n";
        return 2;
    }
    StoryClock clock;
    Payments payments{*std::next(arguments), clock, OnLapse::take_over};
    const std::string body = R"({"amount":"12.50"})";
    const auto tell = [&](const char* what, const std::string& came_to) {
        std::cout << what << ": " << came_to << ", charges=" << payments.provider.charges() << '\n';
    };

    tell("first", payments.charge(scope("key-1"), body));
    tell("again", payments.charge(scope("key-1"), body));
    tell("other body", payments.charge(scope("key-1"), R"({"amount":"99.00"})"));

    tell("worker dies after the charge",
         payments.charge(scope("key-2"), body, Fate::dies_after_the_charge));
    tell("retry at once", payments.charge(scope("key-2"), body));
    clock.pause(std::chrono::seconds{30});
    tell("retry after the lease", payments.charge(scope("key-2"), body));

    tell("provider does not answer", payments.charge(scope("key-3"), body, Fate::gets_no_answer));
    tell("retry", payments.charge(scope("key-3"), body));
    tell(
        "operator rules",
        payments.resolve(scope("key-3"),
                         ruling::Applied{{.status = 201, .body = body::Bytes{R"({"charge":3})"}}}));
    tell("retry", payments.charge(scope("key-3"), body));
    return 0;
}
