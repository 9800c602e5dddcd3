#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "access.hpp"
#include "counterfoil/store/store_error.hpp"
#include "failing_session.hpp"
#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "property.hpp"
#include "protocol_model.hpp"
#include "samples.hpp"

namespace counterfoil::testing {

namespace {

const std::array<std::string, 3> intents{R"({"sku":"tea"})", R"({"sku":"coffee"})", "{"};

Secrets secrets() {
    return {{"k", "a secret"}};
}

Setup setup_of(const Policy& policy, Clock& clock) {
    return {.policies = PolicyBook{policy}, .secrets = secrets(), .clock = &clock};
}

Scope submitted_scope(std::size_t number) {
    return number == 2 ? scope_of("a", "bc", "00000000-0000-7000-8000-000000000000")
                       : scope_number(number);
}

constexpr std::size_t submitted_scopes = 3;

struct Call {
    std::size_t scope{};
    std::size_t intent{};
    WorkResult work;
    std::int64_t wait_us{};
};

std::ostream& operator<<(std::ostream& out, const Call& call) {
    out << "\n    after " << call.wait_us << " us, " << submitted_scope(call.scope) << ' '
        << intents.at(call.intent) << ": ";
    return call.work ? out << *call.work : out << "throws";
}

/// A receipt that is there already, of this intent or of its own fingerprint.
struct Placed {
    Receipt receipt;
    std::size_t intent{};
};

std::ostream& operator<<(std::ostream& out, const Placed& placed) {
    return out << "\n    " << placed.receipt << " of intent " << placed.intent;
}

rc::Gen<Call> call() {
    return rc::gen::apply(
        [](std::size_t scope, std::size_t intent, Outcome outcome, int die, std::int64_t wait) {
            return Call{scope, intent, die == 0 ? WorkResult{} : WorkResult{std::move(outcome)},
                        wait};
        },
        rc::gen::inRange<std::size_t>(0, submitted_scopes),
        rc::gen::weightedElement<std::size_t>({{8, 0}, {4, 1}, {1, 2}}), gen::outcome(),
        rc::gen::inRange(0, 8), rc::gen::inRange<std::int64_t>(0, 5));
}

rc::Gen<Placed> placed(std::size_t scope) {
    return rc::gen::apply(
        [scope](Receipt receipt, std::size_t intent) {
            receipt.scope = submitted_scope(scope);
            return Placed{std::move(receipt), intent};
        },
        gen::receipt(), rc::gen::weightedElement<std::size_t>({{6, 0}, {2, 1}, {1, 2}}));
}

Policy with_conflict_detail(const Policy& policy, bool wanted) {
    PolicyFigures figures = policy.figures();
    if (wanted) figures.conflict_detail = FieldDigestRules{.secret = "k"};
    return gen::valid(std::move(figures));
}

void expect_same_receipts(Subject& subject, const CoreOverMap& core, const std::string& where) {
    for (std::size_t number = 0; number < submitted_scopes; ++number) {
        const Scope scope = submitted_scope(number);
        expect_equal(peeked(subject, scope), core.find(scope), where);
    }
}

void once_is_the_core(Subject& subject) {
    const Policy policy = with_conflict_detail(*gen::policy(), *rc::gen::arbitrary<bool>());
    const auto there = *rc::gen::tuple(placed(0), placed(1));
    const auto calls = *rc::gen::container<std::vector<Call>>(call());

    ManualClock clock{Instant{}};
    CoreOverMap core{policy, secrets()};
    for (Placed one : {std::get<0>(there), std::get<1>(there)}) {
        if (one.intent < 2) {
            one.receipt.fingerprint = core.fingerprint(intent::Json{intents.at(one.intent)});
        }
        core.set(one.receipt.scope, one.receipt);
    }
    std::vector<Receipt> receipts;
    for (const auto& [scope, receipt] : core.receipts()) receipts.push_back(receipt);
    make_with(subject, receipts);

    Protocol protocol{setup_of(policy, clock)};
    const std::unique_ptr<Session> session = subject.session();
    for (const Call& one : calls) {
        clock.advance(Span{one.wait_us});
        const Submission submission{submitted_scope(one.scope),
                                    intent::Json{intents.at(one.intent)}};
        int runs = 0;
        const auto found = once_through(protocol, *session, submission, one.work, runs);
        expect_same_reply(found, core.once(submission, one.work, clock.now()), "once() replied");
        RC_ASSERT(runs == core.runs());
    }
    expect_same_receipts(subject, core, "peeked after all calls");
}

Policy plain_policy() {
    PolicyFigures figures;
    figures.lease = Span{10};
    figures.replay_window = Span{1'000};
    figures.tombstone_window = Span{2'000};
    figures.max_attempts = 3;
    return gen::valid(std::move(figures));
}

Outcome outcome_of(int status, std::string body, Effect effect = Effect::not_begun) {
    return {.answer = {.status = status, .fields = {}, .body = body::Bytes{std::move(body)}},
            .effect = effect};
}

constexpr Instant beginning{Span{1'000'000}};

Receipt lapsed_claim(Scope scope, const Fingerprint& fingerprint, std::int64_t attempt) {
    return {.scope = std::move(scope),
            .fingerprint = fingerprint,
            .fence = Fence{5},
            .created_at = Instant{Span{5}},
            .attempt = attempt,
            .state = state::InProgress{Instant{Span{15}}}};
}

/// A call of each kind: one that creates, replays, conflicts, takes over and keeps, takes over and
/// releases, gives up, and does not know. Each run of it has keys of its own, so that one store
/// does for all.
class FailingRun {
public:
    FailingRun(Subject& subject, int number, Fuse fuse)
        : subject_{subject}, run_{std::to_string(number)}, fuse_{fuse} {
        const Fingerprint tea = core_.fingerprint(intent::Json{intents[0]});
        const std::unique_ptr<Session> session = subject_.session();
        commit_with(*session, [&](ReceiptTable& table) {
            for (const auto& [name, attempt] :
                 {std::pair{"lapsed", 1}, {"released", 1}, {"exhausted", 3}}) {
                const Receipt receipt = lapsed_claim(scope(name), tea, attempt);
                RC_ASSERT(table.insert(receipt));
                core_.set(receipt.scope, receipt);
            }
        });
        for_good_ = fuse_.is_for_good();
    }

    /// Whether the run got through without a failure.
    bool gets_through() {
        {
            FailingSession session{subject_.session(), fuse_};
            for (const auto& [name, intent, work] : script()) {
                if (!call(session, {scope(name), intent::Json{intents.at(intent)}}, work)) break;
            }
        }
        for (const auto& [scope, receipt] : core_.receipts()) {
            expect_equal(peeked(subject_, scope), receipt, "peeked after a run with a failure");
        }
        return !fuse_.has_blown();
    }

private:
    struct Line {
        std::string name;
        std::size_t intent{};
        Outcome work;
    };

    static std::vector<Line> script() {
        return {{"fresh", 0, outcome_of(201, "one")},
                {"fresh", 0, outcome_of(201, "two")},
                {"fresh", 1, outcome_of(201, "three")},
                {"lapsed", 0, outcome_of(201, "four")},
                {"released", 0, outcome_of(404, "five")},
                {"exhausted", 0, outcome_of(201, "six")},
                {"doubtful", 0, outcome_of(500, "seven", Effect::may_have_begun)},
                {"fresh", 0, outcome_of(201, "eight")}};
    }

    [[nodiscard]] Scope scope(const std::string& name) const {
        return scope_of("a", "bc", name + '-' + run_);
    }

    /// One call, and where it failed the same again, if it can be. False where it can't.
    bool call(Session& session, const Submission& submission, const Outcome& work) {
        const std::optional<Receipt> before = core_.find(submission.scope);
        const auto expected = core_.once(submission, work, clock_.now());
        int runs = 0;
        try {
            const auto found = once_through(protocol_, session, submission, work, runs);
            expect_same_reply(found, expected, "once() replied");
            return true;
        } catch (const StoreError&) {
            RC_ASSERT(fuse_.has_blown());
        }
        // All of it or nothing, and all of it only where the commit itself was made.
        if (!fuse_.hid_a_commit()) core_.set(submission.scope, before);
        expect_equal(peeked(subject_, submission.scope), core_.find(submission.scope),
                     "peeked after a call that failed");
        if (for_good_) return false;
        const auto again = core_.once(submission, work, clock_.now());
        expect_same_reply(once_through(protocol_, session, submission, work, runs), again,
                          "once() replied when it was called again");
        return true;
    }

    Subject& subject_;
    std::string run_;
    Fuse fuse_;
    bool for_good_{};
    ManualClock clock_{beginning};
    CoreOverMap core_{plain_policy(), {}};
    Protocol protocol_{setup_of(plain_policy(), clock_)};
};

void failed_call_leaves_nothing(Subject& subject) {
    subject.make_empty();
    int number = 0;
    for (const auto side : {Fuse::Side::before, Fuse::Side::after}) {
        for (const auto extent : {Fuse::Extent::once, Fuse::Extent::for_good}) {
            for (int nth = 1;; ++nth) {
                FailingRun run{subject, ++number, Fuse{nth, side, extent}};
                if (run.gets_through()) break;
            }
        }
    }
}

/// What a rival does between the find and the first write of a call.
struct Race {
    std::string name;
    bool is_there{};  ///< a lapsed claim that the call is about to take over
    Outcome work;
    std::size_t intent{};  ///< the rival's
};

void run_race(Subject& subject, const Race& race) {
    ManualClock clock{beginning};
    CoreOverMap core{plain_policy(), {}};
    Protocol protocol{setup_of(plain_policy(), clock)};
    const Scope scope = scope_of("a", "bc", "k");
    const Receipt claim = lapsed_claim(scope, core.fingerprint(intent::Json{intents[0]}), 1);
    make_with(subject, race.is_there ? std::vector{claim} : std::vector<Receipt>{});

    Receipt theirs = receipt_number(beginning.time_since_epoch().count(), scope);
    theirs.fingerprint = core.fingerprint(intent::Json{intents.at(race.intent)});
    const auto rival = [&] {
        const std::unique_ptr<Session> other = subject.session();
        commit_with(*other, [&](ReceiptTable& table) {
            const bool written =
                race.is_there ? table.replace(theirs, claim.fence) : table.insert(theirs);
            RC_ASSERT(written);
        });
    };
    core.set(scope, theirs);
    const Submission submission{scope, intent::Json{intents[0]}};
    int runs = 0;
    std::optional<Reply> found;
    {
        OvertakenSession session{subject.session(), rival};
        found = once_through(protocol, session, submission, race.work, runs);
    }
    RC_ASSERT(runs == 1);
    // An answer that is not kept is nobody else's, so its caller may have it.
    if (found && std::holds_alternative<reply::Performed>(*found)) {
        const Disposition due = race.work.disposition.value_or(Disposition::unknown);
        RC_ASSERT(std::get<reply::Performed>(*found).disposition == due);
    } else {
        expect_same_reply(found, core.once(submission, race.work, clock.now()),
                          "once() replied, " + race.name);
    }
    expect_equal(peeked(subject, scope), theirs, "peeked, " + race.name);
}

void lost_race_is_judged_again(Subject& subject) {
    run_race(subject, {"an equal request was first", false, outcome_of(201, "mine"), 0});
    run_race(subject, {"another request was first", false, outcome_of(201, "mine"), 1});
    run_race(subject, {"an equal request took over first", true, outcome_of(201, "mine"), 0});
    Outcome released = outcome_of(404, "mine");
    released.disposition = Disposition::release;
    run_race(subject, {"a released claim was taken first", true, released, 0});
    run_race(subject, {"an uncertain claim was taken first", true, outcome_of(404, "mine"), 0});
}

}  // namespace

std::vector<Property> protocol_rules() {
    return {
        {{.name = "once_is_the_core_over_a_map",
          .sentence = "By no sequence of calls can once() over the store be told from judge() and "
                      "complete() over a map."},
         100,
         once_is_the_core},
        {{.name = "a_failed_call_leaves_nothing",
          .sentence = "Whichever call to the store fails, once or for good: nothing of it is left, "
                      "what was acknowledged is there, and the same request gets through."},
         1,
         failed_call_leaves_nothing},
        {{.name = "a_lost_race_is_judged_again",
          .sentence = "Whoever is overtaken between find and write keeps nothing, and is judged by "
                      "the winner's receipt."},
         1,
         lost_race_is_judged_again},
    };
}

}  // namespace counterfoil::testing
