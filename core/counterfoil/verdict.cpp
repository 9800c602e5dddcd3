#include "counterfoil/verdict.hpp"

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

const std::optional<Checkpoint>& verdict::TakeOver::checkpoint() const {
    return std::get<state::InProgress>(receipt.state).checkpoint;
}

const Why& why(const Verdict& verdict) {
    return std::visit([](const auto& which) -> const Why& { return which.why; }, verdict);
}

std::string_view word(const Verdict& verdict) {
    return std::visit(overloaded{
                          [](const verdict::Create&) { return "create"; },
                          [](const verdict::TakeOver&) { return "take_over"; },
                          [](const verdict::Replay&) { return "replay"; },
                          [](const verdict::Conflict&) { return "conflict"; },
                          [](const verdict::InProgress&) { return "in_progress"; },
                          [](const verdict::Unknown&) { return "unknown"; },
                          [](const verdict::Expired&) { return "expired"; },
                          [](const verdict::Incomparable&) { return "incomparable"; },
                      },
                      verdict);
}

}  // namespace counterfoil
