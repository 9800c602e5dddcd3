#include "counterfoil/reconcile.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "counterfoil/canonical_json.hpp"
#include "counterfoil/downstream_key.hpp"
#include "counterfoil/field_selection.hpp"
#include "counterfoil/overloaded.hpp"

namespace counterfoil {

namespace {

Standing standing_of(int status) {
    constexpr int first_kept = 200;
    constexpr int past_success = 300;
    return status >= first_kept && status < past_success ? Standing::applied
                                                         : Standing::not_applied;
}

/// The canonical text of a string that is known to be UTF-8, without its quotes, or as it is.
std::string unquoted(std::string_view canonical) {
    if (canonical.size() < 2 || canonical.front() != '"') return std::string{canonical};
    return std::string{canonical.substr(1, canonical.size() - 2)};
}

/// The scalar that a pointer names in a document, in canonical form; nothing where there is none,
/// or null.
std::optional<std::string> scalar_at(std::string_view document, const std::string& pointer) {
    const Result<FieldSelection, PointerError> only =
        FieldSelection::only(std::vector<std::string>{pointer});
    if (!only) return std::nullopt;
    Canonicalizer canonicalizer;
    const Result<std::string_view, JsonError> kept = canonicalizer.canonicalize(document, *only);
    if (!kept || kept->empty()) return std::nullopt;
    // What is left is the value, and a container of one round it for each token of the pointer.
    std::string_view value = *kept;
    for (auto left = std::count(pointer.begin(), pointer.end(), '/'); left > 0; --left) {
        const bool is_object = value.front() == '{';
        value = value.substr(1, value.size() - 2);
        if (!is_object) continue;
        // Behind the name: the first quote that is not escaped ends it.
        std::size_t end = 1;
        while (value[end] != '"') end += value[end] == '\\' ? 2U : 1U;
        value.remove_prefix(end + 2);
    }
    if (value.front() == '{' || value.front() == '[' || value == "null") return std::nullopt;
    return unquoted(value);
}

Money money_in(const Answer& answer, const MoneyPointers& pointers) {
    const auto* kept = std::get_if<body::Bytes>(&answer.body);
    if (kept == nullptr) return {};
    Money money{scalar_at(kept->bytes, pointers.amount), scalar_at(kept->bytes, pointers.currency)};
    if (money.amount) money.amount = exact_amount(*money.amount).value_or(*money.amount);
    return money;
}

bool is_applied(const ProviderEntry& entry) {
    return entry.standing == Standing::applied;
}

void compare_money(Comparison& one) {
    const auto applied = std::count_if(one.theirs.begin(), one.theirs.end(), is_applied);
    const auto last = std::find_if(one.theirs.rbegin(), one.theirs.rend(), is_applied);
    const auto differ = [](const auto& left, const auto& right) {
        return left && right && *left != *right;
    };
    if (differ(one.ours->money.amount, last->money.amount)) {
        one.differs.push_back(Difference::amount);
    }
    if (differ(one.ours->money.currency, last->money.currency)) {
        one.differs.push_back(Difference::currency);
    }
    if (applied > 1) one.differs.push_back(Difference::applied_more_often);
}

bool is_young(const Comparison& one, Instant now, Span grace) {
    const Instant old_enough = now - grace;
    return (one.ours && one.ours->at > old_enough) ||
           (!one.theirs.empty() && one.theirs.back().at > old_enough);
}

/// Puts a key that is not young where it belongs.
void place(Comparison one, Reconciliation& result) {
    const bool applied_there = std::any_of(one.theirs.begin(), one.theirs.end(), is_applied);
    if (!one.ours) {
        (applied_there ? result.only_theirs : result.matched).push_back(std::move(one));
        return;
    }
    const Standing here = one.ours->standing;
    if (one.theirs.empty()) {
        (here == Standing::not_applied ? result.matched : result.only_ours)
            .push_back(std::move(one));
        return;
    }
    if (here == Standing::open || (here == Standing::applied) != applied_there) {
        one.differs.push_back(Difference::standing);
    } else if (applied_there) {
        compare_money(one);
    }
    (one.differs.empty() ? result.matched : result.differing).push_back(std::move(one));
}

/// The time that a filter goes by.
Instant time_of(const Comparison& one) {
    if (one.theirs.empty()) return one.ours ? one.ours->created_at : Instant::max();
    const Instant last = one.theirs.back().at;
    if (one.ours) return std::max(one.ours->at, last);
    const auto applied = std::find_if(one.theirs.rbegin(), one.theirs.rend(), is_applied);
    return applied == one.theirs.rend() ? last : applied->at;
}

}  // namespace

std::string_view word(Standing which) {
    switch (which) {
        case Standing::applied: return "applied";
        case Standing::not_applied: return "not_applied";
        case Standing::open: return "open";
    }
    return "";
}

std::string_view word(Difference which) {
    switch (which) {
        case Difference::standing: return "standing";
        case Difference::amount: return "amount";
        case Difference::currency: return "currency";
        case Difference::applied_more_often: return "applied_more_often";
    }
    return "";
}

std::optional<std::string> exact_amount(std::string_view text) {
    constexpr std::string_view first_of_a_number{"-0123456789"};
    constexpr std::size_t scalars_only = 0;
    Canonicalizer canonicalizer{Numbers::exact, scalars_only};
    const Result<std::string_view, JsonError> canonical = canonicalizer.canonicalize(text);
    if (!canonical || first_of_a_number.find(canonical->front()) == std::string_view::npos) {
        return std::nullopt;
    }
    return std::string{*canonical};
}

OurEffect effect_of(const Receipt& receipt, std::string_view step, const MoneyPointers& pointers) {
    OurEffect effect{.key = downstream_key(receipt.scope, receipt.created_at, step),
                     .scope = receipt.scope,
                     .standing = Standing::open,
                     .at = receipt.created_at,
                     .created_at = receipt.created_at};
    std::visit(overloaded{
                   [](const state::InProgress&) {},
                   [&](const state::Unknown& unknown) { effect.at = unknown.since; },
                   [&](const state::Completed& completed) {
                       effect.standing = standing_of(completed.answer.status);
                       effect.money = money_in(completed.answer, pointers);
                       effect.at = completed.completed_at;
                   },
                   [&](const state::Tombstone& tombstone) {
                       effect.standing = standing_of(tombstone.ended.status);
                       effect.at = tombstone.ended.completed_at;
                   },
               },
               receipt.state);
    return effect;
}

Reconciliation reconcile(const std::vector<OurEffect>& ours,
                         const std::vector<ProviderEntry>& theirs, Instant now, Span grace) {
    std::map<std::string, Comparison> by_key;
    for (const OurEffect& effect : ours) by_key[effect.key].ours = effect;
    for (const ProviderEntry& entry : theirs) by_key[entry.key].theirs.push_back(entry);

    Reconciliation result;
    for (auto& [key, one] : by_key) {
        one.key = key;
        std::stable_sort(one.theirs.begin(), one.theirs.end(),
                         [](const auto& left, const auto& right) { return left.at < right.at; });
        if (is_young(one, now, grace)) {
            result.pending.push_back(std::move(one));
        } else {
            place(std::move(one), result);
        }
    }
    return result;
}

bool selects(const ComparisonFilter& filter, const Comparison& one) {
    if (filter.from && time_of(one) < *filter.from) return false;
    if (!one.ours) return true;
    const Scope& scope = one.ours->scope;
    return (!filter.tenant || scope.tenant == *filter.tenant) &&
           (!filter.operation || scope.operation == *filter.operation);
}

Reconciliation select(Reconciliation all, const ComparisonFilter& filter) {
    for (auto* group :
         {&all.matched, &all.only_ours, &all.only_theirs, &all.differing, &all.pending}) {
        std::erase_if(*group, [&](const Comparison& one) { return !selects(filter, one); });
    }
    return all;
}

}  // namespace counterfoil
