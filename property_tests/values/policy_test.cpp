#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <counterfoil/policy.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/values.hpp"

namespace counterfoil {
namespace {

using namespace std::chrono_literals;
using Kind = PolicyFaultKind;

constexpr ServiceBounds no_bounds{Span{0}, Span{0}};
constexpr ServiceBounds bounds{Span{1h}, Span{10s}};

using Change = std::function<void(PolicyFigures&)>;

/// A fault without its sentence.
using Told = std::pair<Kind, std::string>;

std::vector<Told> told(const std::vector<PolicyFault>& faults) {
    std::vector<Told> all;
    for (const auto& fault : faults) {
        EXPECT_FALSE(fault.detail.empty());
        all.emplace_back(fault.kind, fault.pointer);
    }
    return all;
}

std::vector<Told> faults_after(const Change& change, const ServiceBounds& around = bounds) {
    PolicyFigures figures;
    change(figures);
    const auto policy = validate(figures, around);
    return policy ? std::vector<Told>{} : told(policy.error());
}

// In the order of PolicyFaultKind. Each change makes this one fault, whatever the others do.
const std::vector<std::pair<Change, Told>>& single_faults() {
    static const std::vector<std::pair<Change, Told>> all{
        {[](auto& f) { f.scheme.secret = ""; }, {Kind::bad_value, "/scheme"}},
        {[](auto& f) {
             f.answer_limits.kept_fields = {"Retry-After", "Retry After"};
         },
         {Kind::bad_value, "/kept_fields/1"}},
        {[](auto& f) {
             f.conflict_detail = FieldDigestRules{"", 2, 0};
         },
         {Kind::bad_value, "/conflict_detail/secret"}},
        {[](auto& f) { f.lease = Span{0}; }, {Kind::lease_not_positive, "/lease"}},
        {[](auto&) {}, {Kind::lease_below_handler_budget, "/lease"}},
        {[](auto& f) { f.replay_window = f.lease; },
         {Kind::lease_not_below_replay_window, "/lease"}},
        {[](auto&) {}, {Kind::replay_window_below_client_retry_window, "/replay_window"}},
        {[](auto& f) { f.tombstone_window = f.replay_window - Span{1}; },
         {Kind::tombstone_window_below_replay_window, "/tombstone_window"}},
        {[](auto& f) { f.max_skew = Span{-1}; }, {Kind::negative_span, "/max_skew"}},
        {[](auto& f) { f.abandon_after = Span{-1}; }, {Kind::negative_span, "/abandon_after"}},
        {[](auto& f) { f.max_attempts = 0; }, {Kind::no_attempts, "/max_attempts"}},
        {[](auto& f) { f.key_rules.min_length = 0; }, {Kind::zero_limit, "/key_rules/min_length"}},
        {[](auto& f) { f.key_rules.max_length = 0; }, {Kind::zero_limit, "/key_rules/max_length"}},
        {[](auto& f) { f.answer_limits.max_body_bytes = 0; },
         {Kind::zero_limit, "/max_body_bytes"}},
        {[](auto& f) { f.max_depth = 0; }, {Kind::zero_limit, "/max_depth"}},
        {[](auto& f) { f.max_note_bytes = 0; }, {Kind::zero_limit, "/max_note_bytes"}},
        {[](auto& f) {
             if (!f.conflict_detail) f.conflict_detail = FieldDigestRules{"k", 2, 0};
         },
         {Kind::zero_limit, "/conflict_detail/max_fields"}},
        {[](auto& f) { f.key_rules.allowed.reset().set(' ').set('\t'); },
         {Kind::key_rules_unmeetable, "/key_rules/allowed"}},
        {[](auto& f) { f.answer_limits.kept_fields.emplace_back("set-cookie"); },
         {Kind::field_never_kept, "/kept_fields/0"}},
    };
    return all;
}

// The bounds that make the faults which no figure makes alone.
ServiceBounds bounds_for(Kind kind) {
    auto around = bounds;
    if (kind == Kind::lease_below_handler_budget) around.handler_budget = 30s + 1us;
    if (kind == Kind::replay_window_below_client_retry_window) {
        around.client_retry_window = 24h + 1us;
    }
    if (kind == Kind::lease_not_positive) around.handler_budget = Span{0};
    if (kind == Kind::lease_not_below_replay_window) around.client_retry_window = Span{0};
    return around;
}

TEST(Validate, names_each_fault_on_its_own) {
    for (const auto& [change, expected] : single_faults()) {
        auto faults = faults_after(change, bounds_for(expected.first));
        // A conflict_detail without a secret was made without fields as well.
        if (expected.second == "/conflict_detail/secret") faults.pop_back();
        EXPECT_EQ(faults, std::vector{expected}) << expected.first << ' ' << expected.second;
    }
}

/// Figures with every fault but the first few, in bounds that make those which no figure makes
/// alone.
struct Rung {
    PolicyFigures figures;
    ServiceBounds around{Span{0}, Span{0}};
    std::vector<Told> expected;
};

Rung rung_without(std::size_t mended) {
    const auto& all = single_faults();
    Rung rung;
    for (auto i = mended; i < all.size(); ++i) {
        const auto& [change, fault] = all[i];
        if (fault.first == Kind::lease_below_handler_budget) rung.around.handler_budget = 31s;
        if (fault.first == Kind::replay_window_below_client_retry_window) {
            rung.around.client_retry_window = 25h;
        }
        change(rung.figures);
        rung.expected.push_back(fault);
    }
    // The list of kept fields has two entries before the last only while the first rungs stand.
    if (mended <= 1) rung.expected.back().second = "/kept_fields/2";
    return rung;
}

// The first rung has every fault, each next one lacks the first of those that are left.
TEST(Validate, names_all_faults_at_once_in_their_order) {
    for (std::size_t mended = 0; mended < single_faults().size(); ++mended) {
        const auto rung = rung_without(mended);
        EXPECT_EQ(told(validate(rung.figures, rung.around).error()), rung.expected)
            << "mended " << mended;
    }
    EXPECT_TRUE(validate({}, no_bounds).has_value());
}

TEST(Validate, lets_each_figure_go_to_its_boundary) {
    const std::vector<std::pair<Change, ServiceBounds>> passing{
        {[](auto&) {}, bounds},
        {[](auto& f) { f.lease = Span{1}; }, no_bounds},
        {[](auto&) {}, {Span{24h}, Span{30s}}},
        {[](auto& f) { f.lease = f.replay_window - Span{1}; }, bounds},
        {[](auto& f) { f.tombstone_window = f.replay_window; }, bounds},
        {[](auto& f) { f.replay_window = f.tombstone_window = Span::max(); }, bounds},
        {[](auto& f) { f.max_skew = f.abandon_after = Span{0}; }, bounds},
        {[](auto& f) { f.max_skew = f.abandon_after = Span::max(); }, bounds},
        {[](auto& f) { f.max_attempts = 1; }, bounds},
        {[](auto& f) { f.max_attempts = std::numeric_limits<std::int64_t>::max(); }, bounds},
        {[](auto& f) { f.key_rules.min_length = f.key_rules.max_length = 1; }, bounds},
        {[](auto& f) { f.key_rules.allowed.reset().set('\n'); }, bounds},
        {[](auto& f) { f.key_rules = KeyRules::widest(); }, bounds},
        {[](auto& f) { f.max_depth = f.max_note_bytes = 1; }, bounds},
        {[](auto& f) { f.answer_limits.max_body_bytes = 1; }, bounds},
        {[](auto& f) {
             f.conflict_detail = FieldDigestRules{"k", 0, 1};
         },
         bounds},
        {[](auto& f) {
             f.answer_limits.kept_fields = {"ETag", "x", "x"};
         },
         bounds},
    };
    for (std::size_t i = 0; i < passing.size(); ++i) {
        EXPECT_EQ(faults_after(passing[i].first, passing[i].second), std::vector<Told>{}) << i;
    }
}

TEST(Validate, sees_lengths_that_cross_and_bounds_that_are_negative) {
    EXPECT_EQ(faults_after([](auto& f) {
                  f.key_rules.min_length = 3;
                  f.key_rules.max_length = 2;
              }),
              (std::vector<Told>{{Kind::key_rules_unmeetable, "/key_rules/max_length"}}));
    EXPECT_EQ(faults_after([](auto&) {}, {Span{-1}, Span{-1}}),
              (std::vector<Told>{{Kind::negative_span, ""}, {Kind::negative_span, ""}}));
    EXPECT_EQ(faults_after([](auto& f) {
                  f.conflict_detail = FieldDigestRules{"\xFF", 2, 1};
              }),
              (std::vector<Told>{{Kind::bad_value, "/conflict_detail/secret"}}));
}

TEST(Validate, says_the_figures) {
    PolicyFigures figures;
    figures.tombstone_window = Span{1500ms};
    figures.max_attempts = -3;
    const auto policy = validate(figures, {Span{0}, Span{1min}});
    ASSERT_FALSE(policy.has_value());
    std::vector<std::string> details;
    for (const auto& fault : policy.error()) details.push_back(fault.detail);
    EXPECT_EQ(details, (std::vector<std::string>{
                           "lease is 30s, less than the handler's budget of 1m",
                           "tombstone_window is 1500ms, less than the replay_window of 1d",
                           "max_attempts is -3, and must be at least 1",
                       }));
}

RC_GTEST_PROP(ValidateLaws, what_is_valid_keeps_its_figures_and_what_is_not_names_a_fault, ()) {
    const auto some_span = rc::gen::map(rc::gen::inRange<std::int64_t>(-1, 4),
                                        [](std::int64_t us) { return Span{us}; });
    PolicyFigures figures;
    figures.lease = *some_span;
    figures.replay_window = *some_span;
    figures.tombstone_window = *some_span;
    figures.max_skew = *some_span;
    const ServiceBounds around{*some_span, *some_span};
    const bool fits = figures.lease > Span{0} && figures.lease >= around.handler_budget &&
                      figures.lease < figures.replay_window &&
                      figures.replay_window >= around.client_retry_window &&
                      figures.tombstone_window >= figures.replay_window &&
                      figures.max_skew >= Span{0} && around.client_retry_window >= Span{0} &&
                      around.handler_budget >= Span{0};
    const auto policy = validate(figures, around);
    RC_CLASSIFY(fits, "valid");
    RC_ASSERT(policy.has_value() == fits);
    if (policy) {
        RC_ASSERT(policy->figures() == figures);
    } else {
        RC_ASSERT(!policy.error().empty());
        RC_ASSERT(std::is_sorted(policy.error().begin(), policy.error().end(),
                                 [](const auto& a, const auto& b) { return a.kind < b.kind; }));
    }
}

TEST(PolicyBook, has_a_policy_for_every_operation) {
    PolicyFigures figures;
    figures.max_attempts = 7;
    const auto fallback = *validate({}, no_bounds);
    const auto own = *validate(figures, no_bounds);
    PolicyBook book{fallback};
    book.set(*parse_operation("charge"), fallback);
    book.set(*parse_operation("charge"), own);
    EXPECT_EQ(book.policy_for(*parse_operation("charge")), own);
    EXPECT_EQ(book.policy_for(*parse_operation("Charge")), fallback);
    EXPECT_EQ(book.operations().size(), 1U);
}

}  // namespace
}  // namespace counterfoil
