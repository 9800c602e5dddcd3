#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "access.hpp"
#include "counterfoil/describe.hpp"
#include "counterfoil/store/store_error.hpp"
#include "failing_session.hpp"
#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "property.hpp"
#include "protocol_model.hpp"
#include "samples.hpp"

namespace counterfoil::testing {

namespace {

enum class Move { claim, complete, renew, checkpoint, release, mark_unknown, abandon, resolve };

constexpr std::array moves{Move::claim,        Move::claim,      Move::complete,
                           Move::renew,        Move::checkpoint, Move::release,
                           Move::mark_unknown, Move::abandon,    Move::resolve};
const std::array<std::string, 2> intents{R"({"sku":"tea"})", R"({"sku":"coffee"})"};
constexpr std::size_t scopes = 2;

const char* word(Move move) {
    switch (move) {
        case Move::claim: return "claim";
        case Move::complete: return "complete";
        case Move::renew: return "renew";
        case Move::checkpoint: return "checkpoint";
        case Move::release: return "release";
        case Move::mark_unknown: return "mark_unknown";
        case Move::abandon: return "abandon";
        case Move::resolve: return "resolve";
    }
    return "";
}

/// One call, and all that any of them needs.
struct Call {
    Move move{};
    std::size_t scope{};
    std::size_t intent{};
    std::size_t holder{};  ///< 0: whoever claimed last; 1: the one before
    std::int64_t wait_us{};
    Outcome outcome;
    Effect effect{};
    Resolution resolution;
};

std::ostream& operator<<(std::ostream& out, const Call& call) {
    return out << "\n    after " << call.wait_us << " us, " << word(call.move) << ' '
               << scope_number(call.scope) << ", intent " << call.intent << ", holder "
               << call.holder << ", " << call.outcome << ", " << describe(call.resolution);
}

rc::Gen<Call> call() {
    return rc::gen::build<Call>(
        rc::gen::set(&Call::move, rc::gen::elementOf(moves)),
        rc::gen::set(&Call::scope, rc::gen::inRange<std::size_t>(0, scopes)),
        rc::gen::set(&Call::intent, rc::gen::weightedElement<std::size_t>({{6, 0}, {1, 1}})),
        rc::gen::set(&Call::holder, rc::gen::weightedElement<std::size_t>({{4, 0}, {1, 1}})),
        rc::gen::set(&Call::wait_us, rc::gen::inRange<std::int64_t>(0, 5)),
        rc::gen::set(&Call::outcome, gen::outcome()),
        rc::gen::set(&Call::effect, rc::gen::element(Effect::not_begun, Effect::may_have_begun)),
        rc::gen::set(&Call::resolution, gen::resolution()));
}

template <class Result>
void expect_same(const Result& found, const Result& expected, const Call& one) {
    if (found == expected) return;
    std::ostringstream text;
    text << "replied " << counterfoil::word(found) << " where " << counterfoil::word(expected)
         << " was expected, or with something else in it:" << one;
    RC_FAIL(text.str());
}

/// The same calls to the protocol over a session and to the core over a map.
class Twins {
public:
    Twins(Protocol& protocol, Session& session, CoreOverMap& core, ManualClock& clock)
        : protocol_{protocol}, session_{session}, core_{core}, clock_{clock} {}

    void call(const Call& one) {
        clock_.advance(Span{one.wait_us});
        const Instant now = clock_.now();
        if (one.move == Move::claim) return claim(one);
        const Permit permit = permit_of(one);
        const Checkpoint reached = parse_checkpoint("booked", R"({"id":9})", 64).value();
        switch (one.move) {
            case Move::claim: break;
            case Move::complete:
                return expect_same(
                    protocol_.complete(session_, permit, [&] { return one.outcome; }),
                    core_.complete(permit, one.outcome, now), one);
            case Move::renew:
                return expect_same(protocol_.renew(session_, permit), core_.renew(permit, now),
                                   one);
            case Move::checkpoint:
                return expect_same(protocol_.checkpoint(session_, permit, reached),
                                   core_.checkpoint(permit, reached, now), one);
            case Move::release:
                return expect_same(protocol_.release(session_, permit), core_.release(permit), one);
            case Move::mark_unknown:
                return expect_same(protocol_.mark_unknown(session_, permit),
                                   core_.mark_unknown(permit, now), one);
            case Move::abandon:
                return expect_same(protocol_.abandon(session_, permit, one.effect),
                                   core_.abandon(permit, one.effect, now), one);
            case Move::resolve:
                return expect_same(protocol_.resolve(session_, permit, one.resolution),
                                   core_.resolve(permit, one.resolution, now), one);
        }
    }

private:
    void claim(const Call& one) {
        const Submission submission{scope_number(one.scope), intent::Json{intents.at(one.intent)}};
        const ClaimReply found = protocol_.claim(session_, submission);
        expect_same(found, core_.claim(submission, clock_.now()), one);
        if (const auto* claimed = std::get_if<reply::Claimed>(&found)) {
            permits_.at(one.scope).push_back(claimed->permit);
        }
    }

