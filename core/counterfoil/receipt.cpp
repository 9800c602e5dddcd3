#include "counterfoil/receipt.hpp"

#include <algorithm>
#include <limits>

#include "counterfoil/canonical_json.hpp"
#include "counterfoil/overloaded.hpp"

namespace counterfoil {

std::optional<Fence> fence_after(std::optional<Fence> previous, Instant now) {
    const std::int64_t last = previous ? std::max<std::int64_t>(previous->number, 0) : 0;
    if (last == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return Fence{std::max(last + 1, now.time_since_epoch().count())};
}

Result<Checkpoint, CheckpointError> parse_checkpoint(std::string_view name, std::string_view note,
                                                     std::size_t max_note_bytes) {
    // A step is named as an operation is: it is read in the same places, by the same people.
    const auto step = parse_operation(name);
    if (!step) return CheckpointError{CheckpointFault::bad_name, step.error().at};

    Canonicalizer canonicalizer;
    const auto canonical = canonicalizer.canonicalize(note);
    if (!canonical) return CheckpointError{CheckpointFault::note_not_json, canonical.error().at};
    if (canonical->size() > max_note_bytes)
        return CheckpointError{CheckpointFault::note_too_long, max_note_bytes};
    return Checkpoint{step->text(), std::string{*canonical}};
}

Ending ending_of(const state::Completed& completed) {
    return Ending{completed.answer.status, completed.completed_at, completed.answer.reference};
}

std::optional<Instant> forgotten_from(const Receipt& receipt) {
    if (receipt.hold) return std::nullopt;
    return std::visit(
        overloaded{
            [](const state::InProgress&) -> std::optional<Instant> { return std::nullopt; },
            [](const state::Completed& completed) -> std::optional<Instant> {
                return completed.forget_at;
            },
            [](const state::Unknown&) -> std::optional<Instant> { return std::nullopt; },
            [](const state::Tombstone& tombstone) -> std::optional<Instant> {
                return tombstone.forget_at;
            },
        },
        receipt.state);
}

}  // namespace counterfoil
