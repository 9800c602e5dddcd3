#pragma once

#include <optional>
#include <string>

#include "counterfoil/answer.hpp"
#include "counterfoil/receipt.hpp"
#include "counterfoil/sqlite/row.hpp"

namespace counterfoil::sqlite {

template <class Value>
[[nodiscard]] const Value* pointer_to(const std::optional<Value>& value) {
    return value ? &*value : nullptr;
}

/// What a state has of the columns that not every state has; borrowed from the receipt.
struct StateCells {
    std::optional<Instant> lease_end{};
    std::optional<Instant> since{};
    std::optional<UnknownCause> cause{};
    std::optional<Instant> completed_at{};
    std::optional<Instant> replay_until{};
    std::optional<Instant> forget_at{};
    std::optional<int> status{};
    const std::string* reference{};
    const Checkpoint* checkpoint{};
    std::optional<std::string> fields{};  // as lines
    std::optional<Omission> omitted{};
    const std::string* body{};
};

[[nodiscard]] StateCells cells_of(const State& state);

/// The cells that hold an answer.
[[nodiscard]] StateCells cells_of(const Answer& answer);

// What comes from disk is checked like input.
//
// Errors: StoreError corrupt, naming the scope and what is wrong with the row.

[[nodiscard]] State read_state(const Row& row);
[[nodiscard]] Answer read_answer(const Row& row);

}  // namespace counterfoil::sqlite
