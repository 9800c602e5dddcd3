#pragma once

#include <optional>
#include <string_view>

namespace payments {

/// What a worker has just done of a payment. It may die at each.
enum class Step {
    before_claim,  ///< nothing
    claimed,       ///< the claim is committed
    checkpointed,  ///< and so is that the provider is about to be called
    sent,          ///< the call is on its way; whether the provider has it can't be told
    charged,       ///< the provider has answered
    row_written,   ///< the row is written, and neither it nor the answer committed
    completed,     ///< row and answer are committed, and nobody was told
};

/// The step's name; nothing is the step of any other text.
[[nodiscard]] std::string_view word(Step step);
[[nodiscard]] std::optional<Step> step_of(std::string_view text);

}  // namespace payments
