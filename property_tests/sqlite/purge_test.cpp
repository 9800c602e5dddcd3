#include <filesystem>
#include <string>
#include <utility>

#include <counterfoil/sqlite/store.hpp>
#include <counterfoil/words.hpp>
#include <gtest/gtest.h>

#include "sqlite/kit.hpp"

namespace counterfoil::sqlite {

std::ostream& operator<<(std::ostream& out, const PurgeReport& report) {
    return out << "looked_at " << report.looked_at << ", purged " << report.purged
               << ", tombstones " << report.tombstones << ", marked_unknown "
               << report.marked_unknown << ", unreadable " << report.unreadable;
}

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t start_us = 1'000;
constexpr std::int64_t replay_us = 100;
constexpr std::int64_t forget_us = 300;

PolicyFigures short_windows() {
    PolicyFigures figures;
    figures.lease = Span{10};
    figures.replay_window = Span{replay_us};
    figures.tombstone_window = Span{forget_us};
    figures.abandon_after = Span{50};
    return figures;
}

class PurgeTest : public testing::Test {
protected:
    void complete(std::string_view key) {
        store.once(kit::request(kit::scope(key)),
                   [](SQLite::Database&) { return kit::answer(201, "done"); });
    }

    void complete_many(int count) {
        for (int i = 0; i < count; ++i) complete("k" + std::to_string(i));
    }

    /// A claim whose lease ends at start_us + 10.
    void claim(std::string_view key) {
        const std::unique_ptr<Session> session = store.session();
        session->begin();
        const Scope scope = kit::scope(key);
        EXPECT_TRUE(session->insert({.scope = scope,
                                     .fingerprint = kit::request(scope).fingerprint,
                                     .fence = Fence{start_us},
                                     .created_at = Instant{Span{start_us}},
                                     .state = state::InProgress{Instant{Span{start_us + 10}}}}));
        session->commit();
    }

    [[nodiscard]] std::string state_of(std::string_view key) {
        const std::optional<Receipt> found = store.find(kit::scope(key));
        return found ? std::string{counterfoil::word(found->state)} : "nothing";
    }

    /// Without pauses; a slice of as many rows.
    PurgeReport purge(PurgeOptions options = {}) {
        options.pause = 0;
        return store.purge(options);
    }

    kit::Scratch scratch;
    const std::filesystem::path file{scratch.file()};
    kit::HandClock clock;
    Store store{file,
                {.policies = kit::book(short_windows()), .clock = &clock},
                {.durability = Durability::off}};
};

TEST_F(PurgeTest, an_answer_is_dropped_when_its_window_ends_and_not_before) {
    complete("k");
    clock.set(start_us + replay_us - 1);
    EXPECT_EQ(purge(), PurgeReport{});
    EXPECT_EQ(state_of("k"), "completed");
    clock.set(start_us + replay_us);
    EXPECT_EQ(purge(), (PurgeReport{.looked_at = 1, .tombstones = 1}));
    EXPECT_EQ(state_of("k"), "tombstone");
    EXPECT_EQ(kit::number(file, "SELECT body IS NULL AND fields IS NULL FROM receipts"), 1);
    EXPECT_EQ(purge(), PurgeReport{});
}

TEST_F(PurgeTest, a_scope_is_forgotten_when_its_window_ends_and_not_before) {
    complete("k");
    clock.set(start_us + replay_us);
    purge();
    clock.set(start_us + forget_us - 1);
    EXPECT_EQ(purge(), PurgeReport{});
    clock.set(start_us + forget_us);
    EXPECT_EQ(purge(), (PurgeReport{.looked_at = 1, .purged = 1}));
    EXPECT_EQ(state_of("k"), "nothing");
    complete("k");
    EXPECT_EQ(state_of("k"), "completed");
}

TEST_F(PurgeTest, what_nobody_swept_in_time_is_forgotten_at_once) {
    complete("k");
    clock.set(start_us + forget_us);
    EXPECT_EQ(purge(), (PurgeReport{.looked_at = 1, .purged = 1}));
}

TEST_F(PurgeTest, holds_and_what_is_unknown_are_kept) {
    complete("held");
    complete("doubtful");
    kit::execute(file,
                 "UPDATE receipts SET hold_since_us = 1, hold_by = 'anna', hold_reason = "
                 "'ticket' WHERE key = 'held'");
    kit::execute(file,
                 "UPDATE receipts SET state = 'unknown', since_us = 1, unknown_cause = "
                 "'marked' WHERE key = 'doubtful'");
    clock.set(start_us + 10 * forget_us);
    EXPECT_EQ(purge(), PurgeReport{});
    EXPECT_EQ(state_of("held"), "completed");
    EXPECT_EQ(state_of("doubtful"), "unknown");
}

TEST_F(PurgeTest, an_abandoned_claim_is_marked_unknown_and_stays) {
    claim("k");
    clock.set(start_us + 10 + 49);
    EXPECT_EQ(purge(), PurgeReport{.looked_at = 1});
    EXPECT_EQ(state_of("k"), "in_progress");
    clock.set(start_us + 10 + 50);
    EXPECT_EQ(purge(), (PurgeReport{.looked_at = 1, .marked_unknown = 1}));
    EXPECT_EQ(state_of("k"), "unknown");
    clock.set(start_us + 100 * forget_us);
    EXPECT_EQ(purge(), PurgeReport{});
}

TEST_F(PurgeTest, goes_through_all_of_them_in_slices) {
    constexpr int count = 57;
    complete_many(count);
    clock.set(start_us + forget_us);
    EXPECT_EQ(purge({.slice = 1h, .slice_rows = 10}),
              (PurgeReport{.looked_at = count, .purged = count}));
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 0);
}