    [[nodiscard]] Permit permit_of(const Call& one) const {
        const std::vector<Permit>& given = permits_.at(one.scope);
        if (given.size() <= one.holder) return {scope_number(one.scope), Fence{7}};
        return given.at(given.size() - 1 - one.holder);
    }

    Protocol& protocol_;
    Session& session_;
    CoreOverMap& core_;
    ManualClock& clock_;
    std::array<std::vector<Permit>, scopes> permits_;
};

void expect_same_contents(Subject& subject, const CoreOverMap& core) {
    const std::unique_ptr<Session> session = subject.session();
    for (std::size_t number = 0; number < scopes; ++number) {
        const Scope scope = scope_number(number);
        expect_equal(session->peek(scope), core.find(scope), "peeked after all calls");
        std::vector<ResolutionRecord> expected;
        for (const ResolutionRecord& record : core.resolutions()) {
            if (record.scope == scope) expected.push_back(record);
        }
        RC_ASSERT(session->resolutions(scope) == expected);
    }
}

void claims_are_the_core(Subject& subject) {
    const Policy policy = *gen::policy();
    const auto calls = *rc::gen::container<std::vector<Call>>(call());
    ManualClock clock{Instant{Span{1}}};
    CoreOverMap core{policy, {}};
    subject.make_empty();
    Protocol protocol{{.policies = PolicyBook{policy}, .clock = &clock}};
    {
        const std::unique_ptr<Session> session = subject.session();
        Twins twins{protocol, *session, core, clock};
        for (const Call& one : calls) twins.call(one);
    }
    expect_same_contents(subject, core);
}

Policy plain_policy() {
    PolicyFigures figures;
    figures.lease = Span{10};
    figures.replay_window = Span{1'000};
    figures.tombstone_window = Span{2'000};
    figures.max_attempts = 3;
    return gen::valid(std::move(figures));
}

/// Every kind of call once, with keys of the run's own: those that end a claim, those that keep it,
/// a takeover, one that gives up and both rulings.
std::vector<Call> script() {
    const Outcome kept{.answer = {.status = 201, .fields = {}, .body = body::Bytes{"made"}}};
    const Outcome released{.answer = {.status = 429, .fields = {}, .body = body::None{}}};
    const Outcome doubtful{.answer = {.status = 500, .fields = {}, .body = body::None{}}};
    const Resolution applied{ruling::Applied{kept.answer, Exposure::ordinary}, "anna", "log"};
    const Resolution not_applied{ruling::NotApplied{}, "anna", "log"};
    std::vector<Call> calls;
    const auto add = [&](Move move, std::size_t scope, std::int64_t wait = 0,
                         const Outcome& outcome = {}, const Resolution& resolution = {}) {
        calls.push_back({move, scope, 0, 0, wait, outcome, Effect::may_have_begun, resolution});
    };
    add(Move::claim, 0);
    add(Move::checkpoint, 0);
    add(Move::renew, 0);
    add(Move::complete, 0, 0, released);
    add(Move::claim, 0);
    add(Move::release, 0);
    add(Move::claim, 0);
    add(Move::complete, 0, 0, kept);
    add(Move::claim, 1);
    add(Move::abandon, 1);
    add(Move::resolve, 1, 0, {}, not_applied);
    add(Move::claim, 1, 1);
    add(Move::claim, 1, 10);
    add(Move::claim, 1, 10);
    add(Move::claim, 1, 10);
    add(Move::complete, 1, 0, doubtful);
    add(Move::mark_unknown, 1);
    add(Move::resolve, 1, 0, {}, applied);
    return calls;
}

/// A script in which the n-th call to the store fails. What is known of the keys afterwards is what
/// a new session peeks: a call that failed left all of it or nothing.
class FailingScript {
public:
    FailingScript(Subject& subject, Fuse fuse) : subject_{subject}, fuse_{fuse} {}

    /// Whether it got through without a failure.
    bool gets_through() {
        subject_.make_empty();
        {
            FailingSession session{subject_.session(), fuse_};
            Twins twins{protocol_, session, core_, clock_};
            for (const Call& one : script()) {
                if (!call(twins, one)) break;
            }
        }
        if (!fuse_.has_blown()) expect_same_contents(subject_, core_);
        return !fuse_.has_blown();
    }

private:
    bool call(Twins& twins, const Call& one) {
        const std::optional<Receipt> before = peeked(subject_, scope_number(one.scope));
        try {
            twins.call(one);
            return true;
        } catch (const StoreError&) {
            RC_ASSERT(fuse_.has_blown());
        }
        // complete() of what is released or doubtful takes two transactions, of which the first
        // writes nothing: so this holds of it as well.
        const auto after = peeked(subject_, scope_number(one.scope));
        if (!fuse_.hid_a_commit()) expect_equal(after, before, "peeked after a call that failed");
        return false;
    }

    Subject& subject_;
    Fuse fuse_;
    ManualClock clock_{Instant{Span{1'000'000}}};
    CoreOverMap core_{plain_policy(), {}};
    Protocol protocol_{{.policies = PolicyBook{plain_policy()}, .clock = &clock_}};
};

void failed_claim_leaves_nothing(Subject& subject) {
    for (const auto side : {Fuse::Side::before, Fuse::Side::after}) {
        for (int nth = 1;; ++nth) {
            FailingScript run{subject, Fuse{nth, side, Fuse::Extent::once}};
            if (run.gets_through()) break;
        }
    }
}

ResolutionRecord record_of(const Receipt& receipt, Ruling ruling, const std::string& text) {
    return {.scope = receipt.scope,
            .fence = receipt.fence,
            .resolved_at = receipt.created_at,
            .before = receipt.state,
            .ruling = std::move(ruling),
            .by = text,
            .evidence = text};
}

void resolutions_read_back_equal(Subject& subject) {
    const auto receipt = *gen::receipt(rc::gen::oneOf(gen::in_progress(), gen::unknown()));
    const auto resolution = *gen::resolution();
    subject.make_empty();
    std::vector<ResolutionRecord> expected;
    for (const std::string& text : odd_texts()) {
        expected.push_back(record_of(receipt, resolution.ruling, text));
        expected.push_back(
            record_of(receipt,
                      ruling::Applied{{.status = 201, .fields = {}, .body = body::Bytes{text}},
                                      Exposure::ordinary},
                      "anna"));
    }
    Scope other = receipt.scope;
    other.tenant = parse_tenant("zeta").value();
    const std::unique_ptr<Session> session = subject.session();
    session->begin();
    for (const ResolutionRecord& record : expected) session->record(record);
    session->commit();
    session->begin();
    session->record(expected.front());
    session->rollback();
    RC_ASSERT(subject.session()->resolutions(receipt.scope) == expected);
    RC_ASSERT(subject.session()->resolutions(other).empty());
}

void overtaken_completion_is_refused(Subject& subject) {
    ManualClock clock{Instant{Span{1'000'000}}};
    subject.make_empty();
    Protocol protocol{{.policies = PolicyBook{plain_policy()}, .clock = &clock}};
    const Scope scope = scope_number(0);
    const Submission submission{scope, intent::Json{intents[0]}};
    const auto mine = std::get<reply::Claimed>(protocol.claim(*subject.session(), submission));
    clock.advance(Span{10});

    // Between the find and the write of whoever is late, the next one takes over.
    OvertakenSession late{subject.session(), [&] {
                              const std::unique_ptr<Session> rival = subject.session();
                              const ClaimReply next = protocol.claim(*rival, submission);
                              RC_ASSERT(std::holds_alternative<reply::Claimed>(next));
                          }};
    const Outcome outcome{.answer = {.status = 201, .fields = {}, .body = body::None{}}};
    const CompleteReply reply =
        protocol.complete(late, mine.permit, [&] { return Outcome{outcome}; });
    RC_ASSERT(std::holds_alternative<refusal::Fenced>(reply));
    const std::optional<Receipt> found = peeked(subject, scope);
    RC_ASSERT(found.has_value());
    RC_ASSERT(std::holds_alternative<state::InProgress>(found->state));
    RC_ASSERT(found->attempt == 2);
}

}  // namespace

std::vector<Property> claim_rules() {
    return {
        {{.name = "an_audit_row_reads_back_equal",
          .sentence = "An audit row reads back equal in every member, in the order of writing, "
                      "to its scope alone, and not at all where its transaction was rolled back."},
         30,
         resolutions_read_back_equal},
        {{.name = "claims_are_the_core_over_a_map",
          .sentence = "By no sequence of claims, and of what is done under their permits, can the "
                      "store be told from the core over a map."},
         100,
         claims_are_the_core},
        {{.name = "a_failed_claim_leaves_nothing",
          .sentence = "Whichever call to the store fails under a claim: all of it is written or "
                      "nothing."},
         1,
         failed_claim_leaves_nothing},
        {{.name = "an_overtaken_completion_is_refused",
          .sentence = "Whoever is overtaken between find and write of its completion is fenced, "
                      "and writes nothing."},
         1,
         overtaken_completion_is_refused},
    };
}

}  // namespace counterfoil::testing
