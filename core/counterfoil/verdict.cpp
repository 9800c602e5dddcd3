#include "counterfoil/verdict.hpp"

namespace counterfoil {

const std::optional<Checkpoint>& verdict::TakeOver::checkpoint() const {
    return std::get<state::InProgress>(receipt.state).checkpoint;
}

const Why& why(const Verdict& verdict) {
    return std::visit([](const auto& which) -> const Why& { return which.why; }, verdict);
}

std::string_view word(const Verdict& verdict) {
    return std::visit([](const auto& which) { return word(which); }, verdict);
}

std::string_view word(const verdict::Create& /*verdict*/) {
    return "create";
}

std::string_view word(const verdict::TakeOver& /*verdict*/) {
    return "take_over";
}

std::string_view word(const verdict::Replay& /*verdict*/) {
    return "replay";
}

std::string_view word(const verdict::Conflict& /*verdict*/) {
    return "conflict";
}

std::string_view word(const verdict::InProgress& /*verdict*/) {
    return "in_progress";
}

std::string_view word(const verdict::Unknown& /*verdict*/) {
    return "unknown";
}

std::string_view word(const verdict::Expired& /*verdict*/) {
    return "expired";
}

std::string_view word(const verdict::Incomparable& /*verdict*/) {
    return "incomparable";
}

}  // namespace counterfoil
