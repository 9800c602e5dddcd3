#include "step.hpp"

namespace payments {

std::string_view word(Step step) {
    switch (step) {
        case Step::before_claim: return "before_claim";
        case Step::claimed: return "claimed";
        case Step::checkpointed: return "checkpointed";
        case Step::sent: return "sent";
        case Step::charged: return "charged";
        case Step::row_written: return "row_written";
        case Step::completed: return "completed";
    }
    return {};
}

std::optional<Step> step_of(std::string_view text) {
    for (const Step step : {Step::before_claim, Step::claimed, Step::checkpointed, Step::sent,
                            Step::charged, Step::row_written, Step::completed}) {
        if (word(step) == text) return step;
    }
    return std::nullopt;
}

}  // namespace payments
