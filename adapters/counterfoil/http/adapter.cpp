#include "counterfoil/http/adapter.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "counterfoil/describe.hpp"
#include "counterfoil/http/field_text.hpp"
#include "counterfoil/http/problem_answer.hpp"
#include "counterfoil/overloaded.hpp"

namespace counterfoil::http {

namespace {

struct Told {
    Problem problem{};
    std::string_view status;
    ProblemFacts facts;
};

std::string_view word_of(Disposition disposition) {
    switch (disposition) {
        case Disposition::keep: return "created";
        case Disposition::release: return "released";
        case Disposition::unknown: break;
    }
    return "unknown";
}

Told tell(const verdict::Conflict& conflict, Span /*lease*/) {
    return {Problem::key_reused,
            "conflict",
            {.detail = "The key came first with another request. Use a new key for this one.",
             .why = &conflict.why,
             .first_seen = conflict.first_seen,
             .differs = conflict.differs ? &*conflict.differs : nullptr}};
}

Told tell(const verdict::InProgress& running, Span lease) {
    return {
        Problem::in_progress,
        "in_progress",
        {.detail = "An equal request is being worked on. Send it again later, with the same key.",
         .why = &running.why,
         .first_seen = running.first_seen,
         .retry_after = retry_after_seconds(running.retry_after, lease)}};
}

Told tell(const verdict::Unknown& unknown, Span /*lease*/) {
    return {Problem::unknown_outcome,
            "unknown",
            {.detail = "It may have been carried out or not, and won't be run again until somebody "
                       "has found out. Ask the service; a new key may do it twice.",
             .why = &unknown.why,
             .first_seen = unknown.first_seen}};
}

Told tell(const verdict::Expired& expired, Span /*lease*/) {
    const auto* seen = std::get_if<verdict::Seen>(&expired.seen);
    ProblemFacts facts{.detail =
                           "The key is older than this service remembers, so the request may "
                           "have been carried out. It is not run again.",
                       .why = &expired.why};
    if (seen != nullptr) {
        facts.first_seen = seen->first_seen;
        facts.detail = "The request was answered with status " +
                       std::to_string(seen->ended.status) +
                       " and is not run again; the answer itself is not kept any more.";
    }
    return {Problem::expired, "expired", std::move(facts)};
}

Told tell(const verdict::Incomparable& incomparable, Span /*lease*/) {
    return {
        Problem::incomparable,
        "incomparable",
        {.detail = "The key came first with a request whose fingerprint this service can't make.",
         .why = &incomparable.why,
         .first_seen = incomparable.first_seen}};
}

Told tell(const admission::Refused& refused) {
    const std::int64_t wait = retry_after_seconds(refused.retry_after, Span::max());
    if (refused.ground == admission::Ground::budget_spent) {
        return {Problem::rate_limited,
                "not_admitted",
                {.detail = "There have been too many requests. Nothing was done: send it again "
                           "later, with the same key.",
                 .retry_after = wait}};
    }
    return {Problem::undecided,
            "not_admitted",
            {.detail = "What decides whether the request may run is away. Nothing was done: send "
                       "it again later, with the same key.",
             .retry_after = wait}};
}

Told tell(const reply::NotAdmitted& not_admitted, Span /*lease*/) {
    return tell(not_admitted.refused);
}

Told tell(const reply::Unreadable& unreadable, Span /*lease*/) {
    const auto& error = unreadable.error;
    switch (error.fault) {
        case FingerprintFault::unreadable_json:
        case FingerprintFault::invalid_utf8:
            return {Problem::unreadable_request,
                    "rejected",
                    {.detail = (error.detail.empty() ? std::string{"The request"}
                                                     : "The request's " + error.detail) +
                               ": " + counterfoil::describe(error) + '.'}};
        case FingerprintFault::unknown_scheme:
        case FingerprintFault::missing_secret:
        case FingerprintFault::not_json:
        case FingerprintFault::no_text: break;
    }
    // The client can't help it, and has no business with names of schemes and secrets.
    return {Problem::refused,
            "refused",
            {.detail = "This service is not set up to tell such requests apart."}};
}

std::vector<std::string_view> lines_of(const Request& request, std::string_view name) {
    std::vector<std::string_view> lines;
    for (const FieldView& field : request.fields) {
        if (is_name(field.name, name)) lines.push_back(field.value);
    }
    return lines;
}

bool is_there(const std::vector<std::string_view>& lines) {
    return std::any_of(lines.begin(), lines.end(),
                       [](std::string_view line) { return !trimmed(line).empty(); });
}

void set_field(Answer& answer, const std::string& name, std::string value) {
    std::erase_if(answer.fields, [&](const Field& field) { return is_name(field.name, name); });
    if (!value.empty()) answer.fields.push_back({name, std::move(value)});
}

void check_names(const Settings& settings, std::vector<std::string>& faults) {
    const std::vector<std::pair<std::string_view, std::string_view>> names{
        {"key_field", settings.key_field},
        {"replay_field", settings.replay_field},
        {"status_field", settings.status_field}};
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (!is_token(name->second)) {
            faults.push_back(std::string{name->first} + " is no name of a header field");
        }
        for (auto earlier = names.begin(); earlier != name; ++earlier) {
            if (is_name(earlier->second, name->second)) {
                faults.push_back(std::string{name->first} + " is the same field as " +
                                 std::string{earlier->first});
            }
        }
    }
}

void check_profile(const Profile& profile, std::vector<std::string>& faults) {
    for (std::size_t i = 0; i < problems; ++i) {
        const auto problem = static_cast<Problem>(i);
        const int status = profile[problem].status;
        if (status < 400 || status > 599) {
            faults.push_back("the profile has no error's status for " + std::string{slug(problem)});
        }
    }
}

void check_route(const Route& route, std::vector<std::string>& faults) {
    const auto of = "the route of " + counterfoil::describe(route.operation);
    if (!route.path.starts_with('/')) faults.push_back(of + ": the path begins with no slash");
    if (route.method && !is_token(*route.method)) faults.push_back(of + ": no such method");
    for (const auto& field : route.binding.fields) {
        if (!is_token(field)) faults.push_back(of + ": binds what is no header field");
    }
}

}  // namespace

