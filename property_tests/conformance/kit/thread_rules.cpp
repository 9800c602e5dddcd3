#include <barrier>
#include <chrono>
#include <cstddef>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include <rapidcheck.h>

#include "access.hpp"
#include "counterfoil/store/store_error.hpp"
#include "generators/situations.hpp"
#include "property.hpp"
#include "protocol_model.hpp"
#include "samples.hpp"

namespace counterfoil::testing {

namespace {

constexpr std::size_t crowd = 4;
static_assert(crowd < most_sessions);

constexpr int rounds = 4;
const std::string tea = R"({"sku":"tea"})";
const std::string coffee = R"({"sku":"coffee"})";

Setup setup_of(Clock& clock) {
    return {.policies = PolicyBook{gen::valid(PolicyFigures{})}, .clock = &clock};
}

/// Work that takes its time, so that transactions that may overlap do, and whose answer tells its
/// runs apart.
class SlowWork {
public:
    explicit SlowWork(std::chrono::microseconds time) : time_{time} {}

    Outcome run() {
        const int number = ++runs_;
        std::this_thread::sleep_for(time_);
        return {.answer = {.status = 201,
                           .fields = {},
                           .body = body::Bytes{"run " + std::to_string(number)}},
                .effect = Effect::not_begun};
    }

private:
    std::chrono::microseconds time_;
    std::atomic<int> runs_{};
};

/// Calls until the store is not busy any more.
Reply until_told(Protocol& protocol, Session& session, const Submission& submission,
                 SlowWork& work) {
    constexpr int patience = 200;
    for (int attempt = 1;; ++attempt) {
        try {
            return protocol.once(session, submission, [&] { return work.run(); });
        } catch (const StoreError& error) {
            if (error.fault() != StoreFault::busy || attempt == patience) throw;
        }
    }
}

/// All threads begin at once; what each of them was told.
template <class Told>
std::vector<Told> all_at_once(Subject& subject,
                              const std::function<Told(Session&, std::size_t)>& each) {
    std::barrier together{static_cast<std::ptrdiff_t>(crowd)};
    std::vector<std::future<Told>> running;
    for (std::size_t thread = 0; thread < crowd; ++thread) {
        running.push_back(std::async(std::launch::async, [&, thread] {
            together.arrive_and_wait();
            const std::unique_ptr<Session> session = subject.session();
            return each(*session, thread);
        }));
    }
    std::vector<Told> told;
    for (std::future<Told>& one : running) told.push_back(one.get());
    return told;
}

std::size_t performed(const std::vector<Reply>& replies) {
    std::size_t count = 0;
    for (const Reply& reply : replies) {
        if (std::holds_alternative<reply::Performed>(reply)) ++count;
    }
    return count;
}

Answer answer_in(const std::optional<Receipt>& receipt) {
    RC_ASSERT(receipt.has_value());
    const auto* completed = std::get_if<state::Completed>(&receipt->state);
    if (completed == nullptr) RC_FAIL("the receipt is not completed");
    return completed->answer;
}

void one_winner(Subject& subject, std::size_t intents) {
    ManualClock clock{Instant{Span{1}}};
    Protocol protocol{setup_of(clock)};
    subject.make_empty();
    for (int round = 0; round < rounds; ++round) {
        const Scope scope = scope_of("a", "bc", "key-" + std::to_string(round));
        SlowWork work{std::chrono::milliseconds{2}};
        const auto replies = all_at_once<Reply>(subject, [&](Session& session, std::size_t thread) {
            const std::string& text = thread % intents == 0 ? tea : coffee;
            return until_told(protocol, session, {scope, intent::Json{text}}, work);
        });
        RC_ASSERT(performed(replies) == 1U);
        const Answer stored = answer_in(peeked(subject, scope));
        std::size_t conflicts = 0;
        for (const Reply& reply : replies) {
            if (std::holds_alternative<verdict::Conflict>(reply)) {
                ++conflicts;
                continue;
            }
            const Answer* answer = answer_of(reply);
            if (answer == nullptr)
                RC_FAIL("a thread was told " + std::string{counterfoil::word(reply)});
            RC_ASSERT(*answer == stored);
        }
        RC_ASSERT(conflicts == (intents == 1 ? 0U : crowd / 2));
    }
}

void one_key(Subject& subject) {
    one_winner(subject, 1);
}

void two_intents(Subject& subject) {
    one_winner(subject, 2);
}

void many_keys(Subject& subject) {
    constexpr std::size_t keys = 8;
    ManualClock clock{Instant{Span{1}}};
    Protocol protocol{setup_of(clock)};
    subject.make_empty();
    const auto scope = [](std::size_t thread, std::size_t key) {
        return scope_of("a", "bc", std::to_string(thread) + '-' + std::to_string(key));
    };
    const auto told =
        all_at_once<std::vector<Reply>>(subject, [&](Session& session, std::size_t thread) {
            SlowWork work{std::chrono::microseconds{300}};
            std::vector<Reply> replies;
            for (std::size_t key = 0; key < keys; ++key) {
                replies.push_back(
                    until_told(protocol, session, {scope(thread, key), intent::Json{tea}}, work));
            }
            return replies;
        });
    for (std::size_t thread = 0; thread < crowd; ++thread) {
        RC_ASSERT(performed(told[thread]) == keys);
        for (std::size_t key = 0; key < keys; ++key) {
            RC_ASSERT(answer_in(peeked(subject, scope(thread, key))) ==
                      *answer_of(told[thread][key]));
        }
    }
}

}  // namespace

std::vector<Property> thread_rules() {
    const std::vector<Ability> needs{Ability::two_sessions, Ability::threads};
    return {
        {{.name = "one_key_is_worked_on_once",
          .sentence = "Of many threads with one request one does the work, and all have its "
                      "answer.",
          .needs = needs},
         1,
         one_key},
        {{.name = "two_intents_with_one_key_have_one_winner",
          .sentence = "Of two requests with one key one is done, and the other a conflict for all "
                      "who send it.",
          .needs = needs},
         1,
         two_intents},
        {{.name = "many_keys_do_not_disturb_each_other",
          .sentence = "Threads with keys of their own lose nothing to each other.",
          .needs = needs},
         1,
         many_keys},
    };
}

}  // namespace counterfoil::testing
