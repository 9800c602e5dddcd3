#include "counterfoil/testing/conformance.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <ostream>
#include <sstream>

#include <rapidcheck.h>
#include <rapidcheck/detail/Configuration.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include "counterfoil/overloaded.hpp"
#include "property.hpp"

namespace counterfoil::testing {

namespace {

const std::vector<Property>& properties() {
    static const std::vector<Property> all = [] {
        std::vector<Property> joined;
        for (auto family : {value_rules(), scope_rules(), transaction_rules(), model_rules(),
                            protocol_rules(), claim_rules(), thread_rules()}) {
            std::move(family.begin(), family.end(), std::back_inserter(joined));
        }
        return joined;
    }();
    return all;
}

std::optional<Ability> lacking(const Rule& rule, const Subject& subject) {
    const std::vector<Ability> has = subject.abilities();
    const auto missing = std::find_if(rule.needs.begin(), rule.needs.end(), [&](Ability needed) {
        return std::find(has.begin(), has.end(), needed) == has.end();
    });
    if (missing == rule.needs.end()) return std::nullopt;
    return *missing;
}

Finding tried(const Property& property, Subject& subject) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = property.cases;
    rc::detail::TestMetadata metadata;
    metadata.id = property.rule.name;
    metadata.description = property.rule.sentence;
    rc::detail::TestListenerAdapter silent;
    const auto result =
        rc::detail::checkTestable([&] { property.holds(subject); }, metadata, params, silent);
    if (result.template is<rc::detail::SuccessResult>()) return finding::Passed{};
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    text << "\nRepeat it with RC_PARAMS=\"seed=" << params.seed << "\".";
    return finding::Failed{text.str()};
}

void print(const Rule& rule, const Finding& finding, std::ostream& out) {
    std::visit(overloaded{
                   [&](const finding::Passed&) { out << "holds    " << rule.sentence << '\n'; },
                   [&](const finding::Failed& failed) {
                       out << "BROKEN   " << rule.sentence << " (" << rule.name << ")\n"
                           << failed.text << '\n';
                   },
                   [&](const finding::Skipped& skipped) {
                       out << "skipped  " << rule.sentence << " (" << skipped.reason << ")\n";
                   },
               },
               finding);
}

void count(const Finding& finding, Tally& tally) {
    std::visit(overloaded{
                   [&](const finding::Passed&) { ++tally.passed; },
                   [&](const finding::Failed&) { ++tally.failed; },
                   [&](const finding::Skipped&) { ++tally.skipped; },
               },
               finding);
}

}  // namespace

std::string_view word(Ability ability) {
    switch (ability) {
        case Ability::two_sessions: return "two_sessions";
        case Ability::threads: return "threads";
        case Ability::reopen: return "reopen";
    }
    return "";
}

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all = [] {
        std::vector<Rule> only;
        for (const Property& property : properties()) only.push_back(property.rule);
        return only;
    }();
    return all;
}

Finding run(const Rule& rule, Subject& subject) {
    const auto property =
        std::find_if(properties().begin(), properties().end(),
                     [&](const Property& one) { return one.rule.name == rule.name; });
    assert(property != properties().end());
    if (const std::optional<Ability> missing = lacking(property->rule, subject)) {
        return finding::Skipped{"the store has no ability " + std::string{word(*missing)}};
    }
    return tried(*property, subject);
}

Tally run_all(Subject& subject, std::ostream& out, std::size_t expected_skips) {
    Tally tally{.passed = 0, .failed = 0, .skipped = 0, .expected_skips = expected_skips};
    for (const Rule& rule : rules()) {
        const Finding finding = run(rule, subject);
        print(rule, finding, out);
        count(finding, tally);
    }
    out << rules().size() << " rules: " << tally.passed << " hold, " << tally.failed
        << " are broken, " << tally.skipped << " are skipped";
    if (tally.skipped != expected_skips) out << ", where " << expected_skips << " were expected";
    out << '\n';
    return tally;
}

}  // namespace counterfoil::testing