Submission Keyed::submission() const {
    return {scope_, intent_.intent(), request_id_};
}

std::vector<std::string> faults_of(const Settings& settings) {
    std::vector<std::string> faults;
    check_names(settings, faults);
    check_profile(settings.profile, faults);
    for (const Route& route : settings.routes) check_route(route, faults);
    return faults;
}

Adapter::Adapter(Settings settings) : settings_{std::move(settings)} {
    assert(faults_of(settings_).empty());
}

Reception Adapter::receive(const Request& request) const {
    const auto lines = lines_of(request, settings_.key_field);
    const auto route =
        std::find_if(settings_.routes.begin(), settings_.routes.end(),
                     [&](const Route& one) { return matches(one, request.method, request.path); });
    if (route == settings_.routes.end() || route->key == KeyNeed::ignored) {
        return Unkeyed{is_there(lines)};
    }
    if (route->key == KeyNeed::optional && !is_there(lines)) return Unkeyed{};

    const PolicyFigures& figures = settings_.policies.policy_for(route->operation).figures();
    auto key = parse_key_field(lines, figures.key_rules, settings_.key_syntax);
    if (!key) {
        const bool missing = key.error().fault == KeyFieldFault::missing;
        return stamped(
            problem_answer(settings_.profile,
                           missing ? Problem::missing_key : Problem::malformed_key,
                           {.detail = settings_.key_field + ": " + describe(key.error()) + '.'}),
            "rejected");
    }
    auto intent = RequestIntent::from(request, route->binding, figures.scheme.form);
    if (!intent) {
        const bool malformed = intent.error().fault == IntentFault::malformed_content_type ||
                               intent.error().fault == IntentFault::differing_content_types;
        return stamped(
            problem_answer(settings_.profile,
                           malformed ? Problem::unreadable_request : Problem::unsupported_content,
                           {.detail = "The request: " + describe(intent.error()) + '.'}),
            "rejected");
    }
    return Keyed{{request.tenant, route->operation, *std::move(key)},
                 *std::move(intent),
                 request.request_id};
}

Answer Adapter::stamped(Answer answer, std::string_view status) const {
    set_field(answer, settings_.replay_field, status == "replayed" ? "true" : "");
    set_field(answer, settings_.status_field, std::string{status});
    return answer;
}

template <class Verdict>
Answer Adapter::told(const Keyed& keyed, const Verdict& verdict) const {
    const auto& policy = settings_.policies.policy_for(keyed.scope_.operation);
    const Told said = tell(verdict, policy.figures().lease);
    return stamped(problem_answer(settings_.profile, said.problem, said.facts), said.status);
}

