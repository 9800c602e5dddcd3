// A limiter beside a store: creates fail closed, reads fall back for a while, and a request that
// has been answered is answered again whatever the limiter says.
#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <counterfoil/admission.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/intent.hpp>
#include <counterfoil/memory/store.hpp>
#include <counterfoil/words.hpp>

using namespace counterfoil;

namespace {

class StoryClock final : public Clock {
public:
    [[nodiscard]] Instant now() override { return now_ = now_ + Span{1}; }

    void pause(Span length) override { now_ = now_ + length; }

private:
    Instant now_{std::chrono::seconds{1'796'000'000}};
};

/// Knows what the limiter last said, and keeps the fallback of reads.
class Gatekeeper final : public Admitter {
public:
    explicit Gatekeeper(Clock& clock) : clock_{clock} {}

    std::optional<admission::Refused> refusal_of(const Request& /*request*/) override {
        return refusal(Access::create);
    }

    std::optional<admission::Refused> refusal(Access access) {
        const Admission said = admit(access, budget, clock_.now(), rule_, used_);
        if (const auto* open = std::get_if<admission::FellOpen>(&said)) used_ = open->use;
        if (const auto* refused = std::get_if<admission::Refused>(&said)) return *refused;
        return std::nullopt;
    }

    Budget budget{budget::Within{}};

private:
    Clock& clock_;
    FallbackRule rule_{
        .reads = 2, .window = std::chrono::seconds{10}, .create_again_in = std::chrono::seconds{5}};
    std::optional<FallbackUse> used_;
};

std::string told(const admission::Refused& refused) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(refused.retry_after).count();
    return std::string{word(refused.ground)} + ", come back in " + std::to_string(seconds) + " s";
}

struct World {
    StoryClock clock;
    Gatekeeper gatekeeper{clock};
    memory::Store store{{.policies = PolicyBook{validate(PolicyFigures{}, {}).value()},
                         .clock = &clock,
                         .admitter = &gatekeeper}};
};

Scope scope(std::string_view key) {
    return {parse_tenant("acme").value(), parse_operation("orders.create").value(),
            parse_key(key).value()};
}

void create(World& world, std::string_view key) {
    const Reply reply =
        world.store.once({scope(key), intent::Json{R"({"sku":"A-7"})"}},
                         [](memory::Transaction&) { return Answer{.status = 201}; });
    std::cout << "  create " << key << ": " << word(reply);
    if (const auto* not_admitted = std::get_if<reply::NotAdmitted>(&reply)) {
        std::cout << ", " << told(not_admitted->refused)
                  << (world.store.find(scope(key)) ? "; a receipt" : "; no receipt");
    }
    std::cout << '\n';
}

void read(World& world) {
    const auto refused = world.gatekeeper.refusal(Access::read);
    std::cout << "  read: " << (refused ? told(*refused) : "runs") << '\n';
}

}  // namespace

// What it throws ends it, as is meant.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main() {
    World world;
    std::cout << "limiter up\n";
    create(world, "order-1");
    read(world);

    world.gatekeeper.budget = budget::Spent{std::chrono::seconds{42}};
    std::cout << "budget spent\n";
    create(world, "order-1");
    create(world, "order-2");
    read(world);

    world.gatekeeper.budget = budget::Unreachable{};
    std::cout << "limiter down\n";
    create(world, "order-1");
    create(world, "order-2");
    read(world);
    read(world);
    read(world);

    world.gatekeeper.budget = budget::Within{};
    std::cout << "limiter up again\n";
    create(world, "order-2");
}
