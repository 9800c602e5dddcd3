#pragma once

#include <functional>

#include "counterfoil/store/judged_call.hpp"
#include "counterfoil/store/reply.hpp"

namespace counterfoil {

/// Does the work of a request once, in one transaction with its receipt (Protocol::once).
[[nodiscard]] Reply once(Session& session, const Question& question, const Bench& bench,
                         const std::function<Outcome()>& work);

}  // namespace counterfoil
