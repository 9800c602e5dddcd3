#pragma once

#include "counterfoil/store/decisions.hpp"
#include "laws/decider.hpp"

namespace counterfoil {

/// A decider in the place of the core, for the protocol. What it says of fences, stored forms and
/// the table takes the place of what its transitions made, where it is not the library's own.
class ExchangedDecisions final : public Decisions {
public:
    /// `decider` is borrowed and outlives it.
    explicit ExchangedDecisions(const Decider& decider) : decider_{decider} {}

    [[nodiscard]] Verdict judge(const Request& request, std::optional<Receipt>&& found, Instant now,
                                const Policy& policy) const override;

    /// Nothing: a completion under a bad permit must get as far as the decider's own complete().
    [[nodiscard]] std::optional<Refusal> refusal_of(const std::optional<Receipt>& found,
                                                    const Permit& permit) const override;

    [[nodiscard]] Completion complete(const std::optional<Receipt>& found, const Permit& permit,
                                      Outcome outcome, Instant now,
                                      const Policy& policy) const override;
    [[nodiscard]] Renewal renew(const std::optional<Receipt>& found, const Permit& permit,
                                Instant now, const Policy& policy) const override;
    [[nodiscard]] Checkpointing checkpoint(const std::optional<Receipt>& found,
                                           const Permit& permit, Checkpoint reached,
                                           Instant now) const override;
    [[nodiscard]] Release release(const std::optional<Receipt>& found,
                                  const Permit& permit) const override;
    [[nodiscard]] Marking mark_unknown(const std::optional<Receipt>& found, const Permit& permit,
                                       Instant now) const override;
    [[nodiscard]] Abandonment abandon(const std::optional<Receipt>& found, const Permit& permit,
                                      Effect effect, Instant now,
                                      const Policy& policy) const override;
    [[nodiscard]] Resolving resolve(const std::optional<Receipt>& found, const Permit& permit,
                                    Resolution resolution, Instant now,
                                    const Policy& policy) const override;

private:
    const Decider& decider_;
};

}  // namespace counterfoil