Answer Adapter::answer(const Keyed& keyed, const Reply& reply) const {
    return std::visit(
        overloaded{
            [&](const reply::Performed& done) {
                return stamped(done.answer, word_of(done.disposition));
            },
            [&](const verdict::Replay& replay) { return stamped(replay.answer, "replayed"); },
            [&](const verdict::Conflict& told_by) { return told(keyed, told_by); },
            [&](const verdict::InProgress& told_by) { return told(keyed, told_by); },
            [&](const verdict::Unknown& told_by) { return told(keyed, told_by); },
            [&](const verdict::Expired& told_by) { return told(keyed, told_by); },
            [&](const verdict::Incomparable& told_by) { return told(keyed, told_by); },
            [&](const reply::NotAdmitted& told_by) { return told(keyed, told_by); },
            [&](const reply::Unreadable& told_by) { return told(keyed, told_by); },
        },
        reply);
}

Answer Adapter::answer(const Keyed& keyed, const ClaimReply& reply) const {
    return std::visit(
        overloaded{
            [&](const reply::Claimed& /*held*/) {
                assert(false && "a claim has no answer before its end");
                return Answer{};
            },
            [&](const verdict::Replay& replay) { return stamped(replay.answer, "replayed"); },
            [&](const verdict::Conflict& told_by) { return told(keyed, told_by); },
            [&](const verdict::InProgress& told_by) { return told(keyed, told_by); },
            [&](const verdict::Unknown& told_by) { return told(keyed, told_by); },
            [&](const verdict::Expired& told_by) { return told(keyed, told_by); },
            [&](const verdict::Incomparable& told_by) { return told(keyed, told_by); },
            [&](const reply::NotAdmitted& told_by) { return told(keyed, told_by); },
            [&](const reply::Unreadable& told_by) { return told(keyed, told_by); },
        },
        reply);
}

Answer Adapter::answer(const Keyed& keyed, const CompleteReply& reply) const {
    const Span lease = settings_.policies.policy_for(keyed.scope_.operation).figures().lease;
    const auto superseded = [&] {
        return stamped(
            problem_answer(settings_.profile, Problem::superseded,
                           {.detail = "The lease ran out while this attempt was at work, so its "
                                      "answer was not kept. Send the request again, with the same "
                                      "key.",
                            .retry_after = retry_after_seconds(settings_.retry_after, lease)}),
            "superseded");
    };
    return std::visit(overloaded{
                          [&](const reply::Ended& ended) {
                              return stamped(ended.answer, word_of(ended.disposition));
                          },
                          [&](const refusal::Lost& /*lost*/) { return superseded(); },
                          [&](const refusal::Fenced& /*fenced*/) { return superseded(); },
                          [&](const refusal::AlreadyCompleted& done) {
                              if (done.answer) return stamped(*done.answer, "replayed");
                              return stamped(
                                  problem_answer(settings_.profile, Problem::expired,
                                                 {.detail = "The answer is not kept any more."}),
                                  "expired");
                          },
                      },
                      reply);
}

// What the store says of itself is for its operator, not for the client. Nor can it say that
// nothing was done: a commit may fail after the work, and a claim's end after the effect.
Answer Adapter::answer(const StoreError& error) const {
    const auto tell_of = [&](Problem problem, const ProblemFacts& facts) {
        return stamped(problem_answer(settings_.profile, problem, facts), word(error.fault()));
    };
    const ProblemFacts later{
        .detail = "Send the request again, with the same key: it is not carried out twice.",
        .retry_after = retry_after_seconds(settings_.retry_after, Span::max())};
    switch (error.fault()) {
        case StoreFault::busy: return tell_of(Problem::busy, later);
        case StoreFault::unavailable: return tell_of(Problem::unavailable, later);
        case StoreFault::corrupt:
            return tell_of(Problem::corrupt, {.detail = "Somebody has to look at the store."});
        case StoreFault::refused: break;
    }
    return tell_of(Problem::refused, {.detail = "The service has to be mended."});
}

Answer Adapter::answer(const admission::Refused& refused) const {
    const Told said = tell(refused);
    return stamped(problem_answer(settings_.profile, said.problem, said.facts), said.status);
}

Answer Adapter::answer(const Unkeyed& unkeyed, Answer handlers) const {
    set_field(handlers, settings_.replay_field, "");
    set_field(handlers, settings_.status_field, unkeyed.key_ignored ? "ignored" : "");
    return handlers;
}

Answer Adapter::respond(const Request& request, const std::function<Reply(const Submission&)>& once,
                        const std::function<Answer()>& unkeyed) const {
    const Reception reception = receive(request);
    try {
        return std::visit(
            overloaded{
                [&](const Keyed& keyed) { return answer(keyed, once(keyed.submission())); },
                [&](const Unkeyed& without) { return answer(without, unkeyed()); },
                [&](const Answer& refusal) { return refusal; },
            },
            reception);
    } catch (const StoreError& error) {
        return answer(error);
    }
}

}  // namespace counterfoil::http
