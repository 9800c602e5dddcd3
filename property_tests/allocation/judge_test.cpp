#include <optional>
#include <string>
#include <utility>

#include <counterfoil/judge.hpp>
#include <gtest/gtest.h>

#include "allocation/counted_memory.hpp"
#include "generators/situations.hpp"

namespace counterfoil {
namespace {

Scope scope() {
    return {parse_tenant("a tenant of more than fifteen bytes").value(),
            parse_operation("an operation of more than fifteen bytes").value(),
            parse_key("a-key-of-more-than-fifteen-bytes").value()};
}

Receipt completed() {
    const Answer answer{201,
                        {{"Location", "/a/place/that/is/long/enough"}},
                        body::Bytes{std::string(200, 'x')},
                        std::nullopt};
    const state::Completed state{answer, Instant{}, Instant{Span{10}}, Instant{Span{20}}};
    return {scope(), {{"exact-json"}, {}}, Fence{1},    Instant{}, 1,
            state,   std::nullopt,         std::nullopt};
}

TEST(Judge, allocates_nothing_for_a_replay_when_the_receipt_is_handed_over) {
    const auto policy = gen::valid({});
    const Request request{scope(), {{"exact-json"}, {}}, std::nullopt, {}};
    std::optional<Receipt> found = completed();
    const auto before = allocations();
    const auto verdict = judge(request, std::move(found), Instant{}, policy);
    const auto after = allocations();
    ASSERT_TRUE(std::holds_alternative<verdict::Replay>(verdict));
    EXPECT_EQ(std::get<verdict::Replay>(verdict).answer,
              std::get<state::Completed>(completed().state).answer);
    EXPECT_EQ(after - before, 0U);
}

TEST(Judge, copies_nothing_but_what_the_verdict_carries) {
    const auto policy = gen::valid({});
    Request request{scope(), {{"exact-json"}, {}}, std::nullopt, {}};
    request.fingerprint.digest.bytes.fill(1);
    const std::optional<Receipt> found = completed();
    const auto before = allocations();
    const auto verdict = judge(request, found, Instant{}, policy);
    const auto after = allocations();
    ASSERT_TRUE(std::holds_alternative<verdict::Conflict>(verdict));
    EXPECT_EQ(after - before, 0U);
}

}  // namespace
}  // namespace counterfoil
