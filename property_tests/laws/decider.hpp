#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <counterfoil/answer.hpp>
#include <counterfoil/downstream_key.hpp>
#include <counterfoil/judge.hpp>
#include <counterfoil/retention.hpp>
#include <counterfoil/settle.hpp>

namespace counterfoil {

/// All that decides, as values that can be exchanged: the laws hold of any decider, the mutants are
/// deciders that break one.
struct Decider {
    std::function<Verdict(const Request&, std::optional<Receipt>, Instant, const Policy&)> judge;
    std::function<Completion(const std::optional<Receipt>&, const Permit&, Outcome, Instant,
                             const Policy&)>
        complete;
    std::function<Renewal(const std::optional<Receipt>&, const Permit&, Instant, const Policy&)>
        renew;
    std::function<Checkpointing(const std::optional<Receipt>&, const Permit&, Checkpoint, Instant)>
        checkpoint;
    std::function<Release(const std::optional<Receipt>&, const Permit&)> release;
    std::function<Marking(const std::optional<Receipt>&, const Permit&, Instant)> mark_unknown;
    std::function<Abandonment(const std::optional<Receipt>&, const Permit&, Effect, Instant,
                              const Policy&)>
        abandon;
    std::function<Resolving(const std::optional<Receipt>&, const Permit&, Resolution, Instant,
                            const Policy&)>
        resolve;
    std::function<Retention(const Receipt&, Instant, const Policy&)> sweep;
    std::function<std::optional<Fence>(std::optional<Fence>, Instant)> fence_after;
    std::function<Answer(Answer, Exposure, const AnswerLimits&)> stored_form;
    std::function<Disposition(const Dispositions&, int, Effect)> disposition;
    std::function<std::string(const Scope&, Instant, std::string_view)> downstream_key;
};

/// The library's own.
Decider sound();

}  // namespace counterfoil
