#include "counterfoil/reconcile.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <counterfoil/downstream_key.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace counterfoil {
namespace {

constexpr Instant now{Span{1'000}};
constexpr Span grace{100};

Scope scope_of(const char* tenant, const char* operation) {
    return {parse_tenant(tenant).value(), parse_operation(operation).value(),
            parse_key("k").value()};
}

Scope some_scope() {
    return scope_of("acme", "charge");
}

rc::Gen<std::string> key() {
    return rc::gen::element<std::string>("a", "b", "c", "d");
}

rc::Gen<Money> money() {
    return rc::gen::apply(
        [](const std::string& amount, const std::string& currency) {
            Money both;
            if (!amount.empty()) both.amount = amount;
            if (!currency.empty()) both.currency = currency;
            return both;
        },
        rc::gen::element<std::string>("", "12.5", "13"),
        rc::gen::element<std::string>("", "EUR", "USD"));
}

rc::Gen<Instant> at() {
    return rc::gen::map(rc::gen::element<std::int64_t>(1, 2, 899, 900, 901, 1'000),
                        [](std::int64_t us) { return Instant{Span{us}}; });
}

rc::Gen<Standing> standing() {
    return rc::gen::element(Standing::applied, Standing::not_applied, Standing::open);
}

std::vector<OurEffect> ours() {
    std::vector<OurEffect> all;
    for (const char* one : {"a", "b", "c", "d"}) {
        if (!*rc::gen::arbitrary<bool>()) continue;
        const Instant ended = *at();
        all.push_back(
            {one,
             scope_of(*rc::gen::element("acme", "zeta"), *rc::gen::element("charge", "refund")),
             *standing(), *money(), ended, std::min(ended, *at())});
    }
    return all;
}

std::vector<ProviderEntry> theirs() {
    return *rc::gen::container<std::vector<ProviderEntry>>(rc::gen::apply(
        [](std::string of, bool applied, Money how_much, Instant when) {
            return ProviderEntry{std::move(of), applied ? Standing::applied : Standing::not_applied,
                                 std::move(how_much), when};
        },
        key(), rc::gen::arbitrary<bool>(), money(), at()));
}

std::vector<const std::vector<Comparison>*> groups(const Reconciliation& result) {
    return {&result.matched, &result.only_ours, &result.only_theirs, &result.differing,
            &result.pending};
}

// The mutant that each law was seen to kill stands behind its name.

RC_GTEST_PROP(Reconcile, tells_every_key_once_with_all_that_is_known_of_it,
              ()) {  // first line only
    const auto our_side = ours();
    const auto their_side = theirs();
    std::map<std::string, std::size_t> lines;
    for (const OurEffect& effect : our_side) lines[effect.key];
    for (const ProviderEntry& entry : their_side) ++lines[entry.key];
    std::size_t told = 0;
    const Reconciliation result = reconcile(our_side, their_side, now, grace);
    for (const auto* group : groups(result)) {
        for (const Comparison& one : *group) {
            ++told;
            RC_ASSERT(lines.count(one.key) == 1U);
            RC_ASSERT(one.theirs.size() == lines.at(one.key));
            RC_ASSERT(std::is_sorted(
                one.theirs.begin(), one.theirs.end(),
                [](const auto& left, const auto& right) { return left.at < right.at; }));
        }
    }
    RC_ASSERT(told == lines.size());
}

RC_GTEST_PROP(Reconcile, does_not_depend_on_the_order_of_ours, ()) {  // `ours` of the first only
    auto our_side = ours();
    const auto their_side = theirs();
    const Reconciliation before = reconcile(our_side, their_side, now, grace);
    std::reverse(our_side.begin(), our_side.end());
    RC_ASSERT(reconcile(our_side, their_side, now, grace) == before);
}

RC_GTEST_PROP(Reconcile, finds_nothing_in_what_is_young, ()) {  // < for <= of the grace
    const Reconciliation result = reconcile(ours(), theirs(), now, grace);
    for (const auto* group : groups(result)) {
        for (const Comparison& one : *group) {
            Instant latest = Instant::min();
            if (one.ours) latest = one.ours->at;
            for (const ProviderEntry& entry : one.theirs) latest = std::max(latest, entry.at);
            RC_ASSERT((group == &result.pending) == (now - latest < grace));
        }
    }
}

RC_GTEST_PROP(Reconcile, matches_what_agrees_and_names_what_is_changed, ()) {  // currency left out
    OurEffect effect{"a", some_scope(), Standing::applied, {"12.5", "EUR"}, Instant{Span{1}}};
    std::vector<ProviderEntry> log{{"a", Standing::applied, effect.money, Instant{Span{2}}}};
    const auto differs = [&]() -> std::vector<Difference> {
        const Reconciliation result = reconcile({effect}, log, now, grace);
        if (result.differing.empty()) {
            RC_ASSERT(result.matched.size() == 1U);
            return {};
        }
        RC_ASSERT(result.has_findings());
        return result.differing.front().differs;
    };
    RC_ASSERT(differs().empty());
    switch (*rc::gen::inRange(0, 5)) {
        case 0:
            log.front().money.amount = "13";
            RC_ASSERT(differs() == std::vector{Difference::amount});
            break;
        case 1:
            log.front().money.currency = "USD";
            RC_ASSERT(differs() == std::vector{Difference::currency});
            break;
        case 2:
            log.push_back(log.front());
            RC_ASSERT(differs() == std::vector{Difference::applied_more_often});
            break;
        case 3:
            log.front().standing = Standing::not_applied;
            RC_ASSERT(differs() == std::vector{Difference::standing});
            break;
        default:
            effect.standing = *rc::gen::element(Standing::open, Standing::not_applied);
            RC_ASSERT(differs() == std::vector{Difference::standing});
    }
}

ComparisonFilter some_filter() {
    ComparisonFilter filter;
    if (*rc::gen::arbitrary<bool>()) filter.tenant = parse_tenant("acme").value();
    if (*rc::gen::arbitrary<bool>()) filter.operation = parse_operation("charge").value();
    if (*rc::gen::arbitrary<bool>()) filter.from = *at();
    return filter;
}

RC_GTEST_PROP(Select, leaves_out_just_what_is_not_asked_for, ()) {  // only_theirs left as it is
    const Reconciliation all = reconcile(ours(), theirs(), now, grace);
    const ComparisonFilter filter = some_filter();
    const Reconciliation left = select(all, filter);
    const auto before = groups(all);
    const auto after = groups(left);
    for (std::size_t i = 0; i < before.size(); ++i) {
        std::vector<Comparison> expected;
        for (const Comparison& one : *before[i]) {
            if (selects(filter, one)) expected.push_back(one);
        }
        RC_ASSERT(*after[i] == expected);
    }
}

RC_GTEST_PROP(Select, may_leave_out_beforehand_what_has_no_line_and_is_not_asked_for,
              ()) {  // pending left as it is
    const auto our_side = ours();
    const auto their_side = theirs();
    const ComparisonFilter filter = some_filter();
    std::vector<OurEffect> fewer;
    for (const OurEffect& effect : our_side) {
        const bool has_line =
            std::any_of(their_side.begin(), their_side.end(),
                        [&](const ProviderEntry& entry) { return entry.key == effect.key; });
        if (has_line || selects(filter, {effect.key, effect})) fewer.push_back(effect);
    }
    RC_ASSERT(select(reconcile(fewer, their_side, now, grace), filter) ==
              select(reconcile(our_side, their_side, now, grace), filter));
}

TEST(Select, goes_by_the_receipt_s_scope_where_there_is_one) {
    const Comparison ours{"a", OurEffect{"a", some_scope(), Standing::applied, {}, Instant{}}};
    const Comparison theirs{"a", {}, {{"a", Standing::applied, {}, Instant{}}}};
    const auto tenant = [](const char* text) {
        return ComparisonFilter{.tenant = parse_tenant(text).value()};
    };
    const auto operation = [](const char* text) {
        return ComparisonFilter{.operation = parse_operation(text).value()};
    };
    EXPECT_TRUE(selects({}, ours));
    EXPECT_TRUE(selects(tenant("acme"), ours));
    EXPECT_FALSE(selects(tenant("zeta"), ours));
    EXPECT_TRUE(selects(operation("charge"), ours));
    EXPECT_FALSE(selects(operation("refund"), ours));
    EXPECT_TRUE(selects(tenant("zeta"), theirs));
    EXPECT_TRUE(selects(operation("refund"), theirs));
}

TEST(Select, goes_by_a_time_that_raises_no_false_alarm) {
    const auto time = [](std::int64_t us) { return Instant{Span{us}}; };
    const auto effect = [&](std::int64_t created, std::int64_t ended) {
        return OurEffect{"a", some_scope(), Standing::applied, {}, time(ended), time(created)};
    };
    const auto line = [&](std::int64_t us, Standing standing = Standing::applied) {
        return ProviderEntry{"a", standing, {}, time(us)};
    };
    const ComparisonFilter from{.from = time(10)};
    EXPECT_TRUE(selects(from, {"a", effect(10, 11)}));
    EXPECT_FALSE(selects(from, {"a", effect(9, 11)}));  // its line may stand before the log's first
    EXPECT_TRUE(selects(from, {"a", effect(8, 9), {line(10)}}));
    EXPECT_TRUE(selects(from, {"a", effect(8, 10), {line(9)}}));
    EXPECT_FALSE(selects(from, {"a", effect(8, 9), {line(9)}}));
    EXPECT_TRUE(selects(from, {"a", {}, {line(9), line(10)}}));
    EXPECT_FALSE(selects(from, {"a", {}, {line(9)}}));
    EXPECT_FALSE(selects(from, {"a", {}, {line(9), line(10, Standing::not_applied)}}));
    EXPECT_TRUE(selects(from, {"a", {}, {line(10, Standing::not_applied)}}));
}

TEST(Reconcile, tells_what_only_one_side_knows) {
    const OurEffect applied{"a", some_scope(), Standing::applied, {}, Instant{Span{1}}};
    const OurEffect open{"b", some_scope(), Standing::open, {}, Instant{Span{1}}};
    const OurEffect refused{"c", some_scope(), Standing::not_applied, {}, Instant{Span{1}}};
    const Reconciliation here = reconcile({applied, open, refused}, {}, now, grace);
    EXPECT_EQ(here.only_ours.size(), 2U);
    EXPECT_EQ(here.matched.size(), 1U);
    const Reconciliation there = reconcile({},
                                           {{"x", Standing::applied, {}, Instant{Span{1}}},
                                            {"y", Standing::not_applied, {}, Instant{Span{1}}}},
                                           now, grace);
    EXPECT_EQ(there.only_theirs.front().key, "x");
    EXPECT_EQ(there.matched.front().key, "y");
}

TEST(Reconcile, does_not_compare_what_a_side_does_not_know) {
    const OurEffect effect{"a", some_scope(), Standing::applied, {}, Instant{Span{1}}};
    const ProviderEntry entry{"a", Standing::applied, {"5", "EUR"}, Instant{Span{1}}};
    EXPECT_EQ(reconcile({effect}, {entry}, now, grace).matched.size(), 1U);
}

TEST(ExactAmount, is_one_text_for_each_value) {
    for (const char* text : {"12.5", "12.50", "1.25e1", "0.125E+2"}) {
        EXPECT_EQ(exact_amount(text), "12.5");
    }
    EXPECT_EQ(exact_amount("90071992547409931"), "90071992547409931");
    EXPECT_EQ(exact_amount("-0.00"), "0");
    EXPECT_EQ(exact_amount(" -5 "), "-5");
    for (const char* text :
         {"12,50", "abc", "", " ", "\"5\"", "null", "true", "[]", "+5", "1e9999999999"}) {
        EXPECT_EQ(exact_amount(text), std::nullopt) << text;
    }
}

Receipt completed(int status, std::string body) {
    Receipt receipt{some_scope(), {}, Fence{1}, Instant{Span{5}}, 1, {}, {}, {}};
    receipt.state = state::Completed{{.status = status, .body = body::Bytes{std::move(body)}},
                                     Instant{Span{6}},
                                     Instant{Span{7}},
                                     Instant{Span{8}}};
    return receipt;
}

TEST(EffectOf, reads_the_money_from_the_answer_s_body) {
    const auto money = [](const char* body, MoneyPointers pointers = {}) {
        const OurEffect effect = effect_of(completed(201, body), "charge", pointers);
        return effect.money.amount.value_or("none") + " " + effect.money.currency.value_or("none");
    };
    EXPECT_EQ(money(R"({"amount":12.50,"currency":"EUR"})"), "12.5 EUR");
    EXPECT_EQ(money(R"({"amount":"12.50"})"), "12.5 none");
    EXPECT_EQ(money(R"({"charge":{"amount":900719925474099312}})",
                    {"/charge/amount", "/charge/currency"}),
              "900719925474099312 none");
    EXPECT_EQ(money(R"({"a\"b":[{"sum":1}]})", {"/a\"b/0/sum", "/none"}), "1 none");
    EXPECT_EQ(money(R"({"amount":null,"currency":null})"), "none none");
    EXPECT_EQ(money(R"({"amount":"12,50","currency":"null"})"), "12,50 null");
    EXPECT_EQ(money("not JSON"), "none none");
    EXPECT_EQ(money(R"({"amount":5})", {"no pointer", ""}), "none none");
}

TEST(EffectOf, takes_the_standing_from_the_state) {
    const Receipt made = completed(201, "{}");
    const OurEffect effect = effect_of(made, "charge");
    EXPECT_EQ(effect.key, downstream_key(made.scope, made.created_at, "charge"));
    EXPECT_EQ(effect.standing, Standing::applied);
    EXPECT_EQ(effect.at, Instant{Span{6}});
    EXPECT_EQ(effect.created_at, Instant{Span{5}});
    EXPECT_EQ(effect_of(completed(402, "{}"), "charge").standing, Standing::not_applied);
    Receipt other = made;
    other.state = state::InProgress{Instant{Span{9}}};
    EXPECT_EQ(effect_of(other, "charge").standing, Standing::open);
    other.state = state::Unknown{Instant{Span{9}}};
    EXPECT_EQ(effect_of(other, "charge").at, Instant{Span{9}});
    other.state = state::Tombstone{{204, Instant{Span{6}}, {}}, Instant{Span{7}}, Instant{Span{8}}};
    EXPECT_EQ(effect_of(other, "charge").standing, Standing::applied);
}

}  // namespace
}  // namespace counterfoil
