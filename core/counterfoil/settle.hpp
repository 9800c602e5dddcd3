#pragma once

#include <optional>
#include <string>
#include <variant>

#include "counterfoil/answer.hpp"
#include "counterfoil/instant.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/receipt.hpp"

namespace counterfoil {

/// Whether a transition came while its lease still ran.
enum class Timeliness {
    in_time,
    late,  ///< the lease was over, but nobody had taken over
};

/// What a handler has come to.
struct Outcome {
    Answer answer;
    Effect effect{Effect::may_have_begun};
    Exposure exposure{Exposure::ordinary};
    std::optional<Disposition> disposition{};  ///< instead of the policy's table

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

// What a transition comes to: a write to make, or why there is none.
namespace settled {

/// The receipt is completed with its answer.
struct Completed {
    Replace write;
    Timeliness timeliness{};
    friend bool operator==(const Completed&, const Completed&) = default;
};

/// The key is free again. The business transaction is to be rolled back with it.
struct Released {
    Erase write;
    friend bool operator==(const Released&, const Released&) = default;
};

/// The receipt says that nobody knows.
struct Uncertain {
    Replace write;
    friend bool operator==(const Uncertain&, const Uncertain&) = default;
};

struct Renewed {
    Replace write;
    Timeliness timeliness{};
    friend bool operator==(const Renewed&, const Renewed&) = default;
};

struct Checkpointed {
    Replace write;
    Timeliness timeliness{};
    friend bool operator==(const Checkpointed&, const Checkpointed&) = default;
};

}  // namespace settled

namespace refusal {

/// There is no receipt of that scope.
struct Lost {
    friend bool operator==(const Lost&, const Lost&) = default;
};

/// The scope has changed hands.
struct Fenced {
    Fence newest;
    friend bool operator==(const Fenced&, const Fenced&) = default;
};

/// It was completed under this very fence. A lost reply to a commit is answered by this.
struct AlreadyCompleted {
    Ending ended;
    std::optional<Answer> answer{};  ///< gone where only the tombstone is left
    friend bool operator==(const AlreadyCompleted&, const AlreadyCompleted&) = default;
};

/// Its holder may still be at work.
struct StillHeld {
    Instant until;  ///< lease end and skew
    friend bool operator==(const StillHeld&, const StillHeld&) = default;
};

}  // namespace refusal

using Completion = std::variant<settled::Completed, settled::Released, settled::Uncertain,
                                refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted>;
using Renewal =
    std::variant<settled::Renewed, refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted>;
using Checkpointing =
    std::variant<settled::Checkpointed, refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted>;
using Release =
    std::variant<settled::Released, refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted>;
using Marking =
    std::variant<settled::Uncertain, refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted>;
using Abandonment = std::variant<settled::Released, settled::Uncertain, refusal::Lost,
                                 refusal::Fenced, refusal::AlreadyCompleted>;

/// Why nothing may be done under a permit.
using Refusal = std::variant<refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted>;

// Every transition of a held receipt tells the first that holds:
//
//   lost               nothing is found, or what is found is of another scope
//   fenced             its fence is not the permit's
//   already_completed  it is completed or a tombstone
//   and otherwise what is asked for happens: the state is in_progress, or unknown under this fence.
//
// A lapsed lease whose fence is still the newest may do all of it: the fence is what protects.

/// Says which refusal every transition below would come to, or nothing where they may happen. For
/// whoever has work to do before complete(), so that it is not done in vain.
[[nodiscard]] std::optional<Refusal> refusal_of(const std::optional<Receipt>& found,
                                                const Permit& permit);

/// Ends a claim with an answer.
///
/// The outcome's disposition, or else the policy's table, says whether the answer is kept
/// (stored_form of it, with windows that begin now), the key released, or the receipt marked
/// unknown. From the second attempt on the table frees no key: an attempt before may have acted
/// under this receipt's downstream key, and the next receipt would have another. Where the table
/// says release, that is unknown.
[[nodiscard]] Completion complete(const std::optional<Receipt>& found, const Permit& permit,
                                  Outcome outcome, Instant now, const Policy& policy);

/// Begins the lease anew. What was unknown under this fence is in progress again.
///
/// The lease's end never moves back.
[[nodiscard]] Renewal renew(const std::optional<Receipt>& found, const Permit& permit, Instant now,
                            const Policy& policy);

/// Notes a step that was reached. The lease stays as it is.
[[nodiscard]] Checkpointing checkpoint(const std::optional<Receipt>& found, const Permit& permit,
                                       Checkpoint reached, Instant now);

/// Gives the key back: nothing happened, in this attempt and in those before it.
[[nodiscard]] Release release(const std::optional<Receipt>& found, const Permit& permit);

/// Says that nobody can know whether it happened. What is unknown already stays as it is.
[[nodiscard]] Marking mark_unknown(const std::optional<Receipt>& found, const Permit& permit,
                                   Instant now);

/// Ends a claim whose holder leaves without an answer.
///
/// It comes to what the policy's table says of a 500: by default the key is free where the effect
/// had not begun, and else nobody knows; nor does anybody in an attempt after the first. Where the
/// table would keep a 500 there is nothing to keep, so that is unknown as well.
[[nodiscard]] Abandonment abandon(const std::optional<Receipt>& found, const Permit& permit,
                                  Effect effect, Instant now, const Policy& policy);

namespace ruling {

/// It did happen, and this is the answer.
struct Applied {
    Answer answer;
    Exposure exposure{Exposure::ordinary};
    friend bool operator==(const Applied&, const Applied&) = default;
};

/// It did not happen, and won't.
struct NotApplied {
    friend bool operator==(const NotApplied&, const NotApplied&) = default;
};

}  // namespace ruling

using Ruling = std::variant<ruling::Applied, ruling::NotApplied>;

/// An operator's word on what was unknown.
struct Resolution {
    Ruling ruling;
    std::string by;        ///< who says so
    std::string evidence;  ///< on what ground
    friend bool operator==(const Resolution&, const Resolution&) = default;
};

/// The audit row that every resolve leaves.
struct ResolutionRecord {
    Scope scope;
    Fence fence;
    Instant resolved_at;
    State before;  ///< what the receipt was
    Ruling ruling;
    std::string by;
    std::string evidence;
    friend bool operator==(const ResolutionRecord&, const ResolutionRecord&) = default;
};

namespace settled {

struct ResolvedApplied {
    Replace write;
    ResolutionRecord record;
    friend bool operator==(const ResolvedApplied&, const ResolvedApplied&) = default;
};

struct ResolvedNotApplied {
    Erase write;
    ResolutionRecord record;
    friend bool operator==(const ResolvedNotApplied&, const ResolvedNotApplied&) = default;
};

}  // namespace settled

namespace refusal {

/// A resolve must say by whom and on what ground.
struct Unattributed {
    friend bool operator==(const Unattributed&, const Unattributed&) = default;
};

}  // namespace refusal

using Resolving =
    std::variant<settled::ResolvedApplied, settled::ResolvedNotApplied, refusal::Unattributed,
                 refusal::Lost, refusal::Fenced, refusal::AlreadyCompleted, refusal::StillHeld>;

/// Ends what is unknown, or in progress with its lease lapsed, on an operator's word.
///
/// The permit carries the fence that the operator was shown, so that a newer claim is never ended
/// by mistake. applied completes the receipt as complete() would keep it, whatever the answer's
/// status; not_applied frees the key. Told in this order: unattributed (by or evidence is empty),
/// lost, fenced, already_completed, still_held (now < lease end + max_skew).
[[nodiscard]] Resolving resolve(const std::optional<Receipt>& found, const Permit& permit,
                                Resolution resolution, Instant now, const Policy& policy);

}  // namespace counterfoil
