#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <counterfoil/http/exchange.hpp>
#include <gtest/gtest.h>

#include "http/talk.hpp"

namespace counterfoil::http {
namespace {

class Exchanges : public testing::Test {
protected:
    static Answer made(int status = 201) { return {.status = status, .body = body::Bytes{"made"}}; }

    static std::string told(const Answer& answer) {
        return std::to_string(answer.status) + ' ' +
               field(answer, "Idempotency-Status").value_or("-") + ' ' + text(answer).substr(0, 4);
    }

    Talk talk;
    Request request{Talk::post("k", R"({"a":1})")};
};

TEST_F(Exchanges, run_once_and_then_replay) {
    Exchange first{talk.adapter, talk.store, request};
    ASSERT_EQ(first.ready(), nullptr);
    ASSERT_NE(first.claim(), nullptr);

    Exchange twin{talk.adapter, talk.store, request};
    ASSERT_NE(twin.ready(), nullptr);
    EXPECT_EQ(twin.ready()->status, 409);
    EXPECT_EQ(field(*twin.ready(), "Retry-After"), "30");

    EXPECT_EQ(told(first.end({.answer = made()})), "201 created made");
    Exchange again{talk.adapter, talk.store, request};
    ASSERT_NE(again.ready(), nullptr);
    EXPECT_EQ(told(*again.ready()), "201 replayed made");

    const auto other = Talk::post("k", R"({"a":2})");
    Exchange conflict{talk.adapter, talk.store, other};
    EXPECT_EQ(conflict.ready()->status, 422);
}

TEST_F(Exchanges, give_the_key_back_with_an_answer_that_is_released) {
    EXPECT_EQ(told(Exchange{talk.adapter, talk.store, request}.end({.answer = made(400)})),
              "400 released made");
    EXPECT_EQ(Exchange(talk.adapter, talk.store, request).ready(), nullptr);
}

TEST_F(Exchanges, let_go_of_what_is_dropped) {
    { const Exchange dropped{talk.adapter, talk.store, request}; }
    EXPECT_EQ(Exchange(talk.adapter, talk.store, request).ready(), nullptr);
    {
        Exchange begun{talk.adapter, talk.store, request};
        begun.claim()->effect_begins();
    }
    Exchange unknown{talk.adapter, talk.store, request};
    ASSERT_NE(unknown.ready(), nullptr);
    EXPECT_EQ(field(*unknown.ready(), "Idempotency-Status"), "unknown");
}

/// A store that is away when a claim is to end.
class AwayAtTheEnd {
public:
    explicit AwayAtTheEnd(memory::Store& store) : store_{store} {}

    ClaimReply claim(const Submission& submission, const Wait& wait) {
        return store_.claim(submission, wait);
    }

    template <class AnswerOrWork>
    [[noreturn]] CompleteReply complete(const Permit& /*permit*/, const AnswerOrWork& /*answer*/,
                                        std::string_view /*request_id*/) {
        throw StoreError{StoreFault::unavailable, "gone"};
    }

    Abandonment abandon(const Permit& permit, Effect effect, std::string_view request_id) {
        return store_.abandon(permit, effect, request_id);
    }

private:
    memory::Store& store_;
};

TEST_F(Exchanges, whose_end_fails_do_not_give_the_key_back) {
    AwayAtTheEnd away{talk.store};
    {
        Exchange exchange{talk.adapter, away, request};
        ASSERT_EQ(exchange.ready(), nullptr);
        const auto told_of_it = exchange.end({.answer = made()});
        EXPECT_EQ(told_of_it.status, 503);
        EXPECT_TRUE(field(told_of_it, "Retry-After").has_value());
        EXPECT_EQ(text(told_of_it).find("Nothing"), std::string::npos);
    }
    Exchange again{talk.adapter, talk.store, request};
    ASSERT_NE(again.ready(), nullptr);
    EXPECT_EQ(field(*again.ready(), "Idempotency-Status"), "unknown");
}

TEST_F(Exchanges, whose_work_is_rolled_back_give_the_key_back) {
    AwayAtTheEnd away{talk.store};
    const auto work = [&](memory::Transaction&) { return Outcome{.answer = made()}; };
    EXPECT_EQ((Exchange{talk.adapter, away, request}.end_with(work).status), 503);
    EXPECT_EQ(told(Exchange{talk.adapter, talk.store, request}.end_with(work)), "201 created made");
}

TEST_F(Exchanges, that_were_overtaken_keep_their_answer_to_themselves) {
    Exchange late{talk.adapter, talk.store, request};
    talk.clock.at += std::chrono::minutes{1};
    Exchange successor{talk.adapter, talk.store, request};
    ASSERT_EQ(successor.ready(), nullptr);

    const auto refused = late.end({.answer = made()});
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(field(refused, "Idempotency-Status"), "superseded");
    EXPECT_TRUE(field(refused, "Retry-After").has_value());
    EXPECT_EQ(told(successor.end({.answer = made()})), "201 created made");
}

TEST_F(Exchanges, without_a_key_have_no_claim) {
    const auto unkeyed = Talk::request("POST", "/notes", std::nullopt, "{}");
    Exchange exchange{talk.adapter, talk.store, unkeyed};
    EXPECT_EQ(exchange.ready(), nullptr);
    EXPECT_EQ(exchange.claim(), nullptr);
    EXPECT_EQ(told(exchange.end({.answer = made()})), "201 - made");

    const auto keyless = Talk::request("POST", "/orders", std::nullopt, "{}");
    EXPECT_EQ(Exchange(talk.adapter, talk.store, keyless).ready()->status, 400);
}

}  // namespace
}  // namespace counterfoil::http
