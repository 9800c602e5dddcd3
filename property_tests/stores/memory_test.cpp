#include <algorithm>
#include <future>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "counterfoil/memory/store.hpp"
#include "counterfoil/store/store_error.hpp"

namespace counterfoil {
namespace {

/// A clock that stands where a test puts it.
class SetClock final : public Clock {
public:
    [[nodiscard]] Instant now() override { return at; }

    Instant at{std::chrono::seconds{1'800'000'000}};
};

class Heard final : public Observer {
public:
    void observe(const Observation& observation) noexcept override {
        words.emplace_back(observation.fault ? word(*observation.fault) : observation.reply);
        request_ids.emplace_back(observation.request_id);
    }

    std::vector<std::string> words;
    std::vector<std::string> request_ids;
};

PolicyBook policies(const PolicyFigures& figures = {}) {
    return PolicyBook{validate(figures, {.client_retry_window = std::chrono::hours{1},
                                         .handler_budget = std::chrono::seconds{10}})
                          .value()};
}

Submission submission(std::string_view key, std::string_view body) {
    return {{parse_tenant("acme").value(), parse_operation("pay").value(), parse_key(key).value()},
            intent::Json{body},
            "request-1"};
}

Answer answer(int status) {
    return {.status = status, .body = body::Bytes{"{}"}};
}

class MemoryStore : public testing::Test {
protected:
    std::string once(std::string_view key, std::string_view body, int status = 201) {
        const Reply reply = store.once(submission(key, body), [&](memory::Transaction& rows) {
            ++runs;
            rows.on_rollback([this] { --runs; });
            return answer(status);
        });
        return std::string{word(reply)};
    }

    SetClock clock;
    Heard heard;
    memory::Store store{{.policies = policies(), .clock = &clock, .observer = &heard}};
    int runs{};
};

TEST_F(MemoryStore, creates_once_replays_and_tells_a_conflict) {
    EXPECT_EQ(once("key-1", R"({"a":1})"), "create");
    EXPECT_EQ(once("key-1", R"({ "a": 1.0 })"), "replay");
    EXPECT_EQ(once("key-1", R"({"a":2})"), "conflict");
    EXPECT_EQ(once("key-2", R"({"a":2})"), "create");
    EXPECT_EQ(once("key-3", R"({"a":)"), "unreadable");
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(heard.words,
              (std::vector<std::string>{"create", "replay", "conflict", "create", "unreadable"}));
    EXPECT_EQ(heard.request_ids.front(), "request-1");
}

TEST_F(MemoryStore, a_released_answer_leaves_nothing) {
    EXPECT_EQ(once("key-1", "{}", 400), "create");
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(store.find(submission("key-1", "{}").scope), std::nullopt);
    EXPECT_EQ(once("key-1", "{}", 201), "create");
    EXPECT_EQ(once("key-1", "{}", 201), "replay");
}

TEST_F(MemoryStore, what_may_have_happened_outside_is_unknown) {
    const auto charge = [](memory::Transaction&) { return Outcome{.answer = answer(500)}; };
    const Reply reply = store.once(submission("key-1", "{}"), charge);
    EXPECT_EQ(std::get<reply::Performed>(reply).disposition, Disposition::unknown);
    EXPECT_EQ(once("key-1", "{}"), "unknown");
    EXPECT_EQ(runs, 0);
}

TEST_F(MemoryStore, what_work_throws_is_passed_on_and_leaves_nothing) {
    std::vector<int> undone;
    const auto failing = [&](memory::Transaction& rows) -> Answer {
        rows.on_rollback([&] { undone.push_back(1); });
        rows.on_rollback([&] { undone.push_back(2); });
        throw std::runtime_error{"no ink"};
    };
    EXPECT_THROW(store.once(submission("key-1", "{}"), failing), std::runtime_error);
    EXPECT_EQ(undone, (std::vector<int>{2, 1}));
    EXPECT_EQ(once("key-1", "{}"), "create");
}

TEST_F(MemoryStore, refuses_a_call_from_the_work_of_another) {
    const auto nested = [&](memory::Transaction&) {
        once("key-2", "{}");
        return answer(201);
    };
    try {
        store.once(submission("key-1", "{}"), nested);
        FAIL() << "it was let through";
    } catch (const StoreError& error) {
        EXPECT_EQ(error.fault(), StoreFault::refused);
    }
    EXPECT_EQ(once("key-1", "{}"), "create");
    EXPECT_EQ(heard.words, (std::vector<std::string>{"refused", "refused", "create"}));
}

TEST_F(MemoryStore, forgets_when_the_policy_says_so) {
    EXPECT_EQ(once("key-1", "{}"), "create");
    clock.at = clock.at + Span{std::chrono::hours{24}};
    EXPECT_EQ(once("key-1", "{}"), "expired");
    clock.at = clock.at + Span{std::chrono::hours{24 * 29}};
    EXPECT_EQ(once("key-1", "{}"), "create");
    EXPECT_EQ(runs, 2);
}

TEST_F(MemoryStore, judges_a_receipt_under_its_own_scheme) {
    PolicyFigures raw;
    raw.scheme.form = Form::raw;
    const Submission first = submission("key-1", R"({"a":1})");
    const Policy policy = validate(raw, {.client_retry_window = std::chrono::hours{1},
                                         .handler_budget = std::chrono::seconds{10}})
                              .value();
    Fingerprinter fingerprinter;
    const Request old = make_request(first.scope, first.intent, policy, fingerprinter).value();
    store.once(old, [](memory::Transaction&) { return answer(201); });
    EXPECT_EQ(once("key-1", R"({"a":1})"), "replay");
    EXPECT_EQ(once("key-1", R"({"a": 1})"), "conflict");  // other bytes, and bytes were compared
}

TEST(SystemClock, gives_every_caller_a_later_instant) {
    constexpr int calls = 10'000;
    SystemClock clock;
    const auto read = [&] {
        std::vector<Instant> instants;
        for (int call = 0; call < calls; ++call) instants.push_back(clock.now());
        return instants;
    };
    std::future<std::vector<Instant>> other = std::async(std::launch::async, read);
    std::vector<Instant> all = read();
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    for (const Instant instant : other.get()) all.push_back(instant);
    EXPECT_EQ(std::set<Instant>(all.begin(), all.end()).size(), 2U * calls);
}

}  // namespace
}  // namespace counterfoil
