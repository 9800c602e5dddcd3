// What a judgement costs, beside the look-up of the same scope in a map.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <counterfoil/judge.hpp>

namespace counterfoil {
namespace {

constexpr int receipts = 10'000;

Scope scope_of(int number) {
    return {
        parse_tenant("tenant-" + std::to_string(number % 100)).value(),
        parse_operation("create_order").value(),
        parse_key("017f22e2-79b0-7cc3-98c4-" + std::to_string(100'000'000'000 + number)).value()};
}

Fingerprint fingerprint() {
    Fingerprint fingerprint{{"exact-json"}, {}};
    fingerprint.digest.bytes.fill(7);
    return fingerprint;
}

Receipt completed(const Scope& scope) {
    const Answer answer{201,
                        {{"Content-Type", "application/json"}, {"Location", "/orders/1"}},
                        body::Bytes{std::string(200, 'x')},
                        "order 1"};
    return {scope,
            fingerprint(),
            Fence{1},
            Instant{},
            1,
            state::Completed{answer, Instant{}, Instant{Span{1'000}}, Instant{Span{2'000}}},
            std::nullopt,
            std::nullopt};
}

Policy standard() {
    return validate(PolicyFigures{}, {.client_retry_window = std::chrono::hours{1},
                                      .handler_budget = std::chrono::seconds{10}})
        .value();
}

// The baseline: what any receipt in memory costs to find.
void map_lookup(benchmark::State& state) {
    std::map<Scope, int> book;
    for (int i = 0; i < receipts; ++i) book.emplace(scope_of(i), i);
    std::vector<Scope> asked;
    asked.reserve(1'000);
    for (int i = 0; i < 1'000; ++i) asked.push_back(scope_of((i * 7'919) % receipts));
    std::size_t next = 0;
    for ([[maybe_unused]] auto iteration : state) {
        benchmark::DoNotOptimize(book.find(asked[next]));
        next = next + 1 == asked.size() ? 0 : next + 1;
    }
}

// The answer goes back into the receipt after each judgement, as moving it out is what is measured.
void judge_moving(benchmark::State& state) {
    const auto policy = standard();
    const Request request{scope_of(1), fingerprint(), std::nullopt, {}};
    std::optional<Receipt> found = completed(request.scope);
    for ([[maybe_unused]] auto iteration : state) {
        auto verdict = judge(request, std::move(found), Instant{Span{500}}, policy);
        benchmark::DoNotOptimize(verdict);
        // NOLINTNEXTLINE(bugprone-use-after-move): the rest of the receipt is still there
        std::get<state::Completed>(found->state).answer =
            std::move(std::get<verdict::Replay>(verdict).answer);
    }
}

void judge_copying(benchmark::State& state) {
    const auto policy = standard();
    const Request request{scope_of(1), fingerprint(), std::nullopt, {}};
    const std::optional<Receipt> found = completed(request.scope);
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(judge(request, found, Instant{Span{500}}, policy));
}

void judge_conflict(benchmark::State& state) {
    const auto policy = standard();
    Request request{scope_of(1), fingerprint(), std::nullopt, {}};
    request.fingerprint.digest.bytes.fill(8);
    const std::optional<Receipt> found = completed(request.scope);
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(judge(request, found, Instant{Span{500}}, policy));
}

BENCHMARK(map_lookup)->Name("judge/replay/map_lookup");
BENCHMARK(judge_moving)->Name("judge/replay/judge");
BENCHMARK(judge_copying)->Name("judge/replay/judge_copying_the_answer");
BENCHMARK(map_lookup)->Name("judge/conflict/map_lookup");
BENCHMARK(judge_conflict)->Name("judge/conflict/judge");

}  // namespace
}  // namespace counterfoil

BENCHMARK_MAIN();