TEST_F(PurgeTest, corrupt_rows_are_counted_once_and_left) {
    complete_many(9);
    kit::execute(file,
                 "PRAGMA ignore_check_constraints = ON; UPDATE receipts SET status = 0 "
                 "WHERE key IN ('k2', 'k5', 'k8')");
    clock.set(start_us + forget_us);
    // Each slice is over after one row, and the next reads the others again.
    EXPECT_EQ(purge({.slice = 0us}), (PurgeReport{.looked_at = 9, .purged = 6, .unreadable = 3}));
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 3);
    EXPECT_EQ(purge({.slice = 1h}), (PurgeReport{.looked_at = 3, .unreadable = 3}));
}

TEST_F(PurgeTest, a_dry_run_counts_the_same_and_changes_nothing) {
    complete_many(5);
    clock.set(start_us + forget_us - replay_us);
    complete("late");
    claim("abandoned");
    complete("bad");
    kit::execute(file,
                 "PRAGMA ignore_check_constraints = ON; UPDATE receipts SET status = 0 "
                 "WHERE key = 'bad'");
    clock.set(start_us + forget_us);
    const std::string all =
        "SELECT group_concat(key || state || fence || ifnull(hex(body), '-')) FROM receipts";
    const std::string before = kit::text(file, all);
    const PurgeReport counted = purge({.mode = PurgeMode::dry_run, .slice_rows = 2});
    EXPECT_EQ(kit::text(file, all), before);
    EXPECT_EQ(counted, purge({.slice_rows = 2}));
    EXPECT_EQ(
        counted,
        (PurgeReport{
            .looked_at = 8, .purged = 5, .tombstones = 1, .marked_unknown = 1, .unreadable = 1}));
    EXPECT_NE(kit::text(file, all), before);
}

TEST_F(PurgeTest, the_progress_callback_stops_it) {
    complete_many(30);
    clock.set(start_us + forget_us);
    int calls = 0;
    PurgeOptions options{.slice = 1h, .slice_rows = 10};
    options.progress = [&](const PurgeReport& so_far) {
        ++calls;
        EXPECT_EQ(so_far.purged, 10U * static_cast<unsigned>(calls));
        return calls < 2;
    };
    EXPECT_EQ(purge(options).purged, 20U);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 10);
}

TEST_F(PurgeTest, a_row_that_is_claimed_again_in_between_survives) {
    complete_many(4);
    clock.set(start_us + forget_us);
    PurgeOptions options{.slice = 1h, .slice_rows = 2};
    bool first = true;
    options.progress = [&](const PurgeReport&) {
        if (std::exchange(first, false)) complete("k3");  // no lock is held between slices
        return true;
    };
    EXPECT_EQ(purge(options).purged, 3U);
    EXPECT_EQ(state_of("k3"), "completed");
    EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 1);
}

TEST_F(PurgeTest, inside_the_work_of_another_is_refused) {
    complete("k");
    clock.set(start_us + forget_us);
    std::string fault;
    store.write([&](const Transaction&) { fault = kit::fault_of([&] { purge(); }); });
    EXPECT_EQ(fault.rfind("refused: ", 0), 0U) << fault;
    EXPECT_EQ(purge().purged, 1U);
}

}  // namespace
}  // namespace counterfoil::sqlite
