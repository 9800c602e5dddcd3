#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "generators/values.hpp"
#include "laws/law.hpp"

namespace counterfoil {

namespace {

void a_fence_is_above_the_one_before_and_not_below_the_time(const Decider& decider) {
    const auto now = *gen::instant();
    const auto last = std::numeric_limits<std::int64_t>::max();
    const auto previous = *rc::gen::element<std::optional<Fence>>(
        std::nullopt, Fence{1}, Fence{7}, Fence{24}, Fence{last - 1}, Fence{last});
    const auto next = decider.fence_after(previous, now);
    RC_ASSERT(next.has_value() == (previous != Fence{last}));
    if (!next) return;
    RC_ASSERT(*next > previous.value_or(Fence{}));
    RC_ASSERT(next->number >= now.time_since_epoch().count());
    RC_ASSERT((next->number == previous.value_or(Fence{}).number + 1 ||
               next->number == now.time_since_epoch().count()));
}

void one_receipt_and_step_has_one_downstream_key_and_no_other_has_it(const Decider& decider) {
    const auto scope = *gen::scope();
    const auto created_at = *gen::instant();
    const auto step = *rc::gen::element<std::string>("", "charge", "refund");
    const auto other_scope = *gen::scope();
    const auto other_created_at = *gen::instant();
    const auto other_step = *rc::gen::element<std::string>("", "charge", "refund");
    const bool same = scope == other_scope && created_at == other_created_at && step == other_step;
    RC_ASSERT((decider.downstream_key(scope, created_at, step) ==
               decider.downstream_key(other_scope, other_created_at, other_step)) == same);

    // One part changed, each in its turn: two random scopes seldom differ in just one.
    Scope moved = scope;
    moved.tenant = *rc::gen::distinctFrom(gen::tenant(), scope.tenant);
    RC_ASSERT(decider.downstream_key(moved, created_at, step) !=
              decider.downstream_key(scope, created_at, step));
    moved = scope;
    moved.operation = *rc::gen::distinctFrom(gen::operation(), scope.operation);
    RC_ASSERT(decider.downstream_key(moved, created_at, step) !=
              decider.downstream_key(scope, created_at, step));
    moved = scope;
    moved.key = *rc::gen::distinctFrom(gen::key(), scope.key);
    RC_ASSERT(decider.downstream_key(moved, created_at, step) !=
              decider.downstream_key(scope, created_at, step));
    RC_ASSERT(
        decider.downstream_key(scope, created_at, step) !=
        decider.downstream_key(
            scope, created_at > Instant{} ? created_at - Span{1} : created_at + Span{1}, step));
    RC_ASSERT(decider.downstream_key(scope, created_at, step) !=
              decider.downstream_key(scope, created_at, step + "2"));
}

void a_stored_answer_is_all_that_may_be_kept_and_says_what_is_missing(const Decider& decider) {
    const auto answer = *gen::answer();
    const auto exposure = *rc::gen::element(Exposure::ordinary, Exposure::secret);
    const auto limits = AnswerLimits{.max_body_bytes = *rc::gen::inRange<std::size_t>(1, 8),
                                     .kept_fields = {"X-Request-Cost", "Set-Cookie"}};
    const auto stored = decider.stored_form(answer, exposure, limits);
    RC_ASSERT(stored.status == answer.status);
    RC_ASSERT(stored.reference == answer.reference);

    if (const auto* bytes = std::get_if<body::Bytes>(&answer.body)) {
        const bool too_large = bytes->bytes.size() > limits.max_body_bytes;
        if (exposure == Exposure::secret)
            RC_ASSERT(stored.body == Body(body::Omitted{Omission::secret}));
        else if (too_large)
            RC_ASSERT(stored.body == Body(body::Omitted{Omission::too_large}));
        else
            RC_ASSERT(stored.body == answer.body);
    } else {
        RC_ASSERT(stored.body == answer.body);
    }

    std::vector<Field> expected;
    std::copy_if(answer.fields.begin(), answer.fields.end(), std::back_inserter(expected),
                 [](const Field& field) {
                     constexpr std::array<std::string_view, 5> kept{
                         "content-type", "content-encoding", "location", "etag", "x-request-cost"};
                     std::string name = field.name;
                     std::transform(name.begin(), name.end(), name.begin(), [](char c) {
                         return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
                     });
                     return std::find(kept.begin(), kept.end(), name) != kept.end();
                 });
    RC_ASSERT(stored.fields == expected);
    RC_ASSERT(decider.stored_form(stored, Exposure::ordinary, limits) == stored);
}

void the_default_table_keeps_releases_and_doubts_as_the_contract_says(const Decider& decider) {
    const auto status =
        *rc::gen::oneOf(rc::gen::inRange(90, 610),
                        rc::gen::element(400, 401, 403, 404, 408, 409, 412, 422, 425, 429, 503),
                        rc::gen::element(200, 201, 303, 402, 410, 500, 502, 504));
    const auto effect = *rc::gen::element(Effect::not_begun, Effect::may_have_begun);
    constexpr std::array<int, 11> corrected_retry_may_pass{400, 401, 403, 404, 408, 409,
                                                           412, 422, 425, 429, 503};
    const bool listed = std::find(corrected_retry_may_pass.begin(), corrected_retry_may_pass.end(),
                                  status) != corrected_retry_may_pass.end();
    const auto doubt =
        effect == Effect::may_have_begun ? Disposition::unknown : Disposition::release;
    const auto expected = listed                          ? Disposition::release
                          : status >= 200 && status < 500 ? Disposition::keep
                                                          : doubt;
    RC_ASSERT(decider.disposition(Dispositions{}, status, effect) == expected);
}

}  // namespace

std::vector<Law> value_laws() {
    return {
        {"a_fence_is_above_the_one_before_and_not_below_the_time",
         a_fence_is_above_the_one_before_and_not_below_the_time},
        {"one_receipt_and_step_has_one_downstream_key_and_no_other_has_it",
         one_receipt_and_step_has_one_downstream_key_and_no_other_has_it},
        {"a_stored_answer_is_all_that_may_be_kept_and_says_what_is_missing",
         a_stored_answer_is_all_that_may_be_kept_and_says_what_is_missing},
        {"the_default_table_keeps_releases_and_doubts_as_the_contract_says",
         the_default_table_keeps_releases_and_doubts_as_the_contract_says},
    };
}

}  // namespace counterfoil
