#pragma once

#include "counterfoil/store/claim_reply.hpp"
#include "counterfoil/store/judged_call.hpp"
#include "counterfoil/store/wait.hpp"

namespace counterfoil {

/// Asks for leave to do a request, and waits for a running twin (Protocol::claim).
[[nodiscard]] ClaimReply claim(Session& session, const Question& question, const Bench& bench,
                               const Wait& wait);

}  // namespace counterfoil
