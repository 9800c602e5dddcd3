#pragma once

#include <optional>

#include "counterfoil/judge.hpp"
#include "counterfoil/settle.hpp"

namespace counterfoil {

/// The core as the protocol asks it: every function here is the core's of the same name.
///
/// There is one that is right, and everybody uses that. It can be exchanged so that a simulation or
/// the tests of a store may put a decider in its place that is broken on purpose, and show that
/// they would find it.
///
/// Threads: any.
class Decisions {
public:
    Decisions() = default;
    Decisions(const Decisions&) = delete;
    Decisions& operator=(const Decisions&) = delete;
    virtual ~Decisions() = default;

    [[nodiscard]] virtual Verdict judge(const Request& request, std::optional<Receipt>&& found,
                                        Instant now, const Policy& policy) const;
    [[nodiscard]] virtual std::optional<Refusal> refusal_of(const std::optional<Receipt>& found,
                                                            const Permit& permit) const;
    [[nodiscard]] virtual Completion complete(const std::optional<Receipt>& found,
                                              const Permit& permit, Outcome outcome, Instant now,
                                              const Policy& policy) const;
    [[nodiscard]] virtual Renewal renew(const std::optional<Receipt>& found, const Permit& permit,
                                        Instant now, const Policy& policy) const;
    [[nodiscard]] virtual Checkpointing checkpoint(const std::optional<Receipt>& found,
                                                   const Permit& permit, Checkpoint reached,
                                                   Instant now) const;
    [[nodiscard]] virtual Release release(const std::optional<Receipt>& found,
                                          const Permit& permit) const;
    [[nodiscard]] virtual Marking mark_unknown(const std::optional<Receipt>& found,
                                               const Permit& permit, Instant now) const;
    [[nodiscard]] virtual Abandonment abandon(const std::optional<Receipt>& found,
                                              const Permit& permit, Effect effect, Instant now,
                                              const Policy& policy) const;
    [[nodiscard]] virtual Resolving resolve(const std::optional<Receipt>& found,
                                            const Permit& permit, Resolution resolution,
                                            Instant now, const Policy& policy) const;
};

/// The core's own.
[[nodiscard]] const Decisions& core_decisions();

}  // namespace counterfoil
