#include "counterfoil/store/claim_call.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

namespace counterfoil {

ClaimReply claim(Session& session, const Question& question, const Bench& bench, const Wait& wait) {
    const auto hold = [&](std::optional<OpenTransaction>& transaction,
                          Leave leave) -> std::optional<ClaimReply> {
        if (!leave.put(session, leave.receipt)) return std::nullopt;
        transaction->commit();
        auto& held = std::get<state::InProgress>(leave.receipt.state);
        return reply::Claimed{.permit = {std::move(leave.receipt.scope), leave.receipt.fence},
                              .first_seen = leave.receipt.created_at,
                              .lease_end = held.lease_end,
                              .attempt = leave.receipt.attempt,
                              .checkpoint = std::move(held.checkpoint),
                              .why = leave.why};
    };
    constexpr Span first_pause = std::chrono::milliseconds{1};
    constexpr Span longest_pause = std::chrono::milliseconds{50};
    JudgedCall<ClaimReply> call{"claim", session, question, bench};
    Span left = wait.at_most;
    for (Span pause = first_pause;; pause = std::min(pause * 2, longest_pause)) {
        ClaimReply reply = call.run(hold);
        if (left <= Span{0} || !std::holds_alternative<verdict::InProgress>(reply)) return reply;
        const Span length = std::min(pause, left);
        session.rest();
        bench.clock.pause(length);
        left -= length;
    }
}

}  // namespace counterfoil
