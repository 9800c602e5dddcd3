#include "counterfoil/judge.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

namespace {

enum class Likeness { same, other, incomparable };

Likeness compare(const Request& request, const Fingerprint& stored) {
    if (request.fingerprint.scheme == stored.scheme) {
        return request.fingerprint.digest == stored.digest ? Likeness::same : Likeness::other;
    }
    const auto computed =
        std::find_if(request.others.begin(), request.others.end(),
                     [&](const OtherFingerprint& other) { return other.scheme == stored.scheme; });
    if (computed == request.others.end()) return Likeness::incomparable;
    return computed->digest == stored.digest ? Likeness::same : Likeness::other;
}

/// The instant from which a key that was made at `born` may have been seen and forgotten.
std::optional<Instant> memory_ends(const Key& key, const PolicyFigures& figures) {
    if (figures.old_keys != OldKeys::refuse) return std::nullopt;
    const auto born = birth(key);
    if (!born) return std::nullopt;
    return *born + figures.tombstone_window;
}

Receipt first_claim(const Request& request, Fence fence, Instant now,
                    const PolicyFigures& figures) {
    return Receipt{
        .scope = request.scope,
        .fingerprint = request.fingerprint,
        .fence = fence,
        .created_at = now,
        .attempt = 1,
        .state = state::InProgress{.lease_end = now + figures.lease, .checkpoint = std::nullopt},
        .fields = request.fields,
        .hold = std::nullopt};
}

// Digests of fields under two schemes differ where the schemes do, not the fields.
std::optional<std::vector<std::string>> what_differs(const Request& request, const Receipt& found) {
    const bool comparable = request.fields && found.fields &&
                            request.fields->rules == found.fields->rules &&
                            request.fingerprint.scheme == found.fingerprint.scheme;
    if (!comparable) return std::nullopt;
    return differing_fields(*request.fields, *found.fields);
}

// Rules 10 and 11. `lapsed` is the receipt whose lease is over; what is written is made of it.
Verdict judge_lapsed(Receipt lapsed, Instant free_at, Instant now, const PolicyFigures& figures) {
    auto checkpoint = std::move(std::get<state::InProgress>(lapsed.state).checkpoint);
    const bool attempts_left = lapsed.attempt < figures.max_attempts;
    const auto fence = fence_after(lapsed.fence, now);
    const Fence replaces = lapsed.fence;
    Why why{Rule::lease_lapsed, now, free_at, lapsed.attempt, figures.max_attempts};

    if (attempts_left && fence && figures.on_lapse == OnLapse::take_over) {
        // A clock that runs ahead lets a successor in too early. That costs a second run but never
        // a second answer: an older fence doesn't complete (settle.cpp).
        lapsed.fence = *fence;
        lapsed.attempt += 1;
        lapsed.state = state::InProgress{now + figures.lease, std::move(checkpoint)};
        return verdict::TakeOver{std::move(lapsed), replaces, why};
    }
    why.rule = Rule::no_takeover;
    const auto cause =
        attempts_left && fence ? UnknownCause::lease_lapsed : UnknownCause::attempts_exhausted;
    const Instant first_seen = lapsed.created_at;
    lapsed.state = state::Unknown{free_at, cause, std::move(checkpoint)};
    return verdict::Unknown{first_seen, free_at, cause, Replace{std::move(lapsed), replaces}, why};
}

// Rules 6 to 11. `Found` is `const Receipt&`, whose parts are copied into the verdict, or
// `Receipt`, whose parts are moved.
template <class Found>
Verdict judge_equal(Found&& found, Instant now, const PolicyFigures& figures) {
    const Instant first_seen = found.created_at;
    const auto attempt = found.attempt;
    return std::visit(
        overloaded{
            [&](state::Completed completed) -> Verdict {
                if (now < completed.replay_until) {
                    return verdict::Replay{std::move(completed.answer),
                                           first_seen,
                                           completed.completed_at,
                                           completed.replay_until,
                                           attempt,
                                           Why{.rule = Rule::inside_replay_window,
                                               .now = now,
                                               .boundary = completed.replay_until}};
                }
                return verdict::Expired{verdict::Seen{first_seen, ending_of(completed)},
                                        Why{.rule = Rule::past_replay_window,
                                            .now = now,
                                            .boundary = completed.replay_until}};
            },
            [&](const state::Tombstone& tombstone) -> Verdict {
                return verdict::Expired{verdict::Seen{first_seen, tombstone.ended},
                                        Why{.rule = Rule::past_replay_window, .now = now}};
            },
            [&](const state::Unknown& unknown) -> Verdict {
                return verdict::Unknown{first_seen, unknown.since, unknown.cause, std::nullopt,
                                        Why{.rule = Rule::outcome_unknown, .now = now}};
            },
            [&](const state::InProgress& held) -> Verdict {
                const Instant free_at = held.lease_end + figures.max_skew;
                if (now < free_at) {
                    return verdict::InProgress{std::min(free_at - now, figures.lease), first_seen,
                                               held.lease_end, attempt,
                                               Why{.rule = Rule::lease_running,
                                                   .now = now,
                                                   .boundary = free_at,
                                                   .attempt = attempt}};
                }
                return judge_lapsed(std::forward<Found>(found), free_at, now, figures);
            },
        },
        std::forward<Found>(found).state);
}

template <class Found>
Verdict judge_any(const Request& request, Found&& found, Instant now, const Policy& policy) {
    assert(!found || found->scope == request.scope);
    const PolicyFigures& figures = policy.figures();

    const auto forget_at = found ? forgotten_from(*found) : std::nullopt;
    const bool forgotten = forget_at && now >= *forget_at;
    const auto previous = found ? std::optional{found->fence} : std::nullopt;
    const auto next_fence = fence_after(previous, now);

    if ((!found || forgotten) && next_fence) {
        if (const auto end = memory_ends(request.scope.key, figures); end && now >= *end) {
            return verdict::Expired{
                verdict::MaybeSeen{*birth(request.scope.key)},
                Why{.rule = Rule::key_predates_memory, .now = now, .boundary = end}};
        }
        return verdict::Create{first_claim(request, *next_fence, now, figures), previous,
                               Why{.rule = forgotten ? Rule::forgotten : Rule::nothing_found,
                                   .now = now,
                                   .boundary = forget_at}};
    }
    switch (compare(request, found->fingerprint)) {
        case Likeness::incomparable:
            return verdict::Incomparable{found->fingerprint.scheme, found->created_at,
                                         Why{.rule = Rule::scheme_not_computable, .now = now}};
        case Likeness::other:
            return verdict::Conflict{found->created_at, what_differs(request, *found),
                                     Why{.rule = Rule::other_fingerprint, .now = now}};
        case Likeness::same: break;
    }
    return judge_equal(*std::forward<Found>(found), now, figures);
}

}  // namespace

Verdict judge(const Request& request, const std::optional<Receipt>& found, Instant now,
              const Policy& policy) {
    return judge_any(request, found, now, policy);
}

Verdict judge(const Request& request, std::optional<Receipt>&& found, Instant now,
              const Policy& policy) {
    return judge_any(request, std::move(found), now, policy);
}

}  // namespace counterfoil
