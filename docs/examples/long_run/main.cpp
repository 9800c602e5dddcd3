// A run that is longer than its lease: it renews the lease, and notes how far it has come, so that
// whoever takes over goes on from there.
#include <cstddef>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include <counterfoil/intent.hpp>
#include <counterfoil/memory/store.hpp>
#include <counterfoil/store/held_claim.hpp>

using namespace counterfoil;

namespace {

constexpr std::size_t invoices = 5;

/// The clock of the story, so that a lease runs out when it is told to.
class StoryClock final : public Clock {
public:
    [[nodiscard]] Instant now() override { return now_ = now_ + Span{1}; }

    void pause(Span length) override { now_ = now_ + length; }

private:
    Instant now_{std::chrono::seconds{1'796'000'000}};
};

PolicyBook policies() {
    PolicyFigures figures;
    figures.scheme = parse_scheme("raw").value();
    figures.lease = std::chrono::seconds{30};
    return PolicyBook{validate(figures, {.client_retry_window = std::chrono::hours{24},
                                         .handler_budget = std::chrono::seconds{20}})
                          .value()};
}

struct World {
    StoryClock clock;
    std::set<std::string> charged;  ///< the provider's: it charges once for each key
    memory::Store store{{.policies = policies(), .clock = &clock}};
};

/// A worker, and the invoice before which its process ends.
struct Worker {
    std::string_view what{};
    std::size_t dies_before{invoices};
};

/// The number of invoices that are paid already, by what the attempt before this one has noted.
std::size_t paid_by_then(const reply::Claimed& claimed) {
    return claimed.checkpoint ? std::stoul(claimed.checkpoint->note()) : 0;
}

/// Pays every invoice by a key of its own. False where somebody has taken over meanwhile: then it
/// stops, and writes nothing.
bool pay_all(World& world, HeldClaim<memory::Store>& claim, const Worker& worker) {
    for (std::size_t next = paid_by_then(claim.claimed()); next < invoices; ++next) {
        if (next == worker.dies_before) {
            claim.leave_to_lapse();  // as a process does that dies here
            return false;
        }
        world.charged.insert(claim.downstream_key("invoice-" + std::to_string(next)));
        world.clock.pause(std::chrono::seconds{20});

        const auto paid = parse_checkpoint("paid", std::to_string(next + 1), 64);
        if (!std::holds_alternative<settled::Checkpointed>(claim.checkpoint(*paid))) return false;
        if (!std::holds_alternative<settled::Renewed>(claim.renew())) return false;
    }
    return true;
}

std::string run(World& world, const Scope& scope, const Worker& worker) {
    const ClaimReply reply = world.store.claim({scope, intent::Bytes{"all of November"}});
    const auto* claimed = std::get_if<reply::Claimed>(&reply);
    if (claimed == nullptr) return std::string{word(reply)};

    HeldClaim claim{world.store, *claimed};
    const std::string from = "from " + std::to_string(paid_by_then(*claimed));
    if (!pay_all(world, claim, worker)) return from + ", not to the end";
    return from + ", " + std::string{word(claim.complete(Outcome{.answer = {.status = 201}}))};
}

Scope scope(const char* key) {
    return {parse_tenant("acme").value(), parse_operation("pay_invoices").value(),
            parse_key(key).value()};
}

}  // namespace

int main() {
    World world;
    const auto tell = [&](const Worker& worker) {
        std::cout << worker.what << ": " << run(world, scope("november"), worker)
                  << ", charges=" << world.charged.size() << '\n';
    };
    tell({.what = "dies before the fourth", .dies_before = 3});
    tell({.what = "retry at once"});
    world.clock.pause(std::chrono::seconds{30});
    tell({.what = "retry after the lease"});
    tell({.what = "retry"});
}
