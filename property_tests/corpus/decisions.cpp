#include "corpus/decisions.hpp"

#include <set>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/judge.hpp>
#include <counterfoil/overloaded.hpp>
#include <counterfoil/retention.hpp>
#include <counterfoil/settle.hpp>
#include <counterfoil/words.hpp>

#include "corpus/json_forms.hpp"
#include "ladders/grid.hpp"

namespace counterfoil::corpus {

namespace json = boost::json;

namespace {

std::string line(const json::object& one_case) {
    return json::serialize(one_case) + '\n';
}

std::string judge_case(const std::string& name, const Situation& situation) {
    const auto verdict = judge(situation.request, situation.found, situation.now, situation.policy);
    return line({{"name", name},
                 {"found", to_json(situation.found)},
                 {"request", to_json(situation.request)},
                 {"now_us", situation.now.time_since_epoch().count()},
                 {"policy", to_json(situation.policy)},
                 {"expected", to_json(verdict)}});
}

FieldDigests digests(std::uint8_t amount) {
    FieldDigests all{{"k", 2, 64}, {{"/body/amount", {}}, {"/body/to", {}}}, 0};
    all.fields[0].digest.fill(amount);
    return all;
}

// One receipt of each state, as the grid has it.
std::vector<Receipt> one_of_each_state() {
    std::vector<Receipt> receipts;
    std::set<std::size_t> seen;
    for (const auto& cell : grid()) {
        const auto& found = cell.situation.found;
        if (found && !found->hold && seen.insert(found->state.index()).second)
            receipts.push_back(*found);
    }
    return receipts;
}

Policy grid_policy() {
    for (const auto& cell : grid()) {
        if (cell.table == "completed") return cell.situation.policy;
    }
    return grid().front().situation.policy;
}

// Before, at and after each instant that the receipt knows of, and the policy's windows from there.
std::vector<Instant> instants_of(const Receipt& receipt, const Policy& policy) {
    std::set<Instant> edges{receipt.created_at};
    std::visit(overloaded{
                   [&](const state::InProgress& held) {
                       edges.insert({held.lease_end, held.lease_end + policy->max_skew,
                                     held.lease_end + policy->max_skew + policy->abandon_after});
                   },
                   [&](const state::Completed& completed) {
                       edges.insert({completed.replay_until, completed.forget_at});
                   },
                   [&](const state::Unknown& unknown) { edges.insert(unknown.since); },
                   [&](const state::Tombstone& tombstone) { edges.insert(tombstone.forget_at); },
               },
               receipt.state);
    std::set<Instant> all;
    for (const Instant edge : edges) all.insert({edge - Span{1}, edge, edge + Span{1}});
    return {all.begin(), all.end()};
}

std::vector<Outcome> outcomes() {
    const Answer made{
        201,
        {{"Content-Type", "application/json"}, {"Set-Cookie", "a=b"}, {"Location", "/orders/2"}},
        body::Bytes{"{\"order_id\":2}"},
        "order 2"};
    Answer refused = made;
    refused.status = 422;
    Answer failed = made;
    failed.status = 500;
    Answer streamed = made;
    streamed.body = body::Omitted{Omission::streamed};
    Answer large = made;
    large.body = body::Bytes{std::string(65, 'x')};
    Answer nothing{204, {}, body::None{}, std::nullopt};
    return {
        {made, Effect::may_have_begun, Exposure::ordinary, std::nullopt},
        {made, Effect::may_have_begun, Exposure::secret, std::nullopt},
        {streamed, Effect::may_have_begun, Exposure::ordinary, std::nullopt},
        {large, Effect::may_have_begun, Exposure::ordinary, std::nullopt},
        {nothing, Effect::may_have_begun, Exposure::ordinary, std::nullopt},
        {refused, Effect::may_have_begun, Exposure::ordinary, std::nullopt},
        {refused, Effect::may_have_begun, Exposure::ordinary, Disposition::keep},
        {failed, Effect::may_have_begun, Exposure::ordinary, std::nullopt},
        {failed, Effect::not_begun, Exposure::ordinary, std::nullopt},
    };
}

// What the cases of one transition have in common.
struct Held {
    std::string name;
    std::optional<Receipt> found;
    Permit permit;
    Instant now;
    Policy policy;
};

template <class Result>
std::string settle_case(std::string_view transition, const Held& held, json::object arguments,
                        const Result& result) {
    json::object one_case{{"name", std::string{transition} + ": " + held.name},
                          {"transition", json::string_view{transition.data(), transition.size()}},
                          {"found", to_json(held.found)},
                          {"permit", to_json(held.permit)},
                          {"now_us", held.now.time_since_epoch().count()},
                          {"policy", to_json(held.policy)}};
    for (auto& argument : arguments) one_case.emplace(argument.key(), std::move(argument.value()));
    one_case.emplace("expected", to_json(result));
    return line(one_case);
}

std::string every_transition(const Held& held) {
    std::string cases;
    const auto reached = parse_checkpoint("booked", R"({"id":9})", 64).value();
    for (const auto& outcome : outcomes()) {
        cases += settle_case("complete", held, {{"outcome", to_json(outcome)}},
                             complete(held.found, held.permit, outcome, held.now, held.policy));
    }
    cases += settle_case("renew", held, {}, renew(held.found, held.permit, held.now, held.policy));
    cases += settle_case("checkpoint", held, {{"checkpoint", to_json(reached)}},
                         checkpoint(held.found, held.permit, reached, held.now));
    cases += settle_case("release", held, {}, release(held.found, held.permit));
    cases += settle_case("mark_unknown", held, {}, mark_unknown(held.found, held.permit, held.now));
    for (const Effect effect : {Effect::not_begun, Effect::may_have_begun}) {
        cases += settle_case("abandon", held, {{"effect", word(effect)}},
                             abandon(held.found, held.permit, effect, held.now, held.policy));
    }
    const std::vector<Resolution> resolutions{
        {ruling::Applied{outcomes().front().answer, Exposure::ordinary}, "anna", "provider log 17"},
        {ruling::Applied{outcomes().front().answer, Exposure::secret}, "anna", "provider log 17"},
        {ruling::NotApplied{}, "anna", "provider log 17"},
        {ruling::NotApplied{}, "", "provider log 17"},
    };
    for (const auto& resolution : resolutions) {
        cases += settle_case("resolve", held, {{"resolution", to_json(resolution)}},
                             resolve(held.found, held.permit, resolution, held.now, held.policy));
    }
    return cases;
}

}  // namespace

std::string judge_cases() {
    std::string cases;
    for (const auto& cell : grid())
        cases += judge_case(cell.table + "; " + cell.row + "; " + cell.column, cell.situation);

    // What the grid does not show: other schemes, field digests, the last fence.
    auto situation = grid().back().situation;
    for (const auto& cell : grid()) {
        if (cell.table == "completed" && cell.row == "other") situation = cell.situation;
    }
    situation.now = situation.found->created_at;
    auto explained = situation;
    explained.request.fields = digests(1);
    explained.found->fields = digests(2);
    cases += judge_case("conflict; both sides kept field digests", explained);
    explained.found->fields->rules.secret = "older";
    cases += judge_case("conflict; field digests under another secret", explained);

    auto older_scheme = situation;
    older_scheme.found->fingerprint.scheme = {"raw"};
    older_scheme.request.others = {{{"raw"}, older_scheme.found->fingerprint.digest}};
    cases += judge_case("replay; equal under the receipt's own scheme", older_scheme);
    older_scheme.request.others.front().digest.reset();
    cases +=
        judge_case("conflict; no such fingerprint under the receipt's own scheme", older_scheme);

    auto last_fence = situation;
    last_fence.request.fingerprint = last_fence.found->fingerprint;
    last_fence.found->fence = Fence{Instant::max().time_since_epoch().count()};
    last_fence.now = Instant::max();
    cases += judge_case("expired; forgotten, but its fence is the last there is", last_fence);
    last_fence.found->state = state::InProgress{Instant{}, std::nullopt};
    cases += judge_case("unknown; lapsed, but its fence is the last there is", last_fence);
    return cases;
}

std::string settle_cases() {
    std::string cases;
    const auto policy = grid_policy();
    const auto receipts = one_of_each_state();
    const auto name_of_state = [](const Receipt& receipt) {
        return std::string{word(receipt.state)};
    };
    for (const auto& receipt : receipts) {
        const auto now = receipt.created_at + Span{50'000'000};
        cases += every_transition({name_of_state(receipt) + ", right fence", receipt,
                                   gen::permit_of(receipt), now, policy});
        cases += every_transition({name_of_state(receipt) + ", older fence",
                                   receipt,
                                   {receipt.scope, Fence{receipt.fence.number - 1}},
                                   now,
                                   policy});
        cases += every_transition({name_of_state(receipt) + ", newer fence",
                                   receipt,
                                   {receipt.scope, Fence{receipt.fence.number + 1}},
                                   now,
                                   policy});
    }
    const auto& running = receipts.front();
    cases += every_transition({"in_progress, right fence, in time", running,
                               gen::permit_of(running), running.created_at, policy});
    auto takeover = running;
    takeover.attempt = 2;
    cases += every_transition({"in_progress, right fence, a takeover", takeover,
                               gen::permit_of(takeover), takeover.created_at, policy});
    cases += every_transition(
        {"nothing found", std::nullopt, gen::permit_of(running), running.created_at, policy});
    return cases;
}

std::string sweep_cases() {
    std::string cases;
    const auto policy = grid_policy();
    for (auto receipt : one_of_each_state()) {
        for (const bool on_hold : {false, true}) {
            if (on_hold) receipt.hold = Hold{"anna", "audit", receipt.created_at};
            for (const Instant now : instants_of(receipt, policy)) {
                cases += line(
                    {{"name", std::string{word(receipt.state)} + (on_hold ? ", on hold" : "") +
                                  ", " + std::to_string(now.time_since_epoch().count()) + " us"},
                     {"receipt", to_json(std::optional{receipt})},
                     {"now_us", now.time_since_epoch().count()},
                     {"policy", to_json(policy)},
                     {"expected", to_json(sweep(receipt, now, policy))}});
            }
        }
    }
    return cases;
}

}  // namespace counterfoil::corpus
