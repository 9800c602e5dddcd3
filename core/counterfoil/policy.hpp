#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counterfoil/answer.hpp"
#include "counterfoil/field_digests.hpp"
#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/result.hpp"
#include "counterfoil/scheme.hpp"

namespace counterfoil {

/// What becomes of a claim whose lease is over.
enum class OnLapse {
    take_over,  ///< the next equal request runs it again, under a higher fence
    unknown,    ///< nobody runs it again until somebody says what happened
};

/// What becomes of a key that is not found but was made before the store's memory begins.
enum class OldKeys {
    create,  ///< it is taken as new
    refuse,  ///< it is expired: it may have been seen and forgotten
};

/// The figures for one operation, before anybody has looked whether they make sense.
struct PolicyFigures {
    Span lease{std::chrono::seconds{30}};  ///< how long a permit keeps others out
    Span max_skew{0};                      ///< how far the clocks that judge may lie apart
    Span replay_window{
        std::chrono::hours{24}};  ///< how long the answer is given again, from completion
    Span tombstone_window{
        std::chrono::days{30}};  ///< how long the scope is remembered, from completion
    Span abandon_after{
        std::chrono::hours{1}};    ///< from the lease's end until a sweep calls it unknown
    std::int64_t max_attempts{5};  ///< how often one receipt may be claimed
    OnLapse on_lapse{OnLapse::take_over};
    OldKeys old_keys{OldKeys::create};
    Scheme scheme;  ///< how the fingerprints of new receipts are made
    KeyRules key_rules;
    Dispositions answers;
    AnswerLimits answer_limits;
    std::size_t max_depth{128};         ///< how deep an intent may nest
    std::size_t max_note_bytes{4'096};  ///< how long a checkpoint's note may be
    /// What a receipt keeps so that a conflict can name the fields that differ; nothing by default.
    std::optional<FieldDigestRules> conflict_detail{};

    friend bool operator==(const PolicyFigures&, const PolicyFigures&) = default;
};

/// What a policy has to fit: the service and the clients around it.
struct ServiceBounds {
    Span client_retry_window;  ///< for how long clients go on retrying one request
    Span handler_budget;       ///< the longest that a handler may take

    friend bool operator==(const ServiceBounds&, const ServiceBounds&) = default;
};

enum class PolicyFaultKind {
    not_json,      ///< the text can't be read at all
    unknown_name,  ///< a member that no policy has
    wrong_type,    ///< a value of another JSON type than is asked for
    bad_value,     ///< the right type, but no such span, number, choice, scheme, byte range, name
                   ///< of an operation or a header field, or id of a secret
    lease_not_positive,
    lease_below_handler_budget,
    lease_not_below_replay_window,
    replay_window_below_client_retry_window,
    tombstone_window_below_replay_window,
    negative_span,         ///< max_skew, abandon_after, or a bound of the service
    no_attempts,           ///< max_attempts below 1
    zero_limit,            ///< a limit of 0; min_length is one, since an empty key never passes
    key_rules_unmeetable,  ///< no key at all could pass
    field_never_kept,      ///< kept_fields names one that is_never_kept()
};

/// One thing that is wrong with a policy.
struct PolicyFault {
    PolicyFaultKind kind{};
    std::string pointer;  ///< JSON Pointer to the figure, in the policy or in the file it came
                          ///< from; empty for a bound of the service and for a file as a whole
    std::string detail;   ///< a sentence with the figures; may hold any text of the file

    friend bool operator==(const PolicyFault&, const PolicyFault&) = default;
};

/// Figures that fit together. Made only by validate(), so that whoever holds one need not look
/// again.
class Policy {
public:
    [[nodiscard]] const PolicyFigures& figures() const noexcept { return figures_; }

    const PolicyFigures* operator->() const noexcept { return &figures_; }

    friend bool operator==(const Policy&, const Policy&) = default;

private:
    friend Result<Policy, std::vector<PolicyFault>> validate(PolicyFigures, const ServiceBounds&);

    explicit Policy(PolicyFigures figures) : figures_(std::move(figures)) {}

    PolicyFigures figures_;
};

/// Makes a policy of figures, or names every fault in them, in the order of PolicyFaultKind.
///
/// A lease may equal the handler's budget but not the replay window; each later window may equal
/// the one before it. The scheme's name must parse (scheme.hpp), kept_fields must be names that a
/// header can have, and conflict_detail must name a secret. Pointers are those of the members that
/// parse_policy_book reads, `/key_rules/max_length`; a fault of two figures points to the one that
/// its kind names first.
[[nodiscard]] Result<Policy, std::vector<PolicyFault>> validate(PolicyFigures figures,
                                                                const ServiceBounds& bounds);

/// From operation to policy, with a default for every operation that has none of its own.
class PolicyBook {
public:
    explicit PolicyBook(Policy fallback) : fallback_(std::move(fallback)) {}

    /// Sets the policy of one operation, in place of an earlier one.
    void set(Operation operation, Policy policy);

    /// The policy for an operation: its own, or else the default.
    [[nodiscard]] const Policy& policy_for(const Operation& operation) const;

    [[nodiscard]] const Policy& fallback() const noexcept { return fallback_; }

    [[nodiscard]] const std::map<Operation, Policy>& operations() const noexcept { return own_; }

    friend bool operator==(const PolicyBook&, const PolicyBook&) = default;

private:
    Policy fallback_;
    std::map<Operation, Policy> own_;
};

/// Reads a policy book, or names every fault in it, each with the JSON Pointer where it stands.
///
/// ```json
/// { "default":    { "lease": "30s", "replay_window": "24h" },
///   "operations": { "charge": { "replay_window": "48h", "on_lapse": "unknown" } } }
/// ```
///
/// Both members may be missing, and in a policy every one of these:
///
///   lease, max_skew, replay_window,       spans as text: a whole number and one of us, ms, s, m,
///   tombstone_window, abandon_after       h, d, as in "30s" (span_text.hpp)
///   max_attempts, max_body_bytes,         integers: 5.0 and 5e0 are refused
///   max_depth, max_note_bytes
///   on_lapse, old_keys                    the words of their enumerators
///   scheme                                a scheme's name
///   key_rules                             {min_length, max_length: integers,
///                                         allowed: ["21-7e", "20"], ranges of bytes, hexadecimal}
///   answers                               {"2xx": "keep", "404": "release", "503": "unknown"};
///                                         null for a status leaves it to its class
///   kept_fields                           a list of names
///   conflict_detail                       null, or {secret: text, depth, max_fields: integers}
///
/// A figure that an operation leaves out is the default's; one that the default leaves out is that
/// of PolicyFigures. The same holds inside key_rules, answers and conflict_detail. A list replaces
/// the one that is inherited.
///
/// Errors: not_json alone, its detail saying what and at which byte; a member that stands twice in
///         an object is one. Otherwise all faults, policy by policy as they stand in the file, and
///         of each first what can't be read, as it stands, then what does not fit, in the order of
///         PolicyFaultKind. What does not fit is told once: an operation is told what it says
///         itself, at the figure that it gives, and nothing that follows from a figure that could
///         not be read.
[[nodiscard]] Result<PolicyBook, std::vector<PolicyFault>> parse_policy_book(
    std::string_view json, const ServiceBounds& bounds);

/// The book as JSON that parse_policy_book reads back to an equal book: every figure spelt out, on
/// one line.
[[nodiscard]] std::string to_json(const PolicyBook& book);

}  // namespace counterfoil
