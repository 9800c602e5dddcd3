#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/http/adapter.hpp>
#include <counterfoil/memory/store.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "http/talk.hpp"
#include "written/page.hpp"

namespace counterfoil::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Answer created() {
    return {.status = 201,
            .fields = {{"Content-Type", "text/plain"},
                       {"Location", "/orders/1"},
                       {"Idempotency-Status", "forged"},
                       {"idempotent-replayed", "forged"}},
            .body = body::Bytes{"made"}};
}

// Everything that a store can say, and the problem that it is told as.
struct Saying {
    std::string name;
    Reply reply;
    Problem problem{};
    std::string status;
};

std::vector<Saying> sayings() {
    const Instant seen{seconds{1'800'000'000}};
    const Why why{.rule = Rule::other_fingerprint, .now = seen, .attempt = 2};
    return {
        {"conflict", verdict::Conflict{seen, {{"/body/amount"}}, why}, Problem::key_reused,
         "conflict"},
        {"in progress", verdict::InProgress{milliseconds{1'200}, seen, seen, 2, why},
         Problem::in_progress, "in_progress"},
        {"unknown", verdict::Unknown{seen, seen, UnknownCause::marked, {}, why},
         Problem::unknown_outcome, "unknown"},
        {"expired", verdict::Expired{verdict::Seen{seen, {201, seen, "order-1"}}, why},
         Problem::expired, "expired"},
        {"maybe seen", verdict::Expired{verdict::MaybeSeen{seen}, why}, Problem::expired,
         "expired"},
        {"incomparable", verdict::Incomparable{{"hmac-raw;secret=top"}, seen, why},
         Problem::incomparable, "incomparable"},
        {"no JSON",
         reply::Unreadable{
             {FingerprintFault::unreadable_json, JsonError{JsonFault::syntax, 3}, "body"}},
         Problem::unreadable_request, "rejected"},
        {"no secret", reply::Unreadable{{FingerprintFault::missing_secret, {}, "top"}},
         Problem::refused, "refused"},
        {"over budget", reply::NotAdmitted{{admission::Ground::budget_spent, milliseconds{1'200}}},
         Problem::rate_limited, "not_admitted"},
        {"limiter away", reply::NotAdmitted{{admission::Ground::dependency_down, seconds{1}}},
         Problem::undecided, "not_admitted"},
    };
}

TEST(AdapterTable, tells_each_verdict_by_each_profile) {
    auto own = Profile::standard();
    own[Problem::expired] = {404, "Gone for good"};
    own.type_base = "https://docs.example/p#";
    for (const auto& profile : {Profile::standard(), Profile::classic(), own}) {
        const Talk talk{profile};
        for (const auto& saying : sayings()) {
            SCOPED_TRACE(saying.name);
            const Answer answer = talk.adapter.answer(talk.keyed("k"), saying.reply);
            const auto& form = profile[saying.problem];
            EXPECT_EQ(answer.status, form.status);
            EXPECT_EQ(field(answer, "Idempotency-Status"), saying.status);
            EXPECT_EQ(field(answer, "Idempotent-Replayed"), std::nullopt);
            EXPECT_EQ(field(answer, "Content-Type"), "application/problem+json");
            const auto body = boost::json::parse(text(answer)).as_object();
            EXPECT_EQ(body.at("type").as_string(),
                      profile.type_base + std::string{slug(saying.problem)});
            EXPECT_EQ(body.at("title").as_string(), form.title);
            EXPECT_EQ(body.at("status").as_int64(), form.status);
            EXPECT_FALSE(body.at("detail").as_string().empty());
            EXPECT_EQ(text(answer).find("top"), std::string::npos) << "a secret's name";
        }
    }
}

TEST(AdapterTable, is_that_of_the_page) {
    const auto page = written::read(std::string{COUNTERFOIL_DOCS} + "/http.md");
    const auto problems_page = written::read(std::string{COUNTERFOIL_DOCS} + "/problems.md");
    ASSERT_TRUE(page && problems_page);
    const auto standard = Profile::standard();
    const auto classic = Profile::classic();
    for (std::size_t i = 0; i < problems; ++i) {
        const auto problem = static_cast<Problem>(i);
        const auto row = "| [" + std::string{slug(problem)} + "](problems.md#" +
                         std::string{slug(problem)} + ") | " +
                         std::to_string(standard[problem].status) + " | " +
                         std::to_string(classic[problem].status) + " |";
        EXPECT_NE(page->find(row), std::string::npos) << row;
        EXPECT_NE(problems_page->find("\n## " + std::string{slug(problem)} + "\n"),
                  std::string::npos);
    }
}

TEST(AdapterTable, says_what_a_verdict_carries) {
    const Talk talk;
    const auto body = [&](const Saying& saying) {
        return boost::json::parse(text(talk.adapter.answer(talk.keyed("k"), saying.reply)))
            .as_object();
    };
    const auto all = sayings();
    EXPECT_EQ(body(all[0]).at("differs"), (boost::json::array{"/body/amount"}));
    EXPECT_EQ(body(all[0]).at("rule"), 5);
    EXPECT_EQ(body(all[0]).at("rule_name"), "other_fingerprint");
    EXPECT_EQ(body(all[0]).at("first_seen"), "2027-01-15T08:00:00.000000Z");
    EXPECT_EQ(body(all[1]).at("retry_after"), 2);
    EXPECT_EQ(body(all[1]).at("attempt"), 2);
    EXPECT_NE(body(all[3]).at("detail").as_string().find("status 201"), std::string::npos);
    EXPECT_NE(body(all[6]).at("detail").as_string().find("it is not JSON"), std::string::npos);
    EXPECT_EQ(body(all[8]).at("retry_after"), 2);
    EXPECT_FALSE(body(all[8]).contains("rule"));
    const auto& refused = std::get<reply::NotAdmitted>(all[8].reply).refused;
    EXPECT_EQ(talk.adapter.answer(refused), talk.adapter.answer(talk.keyed("k"), all[8].reply));
}

TEST(RetryAfter, is_rounded_up_at_least_one_and_never_above_the_lease) {
    const auto told = [](Span wait, Span lease) {
        PolicyFigures figures;
        figures.lease = lease;
        const Talk talk{Profile::standard(), figures};
        const verdict::InProgress running{wait, {}, {}, 1, {}};
        return *field(talk.adapter.answer(talk.keyed("k"), Reply{running}), "Retry-After");
    };
    EXPECT_EQ(told(Span{1}, seconds{30}), "1");
    EXPECT_EQ(told(milliseconds{1'001}, seconds{30}), "2");
    EXPECT_EQ(told(seconds{30}, seconds{30}), "30");
    EXPECT_EQ(told(milliseconds{11'200}, milliseconds{11'500}), "11");
    EXPECT_EQ(told(milliseconds{300}, milliseconds{500}), "1");
}

TEST(Adapter, tells_a_store_that_failed_and_nothing_of_its_words) {
    const Talk talk;
    const std::array<std::pair<StoreFault, int>, 4> faults{{{StoreFault::busy, 503},
                                                            {StoreFault::unavailable, 503},
                                                            {StoreFault::corrupt, 500},
                                                            {StoreFault::refused, 500}}};
    for (const auto& [fault, status] : faults) {
        const auto answer = talk.adapter.answer(StoreError{fault, "/var/db/orders.db is locked"});
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(field(answer, "Idempotency-Status"), word(fault));
        EXPECT_EQ(field(answer, "Retry-After").has_value(), status == 503);
        EXPECT_EQ(text(answer).find("orders.db"), std::string::npos);
    }
    const auto answer = talk.adapter.respond(
        talk.post("k", "{}"),
        [](const Submission&) -> Reply {
            throw StoreError{StoreFault::busy, "x"};
        },
        [] { return Answer{}; });
    EXPECT_EQ(answer.status, 503);
}

TEST(Adapter, asks_for_a_key_where_the_route_does) {
    const Talk talk;
    const auto received = [&](std::string_view method, std::string_view path,
                              std::optional<std::string_view> key) {
        const auto reception = talk.adapter.receive(talk.request(method, path, key, "{}"));
        if (std::holds_alternative<Keyed>(reception)) return std::string{"keyed"};
        if (const auto* without = std::get_if<Unkeyed>(&reception)) {
            return std::string{without->key_ignored ? "ignored" : "unkeyed"};
        }
        const auto& answer = std::get<Answer>(reception);
        return std::to_string(answer.status) + ' ' + *field(answer, "Idempotency-Status");
    };
    EXPECT_EQ(received("POST", "/orders", "k"), "keyed");
    EXPECT_EQ(received("PATCH", "/orders", "k"), "keyed");
    EXPECT_EQ(received("POST", "/orders", std::nullopt), "400 rejected");
    EXPECT_EQ(received("POST", "/orders", " "), "400 rejected");
    EXPECT_EQ(received("POST", "/orders", "a b"), "400 rejected");
    EXPECT_EQ(received("GET", "/orders", "k"), "ignored");
    EXPECT_EQ(received("GET", "/orders", std::nullopt), "unkeyed");
    EXPECT_EQ(received("POST", "/notes", "k"), "keyed");
    EXPECT_EQ(received("POST", "/notes", std::nullopt), "unkeyed");
    EXPECT_EQ(received("POST", "/notes", "\""), "400 rejected");
    EXPECT_EQ(received("PUT", "/rates", "k"), "keyed");
    EXPECT_EQ(received("POST", "/search", "k"), "ignored");
    EXPECT_EQ(received("POST", "/elsewhere", "k"), "ignored");
}

TEST(Adapter, says_that_a_key_was_ignored_and_of_others_nothing) {
    const Talk talk;
    const auto answer = [&](std::optional<std::string_view> key) {
        return talk.adapter.respond(
            talk.request("POST", "/search", key, "{}"),
            [](const Submission&) -> Reply { throw std::logic_error{"asked"}; }, created);
    };
    EXPECT_EQ(field(answer("k"), "Idempotency-Status"), "ignored");
    EXPECT_EQ(field(answer({}), "Idempotency-Status"), std::nullopt);
    EXPECT_EQ(field(answer("k"), "Idempotent-Replayed"), std::nullopt);
    EXPECT_EQ(answer("k").status, 201);
}

TEST(Adapter, refuses_content_that_it_can_not_compare) {
    const Talk talk;
    auto request = talk.post("k", "{}");
    request.fields.push_back({"Content-Encoding", "gzip"});
    EXPECT_EQ(std::get<Answer>(talk.adapter.receive(request)).status, 415);
    request.fields.back() = {"Content-Type", "x"};
    EXPECT_EQ(std::get<Answer>(talk.adapter.receive(request)).status, 400);
}

TEST(Adapter, names_the_faults_of_its_settings) {
    const Talk talk;
    auto settings = talk.adapter.settings();
    EXPECT_TRUE(faults_of(settings).empty());
    settings.key_field = "no token";
    settings.replay_field = "idempotency-status";
    settings.routes.front().path = "orders";
    settings.routes.front().method = "";
    settings.routes.front().binding.fields = {"a:"};
    settings.profile[Problem::busy].status = 200;
    EXPECT_EQ(faults_of(settings).size(), 6U);
}

// What a client gets again is what it got, but for the marker; whatever the handler answered.
RC_GTEST_PROP(AdapterLaws, a_replay_is_the_first_answer_but_for_the_markers, ()) {
    const auto word = rc::gen::elementOf(
        std::vector<std::string>{"Location", "ETag", "Content-Type", "Content-Encoding"});
    const auto any_text = rc::gen::container<std::string>(rc::gen::inRange<char>(0x21, 0x7F));
    Answer first{.status = *rc::gen::element(200, 201, 204, 303, 405, 410)};
    for (const auto& name : *rc::gen::container<std::vector<std::string>>(word)) {
        first.fields.push_back({name, *any_text});
    }
    first.fields.push_back({"Set-Cookie", "secret"});
    if (*rc::gen::arbitrary<bool>()) {
        first.body = body::Bytes{*rc::gen::arbitrary<std::string>()};
    }
    Talk talk;
    const auto send = [&] {
        return talk.adapter.respond(
            talk.post("k", R"({"a":1})"),
            [&](const Submission& submission) {
                return talk.store.once(submission, [&](memory::Transaction&) { return first; });
            },
            [] { return Answer{}; });
    };
    const auto unmarked = [](Answer answer) {
        std::erase_if(answer.fields, [](const Field& one) {
            return one.name.starts_with("Idempote") || one.name == "Set-Cookie";
        });
        return answer;
    };
    const auto once = send();
    const auto again = send();
    RC_ASSERT(field(once, "Idempotency-Status") == "created");
    RC_ASSERT(field(again, "Idempotency-Status") == "replayed");
    RC_ASSERT(field(again, "Idempotent-Replayed") == "true");
    RC_ASSERT(!field(once, "Idempotent-Replayed").has_value());
    RC_ASSERT(!field(again, "Set-Cookie").has_value());
    RC_ASSERT(unmarked(once) == unmarked(again));
    RC_ASSERT(unmarked(once) == unmarked(first));
}

// Another tenant's receipts make no difference at all to what one is told.
RC_GTEST_PROP(AdapterLaws, nothing_of_another_tenant_is_told, ()) {
    const auto body = rc::gen::element<std::string>("{}", "1", "x", "[2]");
    const auto key = rc::gen::element<std::string>("k", "\"k\"", "l", "", "a b");

    struct Sent {
        std::string key;
        std::string body;
    };

    const auto requests = [&] {
        std::vector<Sent> sent;
        const auto count = *rc::gen::inRange(1, 5);
        for (int i = 0; i < count; ++i) sent.push_back({*key, *body});
        return sent;
    };
    const auto theirs = requests();
    const auto mine = requests();
    const auto told = [&](bool among_others) {
        Talk talk;
        const auto send = [&](std::string_view tenant, const Sent& sent) {
            auto request = talk.post(sent.key, sent.body);
            request.tenant = parse_tenant(tenant).value();
            return talk.adapter.respond(
                request,
                [&](const Submission& submission) {
                    return talk.store.once(submission, [&](memory::Transaction&) {
                        return Answer{.status = 201,
                                      .body = body::Bytes{std::string{tenant} + sent.body}};
                    });
                },
                [] { return Answer{}; });
        };
        if (among_others) {
            for (const auto& sent : theirs) send("theirs", sent);
        }
        std::vector<Answer> answers;
        for (const auto& sent : mine) answers.push_back(send("mine", sent));
        return answers;
    };
    RC_ASSERT(told(true) == told(false));
}

}  // namespace
}  // namespace counterfoil::http
