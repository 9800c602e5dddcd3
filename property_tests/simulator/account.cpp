#include "simulator/account.hpp"

#include <algorithm>

#include "simulator/stage.hpp"

namespace counterfoil {

bool Account::is_lapsed(Instant now) const {
    return is_open() && now >= lease_end + skew;
}

std::optional<Instant> Account::next_time(Instant now) const {
    if (is_open()) return lease_end + skew;
    if (!promise) return std::nullopt;
    return now < promise->replay_until ? promise->replay_until : promise->forget_at;
}

bool Account::knows(Fence fence) const {
    return std::find(given.begin(), given.end(), fence) != given.end();
}

bool Account::knows_birth(Instant birth) const {
    return std::find(births.begin(), births.end(), birth) != births.end();
}

std::string_view Account::refusal_due(Fence fence, std::uint64_t of_life) const {
    if (!is_live) return "lost";
    if (fence != newest || of_life != life) return "fenced";
    return promise ? "already_completed" : "";
}

}  // namespace counterfoil
