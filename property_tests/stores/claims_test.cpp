#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <counterfoil/downstream_key.hpp>
#include <counterfoil/memory/store.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <counterfoil/store/held_claim.hpp>
#include <counterfoil/words.hpp>
#include <gtest/gtest.h>

#include "stores/temporary_folder.hpp"

// The two-phase form, the same on every store.

namespace counterfoil {
namespace {

/// A clock that stands where a test puts it; a pause moves it on, and lets something happen.
class SetClock final : public Clock {
public:
    [[nodiscard]] Instant now() override { return at; }

    void pause(Span length) override {
        at = at + length;
        pauses.push_back(length);
        if (during_pause) during_pause();
    }

    Instant at{std::chrono::seconds{1'800'000'000}};
    std::vector<Span> pauses;
    std::function<void()> during_pause{};
};

class Heard final : public Observer {
public:
    void observe(const Observation& observation) noexcept override {
        words.push_back(
            std::string{observation.call} + ": " +
            std::string{observation.fault ? word(*observation.fault) : observation.reply});
        request_ids.emplace_back(observation.request_id);
    }

    std::vector<std::string> words;
    std::vector<std::string> request_ids;
};

constexpr Span lease = std::chrono::seconds{30};

PolicyBook policies() {
    PolicyFigures figures;
    figures.lease = lease;
    figures.max_attempts = 3;
    return PolicyBook{validate(figures, {.client_retry_window = std::chrono::hours{1},
                                         .handler_budget = std::chrono::seconds{10}})
                          .value()};
}

Scope scope(std::string_view key) {
    return {parse_tenant("acme").value(), parse_operation("charge").value(),
            parse_key(key).value()};
}

Answer answer(int status, std::string body = "{}") {
    return {.status = status, .body = body::Bytes{std::move(body)}};
}

Resolution resolution(Ruling ruling) {
    return {std::move(ruling), "anna", "line 17 of the provider's log"};
}

/// A store, and one row of the embedder's.
class MemoryWorld {
public:
    explicit MemoryWorld(Setup setup) : store{std::move(setup)} {}

    template <class Store>
    CompleteReply complete(Store& with, const Permit& permit, int status) {
        return with.complete(permit, [&](memory::Transaction& transaction) {
            ++rows_;
            transaction.on_rollback([this] { --rows_; });
            return answer(status);
        });
    }

    [[nodiscard]] int rows() const { return rows_; }

    /// A map has none: it keeps what is forgotten until somebody claims it anew.
    [[nodiscard]] std::string purged(std::string_view forgotten) {
        return store.find(scope(forgotten)) ? "fenced" : "lost";
    }

    memory::Store store;

private:
    int rows_{};
};

class SqliteWorld {
public:
    explicit SqliteWorld(Setup setup)
        : store{folder_.path() / "claims.db",
                std::move(setup),
                {.durability = sqlite::Durability::off, .on_connect = [](SQLite::Database& made) {
                     made.exec("CREATE TABLE IF NOT EXISTS charges (x)");
                 }}} {}

    template <class Store>
    CompleteReply complete(Store& with, const Permit& permit, int status) {
        return with.complete(permit, [&](SQLite::Database& rows) {
            rows.exec("INSERT INTO charges VALUES (1)");
            return answer(status);
        });
    }

    [[nodiscard]] int rows() {
        int count = 0;
        store.write([&](SQLite::Database& rows) {
            count = rows.execAndGet("SELECT count(*) FROM charges").getInt();
        });
        return count;
    }

    [[nodiscard]] std::string purged(std::string_view /*forgotten*/) {
        EXPECT_EQ(store.purge().purged, 1);
        return "lost";
    }

private:
    TemporaryFolder folder_;

public:
    sqlite::Store store;
};

template <class World>
class Claims : public testing::Test {
protected:
    ClaimReply claim(std::string_view key = "k", std::string_view body = R"({"amount":5})",
                     Span wait = Span{0}) {
        return world.store.claim({scope(key), intent::Json{body}, "request-1"}, {wait});
    }

    reply::Claimed claimed(std::string_view key = "k") {
        return std::get<reply::Claimed>(claim(key));
    }

    std::string state(std::string_view key = "k") {
        const std::optional<Receipt> found = world.store.find(scope(key));
        return found ? std::string{word(found->state)} : "none";
    }

    CompleteReply complete(const Permit& permit, int status = 201) {
        return world.complete(world.store, permit, status);
    }

    SetClock clock;
    Heard heard;
    World world{counterfoil::Setup{.policies = policies(), .clock = &clock, .observer = &heard}};
};

using Worlds = testing::Types<MemoryWorld, SqliteWorld>;
TYPED_TEST_SUITE(Claims, Worlds);

TYPED_TEST(Claims, a_claim_keeps_others_out_until_it_is_completed) {
    const reply::Claimed held = this->claimed();
    EXPECT_EQ(held.attempt, 1);
    EXPECT_EQ(held.lease_end, this->clock.at + lease);
    EXPECT_EQ(word(this->claim()), "in_progress");
    EXPECT_EQ(word(this->claim("k", R"({"amount":6})")), "conflict");
    EXPECT_EQ(word(this->claim("k", R"({"amount":)")), "unreadable");

    const CompleteReply ended = this->complete(held.permit);
    EXPECT_EQ(std::get<reply::Ended>(ended),
              (reply::Ended{answer(201), Disposition::keep, Timeliness::in_time}));
    EXPECT_EQ(this->world.rows(), 1);
    const ClaimReply again = this->claim();
    EXPECT_EQ(std::get<verdict::Replay>(again).answer, answer(201));
    EXPECT_EQ(this->heard.words, (std::vector<std::string>{
                                     "claim: create", "claim: in_progress", "claim: conflict",
                                     "claim: unreadable", "complete: completed", "claim: replay"}));
    EXPECT_EQ(this->heard.request_ids.front(), "request-1");
}

TYPED_TEST(Claims, completed_twice_gives_the_stored_answer_and_runs_no_work) {
    const reply::Claimed held = this->claimed();
    static_cast<void>(this->complete(held.permit));
    const CompleteReply again = this->complete(held.permit, 202);
    EXPECT_EQ(std::get<refusal::AlreadyCompleted>(again).answer, answer(201));
    EXPECT_EQ(this->world.rows(), 1);
}

TYPED_TEST(Claims, whoever_was_overtaken_writes_nothing) {
    const reply::Claimed first = this->claimed();
    const Checkpoint reached = parse_checkpoint("charged", R"({"id":7})", 64).value();
    EXPECT_EQ(word(this->world.store.checkpoint(first.permit, reached)), "checkpointed");
    this->clock.at = this->clock.at + lease;

    const reply::Claimed second = this->claimed();
    EXPECT_EQ(second.attempt, 2);
    EXPECT_GT(second.permit.fence, first.permit.fence);
    EXPECT_EQ(second.checkpoint, reached);
    EXPECT_EQ(second.downstream_key("step"), first.downstream_key("step"));

    auto& store = this->world.store;
    EXPECT_EQ(word(this->complete(first.permit)), "fenced");
    EXPECT_EQ(word(store.renew(first.permit)), "fenced");
    EXPECT_EQ(word(store.checkpoint(first.permit, reached)), "fenced");
    EXPECT_EQ(word(store.release(first.permit)), "fenced");
    EXPECT_EQ(word(store.mark_unknown(first.permit)), "fenced");
    EXPECT_EQ(word(store.abandon(first.permit, Effect::may_have_begun)), "fenced");
    EXPECT_EQ(this->world.rows(), 0);
    EXPECT_EQ(word(this->complete(second.permit)), "completed");
    EXPECT_EQ(this->world.rows(), 1);
}

TYPED_TEST(Claims, a_late_answer_of_whoever_was_not_overtaken_is_kept) {
    const reply::Claimed held = this->claimed();
    this->clock.at = this->clock.at + lease * 2;
    EXPECT_EQ(std::get<reply::Ended>(this->complete(held.permit)).timeliness, Timeliness::late);
}

TYPED_TEST(Claims, a_renewed_lease_keeps_others_out_for_longer) {
    const reply::Claimed held = this->claimed();
    this->clock.at = this->clock.at + lease - Span{1};
    EXPECT_EQ(word(this->world.store.renew(held.permit)), "renewed");
    this->clock.at = this->clock.at + lease - Span{1};
    EXPECT_EQ(word(this->claim()), "in_progress");
    this->clock.at = this->clock.at + Span{1};
    EXPECT_EQ(word(this->claim()), "take_over");
}

TYPED_TEST(Claims, complete_after_release_and_a_new_claim_is_fenced_and_before_it_lost) {
    const reply::Claimed held = this->claimed();
    EXPECT_EQ(word(this->world.store.release(held.permit)), "released");
    EXPECT_EQ(word(this->complete(held.permit)), "lost");
    this->clock.at = this->clock.at + Span{1};
    const reply::Claimed next = this->claimed();
    EXPECT_GT(next.permit.fence, held.permit.fence);
    EXPECT_EQ(word(this->complete(held.permit)), "fenced");
    EXPECT_EQ(this->world.rows(), 0);
}

TYPED_TEST(Claims, complete_after_a_purge_is_refused_and_after_a_new_claim_fenced) {
    const reply::Claimed first = this->claimed();
    this->clock.at = this->clock.at + lease;
    const reply::Claimed second = this->claimed();
    static_cast<void>(this->complete(second.permit));
    this->clock.at = this->clock.at + Span{std::chrono::days{31}};
    const std::string due = this->world.purged("k");
    EXPECT_EQ(word(this->complete(first.permit)), due);

    const reply::Claimed anew = this->claimed();
    EXPECT_EQ(anew.attempt, 1);
    EXPECT_EQ(word(this->complete(first.permit, 202)), "fenced");
    EXPECT_EQ(word(this->complete(second.permit, 202)), "fenced");
    EXPECT_EQ(this->world.rows(), 1);
    EXPECT_EQ(word(this->complete(anew.permit)), "completed");
    EXPECT_EQ(this->world.rows(), 2);
}

TYPED_TEST(Claims, a_released_answer_and_a_doubtful_one_roll_the_rows_back) {
    const reply::Claimed refused = this->claimed("refused");
    EXPECT_EQ(std::get<reply::Ended>(this->complete(refused.permit, 429)).disposition,
              Disposition::release);
    EXPECT_EQ(this->state("refused"), "none");
    // An answer alone: something outside was called before it, so nobody knows.
    const reply::Claimed doubtful = this->claimed("doubtful");
    EXPECT_EQ(std::get<reply::Ended>(this->complete(doubtful.permit, 500)).disposition,
              Disposition::unknown);
    EXPECT_EQ(this->state("doubtful"), "unknown");
    EXPECT_EQ(this->world.rows(), 0);
}

TYPED_TEST(Claims, a_takeover_that_is_refused_frees_no_key) {
    { HeldClaim{this->world.store, this->claimed()}.leave_to_lapse(); }
    this->clock.at = this->clock.at + lease;
    const reply::Claimed second = this->claimed();
    EXPECT_EQ(std::get<reply::Ended>(this->complete(second.permit, 429)).disposition,
              Disposition::unknown);
    EXPECT_EQ(this->state(), "unknown");
    EXPECT_EQ(this->world.rows(), 0);
}

TYPED_TEST(Claims, a_takeover_that_knows_better_frees_the_key) {
    { HeldClaim{this->world.store, this->claimed()}.leave_to_lapse(); }
    this->clock.at = this->clock.at + lease;
    const Outcome refused{.answer = answer(429), .disposition = Disposition::release};
    const reply::Claimed second = this->claimed();
    EXPECT_EQ(word(this->world.store.complete(second.permit, refused)), "released");
    EXPECT_EQ(this->state(), "none");
}

TYPED_TEST(Claims, work_that_throws_leaves_the_claim_held) {
    const reply::Claimed held = this->claimed();
    const auto throws = [](auto&) -> Answer { throw std::runtime_error{"no"}; };
    EXPECT_THROW(static_cast<void>(this->world.store.complete(held.permit, throws)),
                 std::runtime_error);
    EXPECT_EQ(this->state(), "in_progress");
    EXPECT_EQ(word(this->complete(held.permit)), "completed");
}

TYPED_TEST(Claims, an_answer_without_rows_completes_as_well) {
    const reply::Claimed held = this->claimed();
    EXPECT_EQ(word(this->world.store.complete(held.permit, Outcome{.answer = answer(402)})),
              "completed");
    EXPECT_EQ(std::get<verdict::Replay>(this->claim()).answer, answer(402));
}

TYPED_TEST(Claims, unknown_is_told_until_somebody_resolves_it) {
    const reply::Claimed held = this->claimed();
    auto& store = this->world.store;
    EXPECT_EQ(word(store.mark_unknown(held.permit)), "unknown");
    EXPECT_EQ(word(this->claim()), "unknown");
    EXPECT_EQ(word(store.resolve(held.permit, {ruling::NotApplied{}, "", "nothing"})),
              "unattributed");
    EXPECT_EQ(word(store.resolve({scope("k"), Fence{1}}, resolution(ruling::NotApplied{}))),
              "fenced");
    EXPECT_EQ(word(store.resolve(held.permit, resolution(ruling::Applied{answer(201)}))),
              "resolved_applied");
    EXPECT_EQ(std::get<verdict::Replay>(this->claim()).answer, answer(201));
    EXPECT_EQ(word(store.resolve(held.permit, resolution(ruling::NotApplied{}))),
              "already_completed");
    const auto rows = store.session()->resolutions(scope("k"));
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows.front().by, "anna");
    EXPECT_EQ(word(rows.front().before), "unknown");
}

TYPED_TEST(Claims, what_did_not_happen_may_be_claimed_anew_under_a_higher_fence) {
    const reply::Claimed held = this->claimed();
    auto& store = this->world.store;
    EXPECT_EQ(word(store.resolve(held.permit, resolution(ruling::NotApplied{}))), "still_held");
    this->clock.at = this->clock.at + lease;
    EXPECT_EQ(word(store.resolve(held.permit, resolution(ruling::NotApplied{}))),
              "resolved_not_applied");
    const reply::Claimed next = this->claimed();
    EXPECT_GT(next.permit.fence, held.permit.fence);
    EXPECT_NE(next.downstream_key(), held.downstream_key());
    EXPECT_EQ(store.session()->resolutions(scope("k")).size(), 1U);
}

TYPED_TEST(Claims, after_the_last_attempt_nobody_knows) {
    static_cast<void>(this->claimed());
    for (int attempt = 2; attempt <= 3; ++attempt) {
        this->clock.at = this->clock.at + lease;
        EXPECT_EQ(this->claimed().attempt, attempt);
    }
    this->clock.at = this->clock.at + lease;
    EXPECT_EQ(std::get<verdict::Unknown>(this->claim()).cause, UnknownCause::attempts_exhausted);
    EXPECT_EQ(this->state(), "unknown");
}

TYPED_TEST(Claims, a_wait_ends_with_the_twin) {
    const reply::Claimed held = this->claimed();
    this->clock.during_pause = [&] {
        if (this->clock.pauses.size() == 3) static_cast<void>(this->complete(held.permit));
    };
    EXPECT_EQ(word(this->claim("k", R"({"amount":5})", std::chrono::seconds{1})), "replay");
    EXPECT_EQ(this->clock.pauses.size(), 3U);
}

TYPED_TEST(Claims, a_wait_that_is_over_gives_no_leave) {
    static_cast<void>(this->claimed());
    const Span wait = std::chrono::milliseconds{200};
    EXPECT_EQ(word(this->claim("k", R"({"amount":5})", wait)), "in_progress");
    Span total{0};
    for (const Span pause : this->clock.pauses) total += pause;
    EXPECT_EQ(total, wait);
}

TYPED_TEST(Claims, a_lease_that_ends_during_a_wait_is_taken_over) {
    static_cast<void>(this->claimed());
    this->clock.at = this->clock.at + lease - Span{std::chrono::milliseconds{20}};
    EXPECT_EQ(word(this->claim("k", R"({"amount":5})", std::chrono::seconds{1})), "take_over");
}

TYPED_TEST(Claims, a_conflict_waits_for_nobody) {
    static_cast<void>(this->claimed());
    EXPECT_EQ(word(this->claim("k", R"({"amount":6})", std::chrono::seconds{1})), "conflict");
    EXPECT_TRUE(this->clock.pauses.empty());
}

TYPED_TEST(Claims, a_forgotten_claim_is_released_where_nothing_had_begun) {
    { const HeldClaim claim{this->world.store, this->claimed(), "request-9"}; }
    EXPECT_EQ(this->state(), "none");
    EXPECT_EQ(this->heard.words.back(), "abandon: released");
    EXPECT_EQ(this->heard.request_ids.back(), "request-9");
}

TYPED_TEST(Claims, a_forgotten_claim_is_unknown_where_the_effect_may_have_begun) {
    {
        HeldClaim claim{this->world.store, this->claimed()};
        EXPECT_EQ(claim.downstream_key("charge"),
                  downstream_key(scope("k"), this->clock.at, "charge"));
    }
    EXPECT_EQ(this->state(), "unknown");
    EXPECT_EQ(this->heard.words.back(), "abandon: unknown");
}

TYPED_TEST(Claims, a_forgotten_takeover_is_unknown_since_the_first_may_have_begun) {
    { HeldClaim{this->world.store, this->claimed()}.leave_to_lapse(); }
    EXPECT_EQ(this->state(), "in_progress");
    this->clock.at = this->clock.at + lease;
    { const HeldClaim claim{this->world.store, this->claimed()}; }
    EXPECT_EQ(this->state(), "unknown");
}

TYPED_TEST(Claims, a_held_claim_that_has_ended_is_not_abandoned) {
    {
        HeldClaim claim{this->world.store, this->claimed()};
        HeldClaim moved{std::move(claim)};
        EXPECT_FALSE(claim.is_held());  // NOLINT(bugprone-use-after-move): that is the point
        EXPECT_EQ(word(moved.renew()), "renewed");
        EXPECT_EQ(word(moved.checkpoint(parse_checkpoint("half", "null", 8).value())),
                  "checkpointed");
        EXPECT_EQ(word(moved.complete(Outcome{.answer = answer(201)})), "completed");
        EXPECT_FALSE(moved.is_held());
    }
    EXPECT_EQ(this->heard.words.back(), "complete: completed");
    EXPECT_EQ(this->state(), "completed");
}

TYPED_TEST(Claims, a_held_claim_whose_completion_throws_is_abandoned) {
    {
        HeldClaim claim{this->world.store, this->claimed()};
        claim.effect_begins();
        const auto throws = [](auto&) -> Answer { throw std::runtime_error{"no"}; };
        EXPECT_THROW(static_cast<void>(claim.complete(throws)), std::runtime_error);
        EXPECT_TRUE(claim.is_held());
    }
    EXPECT_EQ(this->state(), "unknown");
}

TYPED_TEST(Claims, a_held_claim_that_was_overtaken_is_held_no_more) {
    HeldClaim claim{this->world.store, this->claimed()};
    this->clock.at = this->clock.at + lease;
    const reply::Claimed second = this->claimed();
    EXPECT_EQ(word(claim.renew()), "fenced");
    EXPECT_FALSE(claim.is_held());
    EXPECT_EQ(word(this->complete(second.permit)), "completed");
}

TYPED_TEST(Claims, a_clock_that_was_set_back_shortens_no_lease) {
    const reply::Claimed held = this->claimed();
    this->clock.at = this->clock.at - Span{std::chrono::hours{1}};
    EXPECT_EQ(word(this->claim()), "in_progress");
    const Renewal renewal = this->world.store.renew(held.permit);
    const auto& written = std::get<settled::Renewed>(renewal).write.receipt;
    EXPECT_EQ(std::get<state::InProgress>(written.state).lease_end, held.lease_end);
    EXPECT_EQ(word(this->complete(held.permit)), "completed");
}

}  // namespace
}  // namespace counterfoil
