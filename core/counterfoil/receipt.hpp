#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "counterfoil/answer.hpp"
#include "counterfoil/field_digests.hpp"
#include "counterfoil/fingerprint.hpp"
#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/result.hpp"

namespace counterfoil {

/// A number that rises whenever a scope changes hands; a write that carries an older one is
/// refused.
struct Fence {
    std::int64_t number{};

    friend bool operator==(const Fence&, const Fence&) = default;
    friend auto operator<=>(const Fence&, const Fence&) = default;
};

/// The fence that follows: max(previous + 1, now in microseconds), at least 1. The time is in it so
/// that it does not fall back when the receipt was purged in between.
///
/// Returns: nothing when the previous one was the last there is; it never wraps.
[[nodiscard]] std::optional<Fence> fence_after(std::optional<Fence> previous, Instant now);

/// The right to finish what was claimed.
struct Permit {
    Scope scope;
    Fence fence;

    friend bool operator==(const Permit&, const Permit&) = default;
};

enum class CheckpointFault {
    bad_name,       ///< not 1 to 255 bytes of printable ASCII
    note_not_json,  ///< `at` says where
    note_too_long,  ///< more than max_note_bytes in canonical form
};

struct CheckpointError {
    CheckpointFault fault{};
    std::size_t at{};

    friend bool operator==(const CheckpointError&, const CheckpointError&) = default;
};

/// A named step that a claim has reached, with a note for whoever goes on from there.
class Checkpoint {
public:
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// Canonical JSON.
    [[nodiscard]] const std::string& note() const noexcept { return note_; }

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;

private:
    friend Result<Checkpoint, CheckpointError> parse_checkpoint(std::string_view, std::string_view,
                                                                std::size_t);

    Checkpoint(std::string name, std::string note)
        : name_(std::move(name)), note_(std::move(note)) {}

    std::string name_;
    std::string note_;
};

/// Makes a checkpoint of a name and a small JSON document, `null` where there is nothing to note.
[[nodiscard]] Result<Checkpoint, CheckpointError> parse_checkpoint(std::string_view name,
                                                                   std::string_view note,
                                                                   std::size_t max_note_bytes);

enum class UnknownCause {
    lease_lapsed,        ///< the lease is over and nobody may take over, or nobody came
    attempts_exhausted,  ///< it was claimed as often as the policy allows
    marked,              ///< whoever held it said so
};

/// How a receipt that has become a tombstone ended.
struct Ending {
    int status{};
    Instant completed_at;
    std::optional<std::string> reference{};

    friend bool operator==(const Ending&, const Ending&) = default;
};

namespace state {

struct InProgress {
    Instant lease_end;  ///< exclusive
    std::optional<Checkpoint> checkpoint{};

    friend bool operator==(const InProgress&, const InProgress&) = default;
};

/// Its windows were fixed when it completed, by the policy of that time: a client keeps the window
/// that it was promised.
struct Completed {
    Answer answer;
    Instant completed_at;
    Instant replay_until;  ///< exclusive; not before completed_at
    Instant forget_at;     ///< exclusive; not before replay_until

    friend bool operator==(const Completed&, const Completed&) = default;
};

struct Unknown {
    Instant since;
    UnknownCause cause{};
    std::optional<Checkpoint> checkpoint{};

    friend bool operator==(const Unknown&, const Unknown&) = default;
};

/// The stub that stays when the answer is dropped.
struct Tombstone {
    Ending ended;
    Instant since;
    Instant forget_at;  ///< exclusive

    friend bool operator==(const Tombstone&, const Tombstone&) = default;
};

}  // namespace state

using State = std::variant<state::InProgress, state::Completed, state::Unknown, state::Tombstone>;

/// Keeps a receipt from being forgotten until somebody lifts it.
struct Hold {
    std::string by;
    std::string reason;
    Instant since;

    friend bool operator==(const Hold&, const Hold&) = default;
};

/// All that is remembered of one scope.
struct Receipt {
    Scope scope;
    Fingerprint fingerprint;
    Fence fence;
    Instant created_at;       ///< of the first claim; a takeover keeps it
    std::int64_t attempt{1};  ///< how often it has been claimed, from 1
    State state;
    std::optional<FieldDigests> fields{};
    std::optional<Hold> hold{};

    friend bool operator==(const Receipt&, const Receipt&) = default;
};

/// How it ended, for when the answer itself is dropped.
[[nodiscard]] Ending ending_of(const state::Completed& completed);

/// When the receipt is as good as gone: forget_at of what has ended. Nothing for what is in
/// progress or unknown, and nothing while a hold is on it.
[[nodiscard]] std::optional<Instant> forgotten_from(const Receipt& receipt);

/// Write: put `receipt` in the place of the one whose fence is `expected`; not if that has moved.
struct Replace {
    Receipt receipt;
    Fence expected;

    friend bool operator==(const Replace&, const Replace&) = default;
};

/// Write: take away the receipt of `scope` whose fence is `expected`; not if that has moved.
struct Erase {
    Scope scope;
    Fence expected;

    friend bool operator==(const Erase&, const Erase&) = default;
};

}  // namespace counterfoil
