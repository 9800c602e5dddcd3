#include <array>
#include <set>
#include <string>
#include <utility>

#include <counterfoil/judge.hpp>
#include <gtest/gtest.h>

#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "ladders/grid.hpp"
#include "written/page.hpp"

namespace counterfoil {
namespace {

// One situation that breaks every rule but the last, mended rung by rung: with each fault gone, the
// next rule is the one that decides. If two rules change places, a rung tells another verdict.
class Ladder : public testing::Test {
protected:
    static constexpr Span day{86'400'000'000};

    static Situation climb(int rung) {
        PolicyFigures figures;
        figures.old_keys = OldKeys::refuse;
        figures.max_attempts = 2;
        const Instant now = Instant{} + 400 * day;
        const Scope scope{parse_tenant("a").value(), parse_operation("op").value(),
                          gen::key_born_at(1'000)};
        const auto print = [](std::string scheme, std::uint8_t fill) {
            Fingerprint fingerprint{{std::move(scheme)}, {}};
            fingerprint.digest.bytes.fill(fill);
            return fingerprint;
        };
        Request request{scope, print("exact-json", 2), std::nullopt, {}};
        std::optional<Receipt> found;

        const auto receipt = [&](State state) {
            return Receipt{scope, print("raw", 1),  Fence{3},     Instant{},
                           1,     std::move(state), std::nullopt, std::nullopt};
        };
        const auto completed = [&](Instant replay_until, Instant forget_at) {
            return State{state::Completed{{}, Instant{}, replay_until, forget_at}};
        };

        if (rung >= 2) figures.old_keys = OldKeys::create;          // 1 mended
        if (rung >= 3) found = receipt(completed(Instant{}, now));  // 2 mended: something is found
        if (rung >= 4)
            found = receipt(completed(now + day, now + 2 * day));  // 3 mended: not forgotten
        if (rung >= 5)
            request.others.push_back({{"raw"}, print("raw", 2).digest});  // 4 mended: comparable
        if (rung >= 6) request.others.back().digest = print("raw", 1).digest;  // 5 mended: equal
        if (rung >= 7) found = receipt(completed(now, now + day));  // 6 mended: past its window
        if (rung >= 8)
            found =
                receipt(state::Unknown{now, UnknownCause::marked, {}});  // 7 mended: has not ended
        if (rung >= 9)
            found = receipt(state::InProgress{now + Span{1}, {}});    // 8 mended: not unknown
        if (rung >= 10) found = receipt(state::InProgress{now, {}});  // 9 mended: lapsed
        if (rung >= 11) found->attempt = 2;                           // 10 mended: no attempt left
        return {std::move(request), std::move(found), now, gen::valid(figures)};
    }
};

TEST_F(Ladder, each_rung_is_decided_by_the_next_rule) {
    const std::array<std::string_view, 11> verdicts{
        "expired", "create",  "create",      "incomparable", "conflict", "replay",
        "expired", "unknown", "in_progress", "take_over",    "unknown"};
    for (int rung = 1; rung <= 11; ++rung) {
        const auto situation = climb(rung);
        const auto verdict =
            judge(situation.request, situation.found, situation.now, situation.policy);
        EXPECT_EQ(static_cast<int>(why(verdict).rule), rung)
            << situation << "\n  " << describe(verdict);
        EXPECT_EQ(word(verdict), verdicts.at(static_cast<std::size_t>(rung) - 1))
            << describe(verdict);
    }
}

TEST(Grid, is_the_table_of_the_page_on_judgement) {
    const auto page = written::read(std::string{COUNTERFOIL_DOCS} + "/judgement.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(written::part(*page, "the grid"), grid_as_markdown());
}

// The overload that moves out of the receipt must not decide otherwise than the one that copies.
TEST(Grid, is_decided_the_same_when_the_receipt_is_handed_over) {
    for (const auto& cell : grid()) {
        const auto& [request, found, now, policy] = cell.situation;
        auto handed_over = found;
        EXPECT_EQ(judge(request, std::move(handed_over), now, policy),
                  judge(request, found, now, policy))
            << cell.table << "; " << cell.row << "; " << cell.column;
    }
}

TEST(Grid, uses_every_rule) {
    std::set<int> used;
    for (const auto& cell : grid()) {
        used.insert(static_cast<int>(why(judge(cell.situation.request, cell.situation.found,
                                               cell.situation.now, cell.situation.policy))
                                         .rule));
    }
    EXPECT_EQ(used, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

}  // namespace
}  // namespace counterfoil
