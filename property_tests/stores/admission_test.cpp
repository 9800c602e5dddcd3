#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <counterfoil/memory/store.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <counterfoil/words.hpp>
#include <gtest/gtest.h>

#include "stores/temporary_folder.hpp"

// When a store asks its Admitter, and what is left of what was refused.

namespace counterfoil {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class SetClock final : public Clock {
public:
    [[nodiscard]] Instant now() override {
        if (meanwhile) std::exchange(meanwhile, {})();
        return at = at + Span{1};
    }

    void pause(Span length) override { at = at + length; }

    Instant at{seconds{1'800'000'000}};
    std::function<void()> meanwhile;
};

class Limiter final : public Admitter {
public:
    std::optional<admission::Refused> refusal_of(const Request& /*request*/) override {
        ++asked;
        if (meanwhile) std::exchange(meanwhile, {})();
        if (broken) throw std::runtime_error{"the limiter is broken"};
        return refusal;
    }

    void refuse() { refusal = {admission::Ground::budget_spent, seconds{7}}; }

    std::optional<admission::Refused> refusal;
    std::function<void()> meanwhile;
    bool broken{false};
    int asked{};
};

PolicyBook policies() {
    PolicyFigures figures;
    figures.lease = seconds{30};
    figures.on_lapse = OnLapse::take_over;
    figures.max_attempts = 2;
    return PolicyBook{
        validate(figures, {.client_retry_window = hours{1}, .handler_budget = seconds{10}})
            .value()};
}

Scope scope(std::string_view key) {
    return {parse_tenant("acme").value(), parse_operation("orders.create").value(),
            parse_key(key).value()};
}

struct MemoryWorld {
    explicit MemoryWorld(const Setup& setup) : store{setup} {}

    memory::Store store;
};

struct SqliteWorld {
    explicit SqliteWorld(const Setup& setup)
        : store{folder.path() / "admission.db",
                setup,
                {.durability = sqlite::Durability::off, .connections = 2}} {}

    TemporaryFolder folder;
    sqlite::Store store;
};

template <class World>
class Admission : public testing::Test {
protected:
    static Submission submission(std::string_view key, std::string_view body = R"({"a":1})") {
        return {scope(key), intent::Json{body}};
    }

    std::string once(std::string_view key, std::string_view body = R"({"a":1})") {
        return std::string{word(reply_to(key, body))};
    }

    Reply reply_to(std::string_view key, std::string_view body = R"({"a":1})") {
        return world.store.once(submission(key, body), [this](auto& /*transaction*/) {
            ++ran;
            return Answer{.status = 201};
        });
    }

    std::string claim(std::string_view key, Span wait = {}) {
        return std::string{word(world.store.claim(submission(key), {wait}))};
    }

    std::string state(std::string_view key) {
        const std::optional<Receipt> found = world.store.find(scope(key));
        return found ? std::string{word(found->state)} : "none";
    }

    SetClock clock;
    Limiter limiter;
    World world{counterfoil::Setup{.policies = policies(), .clock = &clock, .admitter = &limiter}};
    int ran{};
};

using Worlds = testing::Types<MemoryWorld, SqliteWorld>;
TYPED_TEST_SUITE(Admission, Worlds);

TYPED_TEST(Admission, what_is_refused_leaves_no_receipt_and_may_come_again) {
    this->limiter.refuse();
    const Reply reply = this->reply_to("k");
    EXPECT_EQ(reply, Reply{reply::NotAdmitted{*this->limiter.refusal}});
    EXPECT_EQ(word(reply), "not_admitted");
    EXPECT_EQ(why(reply), nullptr);
    EXPECT_EQ(answer_of(reply), nullptr);
    EXPECT_EQ(this->claim("k"), "not_admitted");
    EXPECT_EQ(this->state("k"), "none");
    EXPECT_EQ(this->ran, 0);

    this->limiter.refusal.reset();
    EXPECT_EQ(this->once("k"), "create");
    EXPECT_EQ(this->ran, 1);
}

// Asked before the verdict, a spent budget would hide an answer that was given already.
TYPED_TEST(Admission, is_not_asked_about_what_a_receipt_answers) {
    EXPECT_EQ(this->once("done"), "create");
    EXPECT_EQ(this->claim("held"), "create");
    EXPECT_EQ(this->limiter.asked, 2);

    this->limiter.refuse();
    EXPECT_EQ(this->once("done"), "replay");
    EXPECT_EQ(this->claim("done"), "replay");
    EXPECT_EQ(this->once("done", R"({"a":2})"), "conflict");
    EXPECT_EQ(this->once("held"), "in_progress");
    EXPECT_EQ(this->once("held", R"({"a":)"), "unreadable");
    EXPECT_EQ(this->limiter.asked, 2);
}

TYPED_TEST(Admission, leaves_what_it_would_have_taken_over_as_it_was) {
    ASSERT_EQ(this->claim("k"), "create");
    this->clock.pause(hours{1});
    const std::optional<Receipt> before = this->world.store.find(scope("k"));
    this->limiter.refuse();
    EXPECT_EQ(this->once("k"), "not_admitted");
    EXPECT_EQ(this->claim("k"), "not_admitted");
    EXPECT_EQ(this->world.store.find(scope("k")), before);

    this->limiter.refusal.reset();
    EXPECT_EQ(this->claim("k"), "take_over");
}

// To say that a receipt is unknown is no leave to run.
TYPED_TEST(Admission, does_not_keep_a_lapsed_receipt_from_being_written_as_unknown) {
    ASSERT_EQ(this->claim("k"), "create");
    this->clock.pause(hours{1});
    ASSERT_EQ(this->claim("k"), "take_over");
    this->clock.pause(hours{1});
    this->limiter.refuse();
    EXPECT_EQ(this->once("k"), "unknown");
    EXPECT_EQ(this->state("k"), "unknown");
}

TYPED_TEST(Admission, fails_closed_where_asking_fails) {
    this->limiter.broken = true;
    EXPECT_THROW(this->once("k"), std::runtime_error);
    EXPECT_THROW(this->claim("k"), std::runtime_error);
    EXPECT_EQ(this->state("k"), "none");
    EXPECT_EQ(this->ran, 0);
}

// It is asked with nothing of the store's held, so more calls may come in between than there are
// connections.
TYPED_TEST(Admission, lets_others_in_while_it_is_asked) {
    this->limiter.meanwhile = [this] {
        this->limiter.meanwhile = [this] { EXPECT_EQ(this->once("k"), "create"); };
        EXPECT_EQ(this->once("another"), "create");
    };
    EXPECT_EQ(this->once("k"), "replay");
    EXPECT_EQ(this->ran, 2);
    EXPECT_EQ(this->limiter.asked, 3);
}

// What says unknown outside the lock, since nobody may take over any more, may be free under it.
TYPED_TEST(Admission, is_asked_where_leave_comes_only_under_the_lock) {
    ASSERT_EQ(this->claim("k"), "create");
    this->clock.pause(hours{1});
    const ClaimReply last = this->world.store.claim(this->submission("k"), {});
    this->clock.pause(hours{1});
    this->clock.meanwhile = [&] {
        const Permit& permit = std::get<reply::Claimed>(last).permit;
        EXPECT_EQ(word(this->world.store.release(permit)), "released");
    };
    this->limiter.refuse();
    EXPECT_EQ(this->once("k"), "not_admitted");
    EXPECT_EQ(this->state("k"), "none");
    EXPECT_EQ(this->ran, 0);
    EXPECT_EQ(this->limiter.asked, 3);
}

TYPED_TEST(Admission, is_asked_once_a_call) {
    this->limiter.meanwhile = [this] { EXPECT_EQ(this->claim("k"), "create"); };
    EXPECT_EQ(this->claim("k", hours{1}), "take_over");
    EXPECT_EQ(this->limiter.asked, 2);
}

// A claim that waits is asked about when its turn has come, and once.
TYPED_TEST(Admission, is_asked_when_a_wait_is_over) {
    ASSERT_EQ(this->claim("k"), "create");
    this->limiter.refuse();
    EXPECT_EQ(this->claim("k", seconds{10}), "in_progress");
    EXPECT_EQ(this->limiter.asked, 1);
    EXPECT_EQ(this->claim("k", hours{1}), "not_admitted");
    EXPECT_EQ(this->limiter.asked, 2);
}

}  // namespace
}  // namespace counterfoil
