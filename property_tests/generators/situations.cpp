#include "generators/situations.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <counterfoil/describe.hpp>

#include "generators/values.hpp"

namespace counterfoil {

std::ostream& operator<<(std::ostream& out, Likeness likeness) {
    switch (likeness) {
        case Likeness::same: return out << "same";
        case Likeness::other: return out << "other";
        case Likeness::incomparable: return out << "incomparable";
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const Situation& situation) {
    return out << "\n  " << describe(situation.request) << "\n  found "
               << (situation.found ? describe(*situation.found) : "nothing") << "\n  now "
               << describe(situation.now) << "\n  " << describe(situation.policy);
}

namespace gen {

namespace {

constexpr std::int64_t ticks = 25;

Instant at(std::int64_t us) {
    return Instant{Span{us}};
}

Digest digest_of(int number) {
    Digest digest;
    digest.bytes.fill(static_cast<std::uint8_t>(number));
    return digest;
}

rc::Gen<Digest> digest() {
    return rc::gen::map(rc::gen::inRange(0, 3), digest_of);
}

const std::vector<std::string>& schemes() {
    static const std::vector<std::string> names{"exact-json", "raw", "of-another-time"};
    return names;
}

template <class Value>
rc::Gen<std::optional<Value>> perhaps(rc::Gen<Value> value) {
    return rc::gen::oneOf(
        rc::gen::just(std::optional<Value>{}),
        rc::gen::map(std::move(value), [](Value one) { return std::optional{std::move(one)}; }));
}

// Instants in ascending order, for windows that follow one another.
rc::Gen<std::vector<Instant>> ascending(std::size_t count) {
    return rc::gen::map(rc::gen::container<std::vector<Instant>>(count, instant()),
                        [](std::vector<Instant> all) {
                            std::sort(all.begin(), all.end());
                            return all;
                        });
}

rc::Gen<FieldDigests> field_digests() {
    return rc::gen::map(
        rc::gen::container<std::vector<int>>(3, rc::gen::inRange(0, 3)),
        [](const std::vector<int>& values) {
            FieldDigests digests{
                .rules = FieldDigestRules{.secret = "k", .depth = 2, .max_fields = 64},
                .fields = {},
                .left_out = 0};
            const std::vector<std::string> pointers{"/actor", "/body/amount", "/body/to"};
            for (std::size_t i = 0; i < pointers.size(); ++i) {
                if (values[i] == 0) continue;  // the field is absent
                FieldDigest field{.pointer = pointers[i], .digest = {}};
                field.digest.fill(static_cast<std::uint8_t>(values[i]));
                digests.fields.push_back(std::move(field));
            }
            return digests;
        });
}

rc::Gen<Fence> fence() {
    return rc::gen::weightedOneOf<Fence>(
        {{19, rc::gen::map(rc::gen::inRange<std::int64_t>(1, ticks),
                           [](std::int64_t n) { return Fence{n}; })},
         {1, rc::gen::map(rc::gen::inRange<std::int64_t>(0, 2), [](std::int64_t n) {
              return Fence{std::numeric_limits<std::int64_t>::max() - n};
          })}});
}

// A digest that is not this one.
rc::Gen<Digest> another(const Digest& digest) {
    return rc::gen::map(rc::gen::inRange(1, 3),
                        [digest](int step) { return digest_of((digest.bytes[0] + step) % 3); });
}

}  // namespace

rc::Gen<Instant> instant() {
    return rc::gen::weightedOneOf<Instant>(
        {{19, rc::gen::map(rc::gen::inRange<std::int64_t>(0, ticks), at)},
         {1, rc::gen::element(Instant::min(), Instant::max(), Instant::max() - Span{1})}});
}

rc::Gen<Fingerprint> fingerprint() {
    return rc::gen::apply(
        [](std::string scheme, Digest digest) {
            return Fingerprint{{std::move(scheme)}, digest};
        },
        rc::gen::elementOf(schemes()), digest());
}

rc::Gen<std::optional<Checkpoint>> checkpoint() {
    return perhaps(rc::gen::map(
        rc::gen::element<std::string>("charged", "booked"),
        [](const std::string& name) { return parse_checkpoint(name, R"({"id":7})", 64).value(); }));
}

rc::Gen<Outcome> outcome() {
    return rc::gen::apply(
        [](Answer answer, Effect effect, Exposure exposure,
           std::optional<Disposition> disposition) {
            return Outcome{std::move(answer), effect, exposure, disposition};
        },
        answer(), rc::gen::element(Effect::not_begun, Effect::may_have_begun),
        rc::gen::element(Exposure::ordinary, Exposure::secret),
        perhaps(rc::gen::element(Disposition::keep, Disposition::release, Disposition::unknown)));
}

rc::Gen<Resolution> resolution() {
    return rc::gen::apply(
        [](bool applied, Answer answer, Exposure exposure, std::string by, std::string evidence) {
            Ruling ruling = ruling::NotApplied{};
            if (applied) ruling = ruling::Applied{std::move(answer), exposure};
            return Resolution{std::move(ruling), std::move(by), std::move(evidence)};
        },
        rc::gen::arbitrary<bool>(), answer(),
        rc::gen::element(Exposure::ordinary, Exposure::secret),
        rc::gen::element<std::string>("anna", "ben"),
        rc::gen::element<std::string>("provider log 17", "ticket 4"));
}

rc::Gen<State> in_progress() {
    return rc::gen::apply(
        [](Instant end, std::optional<Checkpoint> reached) {
            return State{state::InProgress{end, std::move(reached)}};
        },
        instant(), checkpoint());
}

rc::Gen<State> completed() {
    return rc::gen::apply(
        [](Answer answer, const std::vector<Instant>& when) {
            return State{state::Completed{std::move(answer), when[0], when[1], when[2]}};
        },
        answer(), ascending(3));
}

rc::Gen<State> unknown() {
    return rc::gen::apply(
        [](Instant since, UnknownCause cause, std::optional<Checkpoint> reached) {
            return State{state::Unknown{since, cause, std::move(reached)}};
        },
        instant(),
        rc::gen::element(UnknownCause::lease_lapsed, UnknownCause::attempts_exhausted,
                         UnknownCause::marked),
        checkpoint());
}

rc::Gen<State> tombstone() {
    return rc::gen::apply(
        [](int status, const std::vector<Instant>& when) {
            return State{state::Tombstone{Ending{status, when[0], std::nullopt}, when[1], when[2]}};
        },
        rc::gen::element(201, 402), ascending(3));
}

rc::Gen<State> state() {
    return rc::gen::oneOf(in_progress(), completed(), unknown(), tombstone());
}

rc::Gen<Receipt> receipt(rc::Gen<State> state) {
    return rc::gen::apply(
        [](Scope scope, Fingerprint fingerprint, Fence fence, Instant created_at,
           std::int64_t attempt, State which, std::optional<FieldDigests> fields) {
            return Receipt{
                std::move(scope), std::move(fingerprint), fence,       created_at, attempt,
                std::move(which), std::move(fields),      std::nullopt};
        },
        scope(), fingerprint(), fence(), instant(), rc::gen::inRange<std::int64_t>(1, 4),
        std::move(state), perhaps(field_digests()));
}

rc::Gen<Receipt> receipt() {
    return rc::gen::apply(
        [](Receipt receipt, int die) {
            if (die == 0) receipt.hold = Hold{"anna", "audit", Instant{}};
            return receipt;
        },
        receipt(state()), rc::gen::inRange(0, 5));
}

rc::Gen<Request> request_for(const Receipt& receipt, Likeness likeness) {
    const auto under_own_scheme = likeness == Likeness::same
                                      ? rc::gen::just(receipt.fingerprint.digest)
                                      : another(receipt.fingerprint.digest);
    const auto foreign_schemes =
        rc::gen::map(rc::gen::inRange<std::size_t>(0, schemes().size() - 1),
                     [own = receipt.fingerprint.scheme](std::size_t pick) {
                         std::vector<std::string> rest;
                         std::copy_if(schemes().begin(), schemes().end(), std::back_inserter(rest),
                                      [&](const std::string& name) { return name != own.text; });
                         return SchemeName{rest[pick]};
                     });
    return rc::gen::apply(
        [=](Digest comparable, const SchemeName& foreign, Digest unrelated,
            bool by_the_present_scheme, bool of_another_kind, std::optional<FieldDigests> fields) {
            Request request{receipt.scope, {foreign, unrelated}, std::move(fields), {}};
            if (likeness == Likeness::incomparable) return request;
            if (by_the_present_scheme) {
                request.fingerprint = {receipt.fingerprint.scheme, comparable};
            } else {
                const bool without_digest = likeness == Likeness::other && of_another_kind;
                request.others.push_back(
                    {receipt.fingerprint.scheme,
                     without_digest ? std::nullopt : std::optional{comparable}});
            }
            return request;
        },
        under_own_scheme, foreign_schemes, digest(), rc::gen::arbitrary<bool>(),
        rc::gen::arbitrary<bool>(), perhaps(field_digests()));
}

rc::Gen<Request> request() {
    return rc::gen::apply(
        [](Scope scope, Fingerprint fingerprint, std::optional<FieldDigests> fields) {
            return Request{std::move(scope), std::move(fingerprint), std::move(fields), {}};
        },
        scope(), fingerprint(), perhaps(field_digests()));
}

rc::Gen<Instant> instant_near(const Receipt& receipt, const Policy& policy) {
    std::vector<Instant> edges{receipt.created_at};
    if (const auto* held = std::get_if<state::InProgress>(&receipt.state)) {
        const Instant free_at = held->lease_end + policy->max_skew;
        edges.insert(edges.end(), {held->lease_end, free_at, free_at + policy->abandon_after});
    } else if (const auto* completed = std::get_if<state::Completed>(&receipt.state)) {
        edges.insert(edges.end(), {completed->replay_until, completed->forget_at});
    } else if (const auto* tombstone = std::get_if<state::Tombstone>(&receipt.state)) {
        edges.insert(edges.end(), {tombstone->since, tombstone->forget_at});
    }
    if (const auto born = birth(receipt.scope.key)) {
        edges.push_back(*born + policy->tombstone_window);
    }
    const auto beside =
        rc::gen::apply([](Instant edge, std::int64_t ticks_off) { return edge + Span{ticks_off}; },
                       rc::gen::elementOf(edges), rc::gen::inRange<std::int64_t>(-1, 2));
    return rc::gen::oneOf(beside, instant());
}

rc::Gen<Situation> situation(rc::Gen<Receipt> found, Likeness likeness) {
    return rc::gen::mapcat(
        rc::gen::pair(std::move(found), policy()),
        [likeness](const std::pair<Receipt, Policy>& both) {
            return rc::gen::apply(
                [both](Request request, Instant now) {
                    return Situation{std::move(request), both.first, now, both.second};
                },
                request_for(both.first, likeness), instant_near(both.first, both.second));
        });
}

rc::Gen<Situation> situation() {
    const auto nothing = rc::gen::apply(
        [](Request request, Instant now, Policy policy) {
            return Situation{std::move(request), std::nullopt, now, std::move(policy)};
        },
        request(), instant(), policy());
    return rc::gen::oneOf(nothing, situation(receipt(), Likeness::same),
                          situation(receipt(), Likeness::other),
                          situation(receipt(), Likeness::incomparable));
}

Policy valid(PolicyFigures figures) {
    auto policy =
        validate(std::move(figures), {.client_retry_window = Span{0}, .handler_budget = Span{0}});
    RC_ASSERT(policy.has_value());
    return *std::move(policy);
}

Policy with_old_keys(const Policy& policy, OldKeys old_keys) {
    auto figures = policy.figures();
    figures.old_keys = old_keys;
    return valid(std::move(figures));
}

Key key_born_at(std::int64_t unix_ms) {
    const auto ms = static_cast<unsigned long long>(unix_ms);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%08llx-%04llx-7abc-8def-0123456789ab",
                  (ms >> 16U) & 0xffffffffU, ms & 0xffffU);
    return parse_key(text.data()).value();
}

Permit permit_of(const Receipt& receipt) {
    return {receipt.scope, receipt.fence};
}

rc::Gen<Permit> stranger(const Receipt& receipt) {
    return rc::gen::map(rc::gen::element<std::int64_t>(-2, -1, 1, 2), [receipt](std::int64_t off) {
        // Downwards from the last fence there is, so that it stays another one.
        const bool last = receipt.fence.number > std::numeric_limits<std::int64_t>::max() - 3;
        return Permit{receipt.scope, Fence{receipt.fence.number + (last ? -std::abs(off) : off)}};
    });
}

}  // namespace gen
}  // namespace counterfoil
