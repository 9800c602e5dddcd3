#include "simulator/world.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <counterfoil/overloaded.hpp>

#include "counterfoil/memory/store.hpp"
#include "counterfoil/store/store_error.hpp"
#include "laws/mutants.hpp"
#include "simulator/account.hpp"
#include "simulator/exchanged_decisions.hpp"
#include "simulator/stage.hpp"

namespace counterfoil {

namespace {

const Stage& stage() {
    static const Stage made;
    return made;
}

class SteppedClock final : public Clock {
public:
    Instant now() override { return base + ahead; }

    Instant base{beginning};
    Span ahead{0};  ///< of whoever reads it
};

struct Job {
    std::size_t key{};
    std::uint64_t life{};
    std::uint64_t charge_round{};
    reply::Claimed claimed;
    bool has_called{};
    bool has_answered{};  ///< it only repeats that from now on
    std::optional<Outcome> heard{};
};

struct Charge {
    std::size_t key{};
    std::uint64_t life{};
    std::string_view step;
    Outcome outcome;
};

constexpr std::string_view charging = "charge";
constexpr std::string_view notifying = "notify";

Outcome outcome_of(Kind kind, std::uint64_t number) {
    Outcome outcome;
    Answer& answer = outcome.answer;
    answer.status = 201;
    answer.fields = {{"Location", "/charges/1"}, {"Set-Cookie", "session=1"}};
    answer.body = body::Bytes{"charge " + std::to_string(number)};
    answer.reference = "ch_" + std::to_string(number);
    switch (kind) {
        case Kind::charged: break;
        case Kind::charged_at_length:
            std::get<body::Bytes>(answer.body).bytes.append(max_body_bytes, '.');
            break;
        case Kind::charged_in_secret: outcome.exposure = Exposure::secret; break;
        case Kind::refused: answer.status = 402; break;
        case Kind::not_found: answer.status = 404; break;
        case Kind::not_found_for_good:
            answer.status = 404;
            outcome.disposition = Disposition::keep;
            break;
        case Kind::rejected: answer.status = 422; break;
        case Kind::charged_with_a_fault: answer.status = 500; break;
    }
    return outcome;
}

bool is_charge(const Outcome& outcome) {
    return outcome.answer.status == 201 || outcome.answer.status == 500;
}

// What may be kept of such an answer.
Answer kept_of(const Outcome& outcome) {
    Answer kept = outcome.answer;
    kept.fields.resize(1);
    const std::size_t length = std::get<body::Bytes>(kept.body).bytes.size();
    if (outcome.exposure == Exposure::secret)
        kept.body = body::Omitted{Omission::secret};
    else if (length > max_body_bytes)
        kept.body = body::Omitted{Omission::too_large};
    return kept;
}

Disposition disposition_due(const Outcome& outcome, std::int64_t attempt) {
    if (outcome.disposition) return *outcome.disposition;
    const int status = outcome.answer.status;
    if (status == 500) return Disposition::unknown;
    if (status == 201 || status == 402) return Disposition::keep;
    return attempt > 1 ? Disposition::unknown : Disposition::release;
}

class World {
public:
    World(const History& history, const Decider& decider)
        : history_{history},
          decider_{decider},
          decisions_{decider},
          store_{setup()},
          session_{store_.session()},
          protocol_{setup(), decisions_} {}

    std::optional<std::string> run() {
        try {
            for (const Step& step : history_.steps) {
                play(step);
                if (is_over()) break;
            }
            if (!is_over()) end_without_faults();
        } catch (const StoreError&) {
            demand(false, "nobody else writes, so no write is refused for ever");
        }
        return broken_.empty() ? std::nullopt : std::optional{std::string{broken_}};
    }

private:
    Setup setup() { return {.policies = PolicyBook{policy()}, .clock = &clock_}; }

    [[nodiscard]] const Policy& policy() const { return stage().policy(history_); }

    [[nodiscard]] bool is_over() const { return !broken_.empty() || is_out_of_bounds_; }

    void demand(bool holds, std::string_view sentence) {
        if (!holds && broken_.empty()) broken_ = sentence;
    }

    void become(std::size_t worker) {
        clock_.ahead =
            history_.clocks_lie_apart ? static_cast<std::int64_t>(worker) * tick : Span{0};
    }

    void play(const Step& step) {
        clock_.base += tick;
        become(step.worker);
        std::optional<Job>& job = jobs_.at(step.worker);
        if (job) {
            act(step, job);
        } else if (step.does == Does::asks) {
            ask(step, job);
            look_at(step.key);
        }
        become(0);
        happen(step);
    }

    // What a worker does that has a job.
    void act(const Step& step, std::optional<Job>& job) {
        const std::size_t key = job->key;
        const bool calls =
            step.does == Does::calls || step.does == Does::loses || step.does == Does::notifies;
        if (calls && job->has_answered) return;
        switch (step.does) {
            case Does::calls: job->heard = call(*job, charging, step.kind); return;
            case Does::loses:
                static_cast<void>(call(*job, charging, step.kind));
                job->heard.reset();
                return;
            case Does::notifies:
                if (!job->heard || !is_charge(*job->heard)) return;
                static_cast<void>(call(*job, notifying, Kind::charged));
                return;
            case Does::completes:
            case Does::repeats:
                if (!job->heard) return;
                complete(*job);
                job->has_answered = true;
                if (step.does == Does::completes) job.reset();
                break;
            case Does::checkpoints: note(*job, step.ticks); break;
            case Does::mixes_up: complete_anothers(*job, step.kind); return;
            case Does::renews: renew(*job); break;
            case Does::releases:
                if (job->has_called || job->claimed.attempt > 1) return;
                release(*job);
                job.reset();
                break;
            case Does::marks:
                mark(*job);
                if (step.is_odd) job.reset();
                break;
            case Does::abandons:
                abandon(*job);
                job.reset();
                break;
            case Does::stops: job.reset(); return;
            default: return;
        }
        look_at(key);
    }

    // What happens without a worker.
    void happen(const Step& step) {
        switch (step.does) {
            case Does::waits: clock_.base += step.ticks * tick; break;
            case Does::waits_out: wait_out(step); break;
            case Does::sets_back:
                latest_ = std::max(latest_, clock_.base);
                clock_.base -= 4 * step.ticks * tick;
                was_set_back_ = true;
                break;
            case Does::sweeps:
                for (std::size_t key = 0; key < keys; ++key) {
                    sweep(key, step.is_odd);
                    look_at(key);
                }
                break;
            case Does::resolves:
                resolve(step);
                look_at(step.key);
                break;
            case Does::holds: hold(step.key); break;
            case Does::leaps: leap(step.key); break;
            default: break;
        }
    }

    void wait_out(const Step& step) {
        const std::optional<Instant> next = accounts_.at(step.key).next_time(clock_.base);
        if (!next || *next == Instant::max()) return;
        const Instant until = *next - (step.is_odd ? 2 * tick : tick);
        clock_.base = std::max(clock_.base, until);
    }

    void ask(const Step& step, std::optional<Job>& job) {
        Account& account = accounts_.at(step.key);
        const Instant now = clock_.now();
        const Request& request = stage().request(step.key, step.body, step.under);
        const std::optional<Receipt> before = session_->peek(request.scope);
        ClaimReply reply = protocol_.claim(*session_, request);
        if (auto* claimed = std::get_if<reply::Claimed>(&reply)) {
            demand(!before || claimed->permit.fence > before->fence, "fences only rise");
            take(step, job, std::move(*claimed), now);
        } else if (!is_remembered(account, before, now)) {
            demand(std::holds_alternative<verdict::Expired>(reply) && is_old(step.key, now),
                   "whoever is not remembered is served");
        } else if (!is_comparable(account.under, step.under)) {
            demand(std::holds_alternative<verdict::Incomparable>(reply),
                   "what can't be compared is called so");
        } else if (account.body != step.body) {
            hold_to_conflict(account, step, reply);
        } else {
            hold_to_account(account, reply, now);
        }
    }

    /// What is forgotten is as good as gone, but for a receipt whose fence can't rise.
    [[nodiscard]] static bool is_remembered(const Account& account,
                                            const std::optional<Receipt>& found, Instant now) {
        if (!account.is_live) return false;
        return !account.is_forgotten(now) || (found && account.has_the_last_fence());
    }

    [[nodiscard]] bool is_old(std::size_t key, Instant now) const {
        const bool tells_its_birth = key == 2;
        return history_.old_keys_are_refused && tells_its_birth &&
               now >= beginning + policy()->tombstone_window;
    }

    void hold_to_conflict(const Account& account, const Step& step, const ClaimReply& reply) {
        const auto* conflict = std::get_if<verdict::Conflict>(&reply);
        demand(conflict != nullptr, "another request is a conflict and nothing else");
        if (conflict == nullptr) return;
        const bool may_name = is_rfc(account.under) == is_rfc(step.under);
        demand(conflict->differs.has_value() == may_name &&
                   (!may_name || *conflict->differs == std::vector<std::string>{"/amount"}),
               "a conflict names the fields that differ, and no other");
    }

    // What an equal request is due that gets no leave.
    void hold_to_account(Account& account, const ClaimReply& reply, Instant now) {
        if (account.promise) {
            hold_to_promise(*account.promise, reply, now);
            return;
        }
        if (const auto* running = std::get_if<verdict::InProgress>(&reply)) {
            demand(account.is_open() && !account.is_lapsed(now),
                   "in progress is what somebody may still hold");
            demand(running->lease_end == account.lease_end, "a lease is as its holder was told");
            demand(running->retry_after > Span{0} && running->retry_after <= policy()->lease,
                   "nobody is told to wait longer than a lease");
            return;
        }
        const auto* unknown = std::get_if<verdict::Unknown>(&reply);
        demand(unknown != nullptr, "an equal request is served, or told why not");
        if (unknown == nullptr) return;
        if (account.is_lapsed(now) &&
            (history_.lapse_is_unknown || account.attempt >= max_attempts ||
             account.has_the_last_fence())) {
            account.unknown_since = unknown->since;
        }
        demand(account.unknown_since == unknown->since,
               "unknown is what lapsed for good or was called so, since then");
    }

    void hold_to_promise(const Promise& promise, const ClaimReply& reply, Instant now) {
        if (now < promise.replay_until && !promise.is_dropped) {
            const auto* replay = std::get_if<verdict::Replay>(&reply);
            demand(replay != nullptr && replay->answer == promise.answer,
                   "an answer stays the answer until its window is over");
        } else {
            demand(std::holds_alternative<verdict::Expired>(reply),
                   "what ended is expired until it is forgotten");
        }
    }

    void take(const Step& step, std::optional<Job>& job, reply::Claimed claimed, Instant now) {
        Account& account = accounts_.at(step.key);
        const bool is_new = !account.is_live || account.is_forgotten(now);
        if (is_new) {
            demand(!is_old(step.key, now), "old keys are refused where that is asked for");
            if (account.promise) ++account.charge_round;
            account.ends();
            account.attempt = 0;
            account.body = step.body;
            account.under = step.under;
            ++account.life;
        } else {
            demand(account.body == step.body && is_comparable(account.under, step.under),
                   "another request never gets leave");
            demand(account.is_open(), "nobody gets leave for what has ended or is unknown");
            become(account.holder);
            demand(clock_.now() >= account.lease_end,
                   "nobody gets leave while another's lease runs by his own clock");
            become(step.worker);
            demand(account.is_lapsed(now), "nobody gets leave before the lease and the skew");
            demand(!history_.lapse_is_unknown, "no takeover where the policy has none");
        }
        const Fence fence = claimed.permit.fence;
        if (account.knows(fence) || (is_new && account.knows_birth(claimed.first_seen))) {
            // Both are times, and come again where the clock was set back or there are two.
            is_out_of_bounds_ = was_set_back_ || history_.clocks_lie_apart;
            demand(is_out_of_bounds_,
                   "no fence is given twice, and no two receipts have one birth");
            if (is_out_of_bounds_) return;
        }
        demand(fence.number >= now.time_since_epoch().count(), "a fence is not below its time");
        demand(claimed.attempt == account.attempt + 1 && claimed.attempt <= max_attempts,
               "attempts are counted, and there are only so many");
        demand(claimed.checkpoint == account.checkpoint, "whoever takes over goes on from there");
        demand(claimed.lease_end == now + policy()->lease, "a lease begins when it is given");
        account.given.push_back(fence);
        if (is_new) account.births.push_back(claimed.first_seen);
        account.is_live = true;
        account.newest = fence;
        account.attempt = claimed.attempt;
        account.holder = step.worker;
        account.lease_end = claimed.lease_end;
        job = Job{.key = step.key,
                  .life = account.life,
                  .charge_round = account.charge_round,
                  .claimed = std::move(claimed)};
    }

    Outcome call(Job& job, std::string_view step, Kind kind) {
        job.has_called = true;
        const std::string downstream =
            decider_.downstream_key(job.claimed.permit.scope, job.claimed.first_seen, step);
        if (history_.provider_dedupes) {
            if (const auto seen = charges_.find(downstream); seen != charges_.end()) {
                const Charge& charge = seen->second;
                demand(charge.key == job.key && charge.life == job.life && charge.step == step,
                       "the downstream key of one receipt and step is no other's");
                return charge.outcome;
            }
        }
        Outcome outcome = outcome_of(kind, charges_.size() + 1);
        if (!is_charge(outcome)) return outcome;
        charges_.insert_or_assign(downstream, Charge{job.key, job.life, step, outcome});
        if (history_.provider_dedupes) {
            const bool is_first = charged_.insert({job.key, job.charge_round, step}).second;
            demand(is_first,
                   "a key is charged at most once while it is remembered, unless an "
                   "operator has ruled that it was not");
        }
        return outcome;
    }

    /// Holds a transition to what is due under a permit. Returns: whether it was taken.
    template <class Result>
    bool is_taken(const Job& job, const Result& result) {
        const std::string_view due =
            accounts_.at(job.key).refusal_due(job.claimed.permit.fence, job.life);
        const std::string_view told = word(result);
        const bool is_refused = told == "lost" || told == "fenced" || told == "already_completed";
        if (due.empty()) {
            demand(!is_refused, "whoever holds the newest fence may act");
        } else {
            demand(is_refused, "whoever was overtaken, freed or answered may not act");
            demand(!is_refused || told == due, "a refusal says what has become of the receipt");
        }
        return due.empty() && !is_refused;
    }

    void is_unknown_now(Account& account, const Receipt& written) {
        const auto* unknown = std::get_if<state::Unknown>(&written.state);
        demand(unknown != nullptr, "what nobody can know is written down as unknown");
        if (unknown == nullptr) return;
        if (!account.unknown_since) account.unknown_since = unknown->since;
        demand(unknown->since == *account.unknown_since, "unknown stays unknown since the first");
    }

    void complete(const Job& job) {
        Account& account = accounts_.at(job.key);
        const Outcome& outcome = *job.heard;
        const Instant now = clock_.now();
        const CompleteReply reply =
            protocol_.complete(*session_, job.claimed.permit, [&] { return *job.heard; });
        if (!is_taken(job, reply)) {
            const auto* already = std::get_if<refusal::AlreadyCompleted>(&reply);
            if (already == nullptr || !account.promise || account.promise->is_dropped) return;
            demand(already->answer == account.promise->answer,
                   "a receipt has one answer, whoever completes it again");
            return;
        }
        const Disposition told = std::get<reply::Ended>(reply).disposition;
        demand(told == disposition_due(outcome, job.claimed.attempt),
               "an answer does what its worker or else the table says");
        switch (told) {
            case Disposition::keep: promise(account, outcome, now); break;
            case Disposition::release: account.ends(); break;
            case Disposition::unknown:
                if (const auto found = session_->peek(job.claimed.permit.scope)) {
                    is_unknown_now(account, *found);
                }
                break;
        }
    }

    void promise(Account& account, const Outcome& outcome, Instant now) const {
        account.unknown_since.reset();
        account.promise = Promise{.answer = kept_of(outcome),
                                  .replay_until = now + policy()->replay_window,
                                  .forget_at = now + policy()->tombstone_window};
    }

    void complete_anothers(const Job& job, Kind kind) {
        if (job.key == 2) return;
        const std::optional<Receipt> others = session_->peek(stage().scope(1 - job.key));
        if (!others) return;
        const Completion completion = decider_.complete(
            others, job.claimed.permit, outcome_of(kind, 0), clock_.now(), policy());
        demand(std::holds_alternative<refusal::Lost>(completion),
               "a permit does nothing to the receipt of another tenant");
    }

    void note(const Job& job, std::uint8_t ticks) {
        Account& account = accounts_.at(job.key);
        Checkpoint reached = parse_checkpoint("at", std::to_string(ticks), 8).value();
        const auto result = protocol_.checkpoint(*session_, job.claimed.permit, reached);
        if (is_taken(job, result)) account.checkpoint = std::move(reached);
    }

    void renew(const Job& job) {
        Account& account = accounts_.at(job.key);
        const Instant now = clock_.now();
        const Renewal renewal = protocol_.renew(*session_, job.claimed.permit);
        if (!is_taken(job, renewal)) return;
        const auto* renewed = std::get_if<settled::Renewed>(&renewal);
        const auto* held = renewed == nullptr
                               ? nullptr
                               : std::get_if<state::InProgress>(&renewed->write.receipt.state);
        demand(held != nullptr, "what is renewed is in progress");
        if (held == nullptr) return;
        // Unknown has no lease any more that could be shortened.
        const Instant least = account.unknown_since ? Instant::min() : account.lease_end;
        demand(held->lease_end == std::max(least, now + policy()->lease),
               "a renewal begins the lease anew and never shortens it");
        account.unknown_since.reset();
        account.lease_end = held->lease_end;
    }

    void release(const Job& job) {
        if (is_taken(job, protocol_.release(*session_, job.claimed.permit))) {
            accounts_.at(job.key).ends();
        }
    }

    void mark(const Job& job) {
        const Marking marking = protocol_.mark_unknown(*session_, job.claimed.permit);
        if (!is_taken(job, marking)) return;
        is_unknown_now(accounts_.at(job.key), std::get<settled::Uncertain>(marking).write.receipt);
    }

    void abandon(const Job& job) {
        Account& account = accounts_.at(job.key);
        const Effect effect = job.has_called ? Effect::may_have_begun : Effect::not_begun;
        const Abandonment left = protocol_.abandon(*session_, job.claimed.permit, effect);
        if (!is_taken(job, left)) return;
        const bool is_free = std::holds_alternative<settled::Released>(left);
        demand(is_free == (!job.has_called && job.claimed.attempt == 1),
               "a claim that is left frees its key where surely nothing happened, and only there");
        if (is_free) {
            account.ends();
        } else {
            is_unknown_now(account, std::get<settled::Uncertain>(left).write.receipt);
        }
    }

    void sweep(std::size_t key, bool looks_again) {
        Account& account = accounts_.at(key);
        const Instant now = clock_.now();
        session_->begin();
        bool is_written = true;
        if (const std::optional<Receipt> found = session_->find(stage().scope(key))) {
            const Retention due = decider_.sweep(*found, now, stage().later_policy());
            std::visit(
                overloaded{
                    [&](const retention::Keep& keep) {
                        demand(!account.is_forgotten(now), "what is forgotten is swept away");
                        demand(!account.promise || account.is_on_hold ||
                                   account.promise->is_dropped ||
                                   now < account.promise->replay_until,
                               "an answer is dropped when its window is over");
                        demand(!is_abandoned(account, now),
                               "what nobody comes back for is called unknown");
                        if (looks_again && keep.look_again) look_again(*found, *keep.look_again);
                    },
                    [&](const retention::MakeTombstone& made) {
                        is_written = session_->replace(made.write.receipt, made.write.expected);
                    },
                    [&](const retention::Purge& purge) {
                        is_written = session_->erase(purge.write.scope, purge.write.expected);
                    },
                    [&](const retention::MarkUnknown& mark) {
                        is_written = session_->replace(mark.write.receipt, mark.write.expected);
                        demand(is_abandoned(account, now),
                               "nobody is given up before the lease, the skew and the wait");
                        is_unknown_now(account, mark.write.receipt);
                    },
                },
                due);
        }
        demand(is_written, "a sweep expects the fence that it saw");
        session_->commit();
    }

    [[nodiscard]] static bool is_abandoned(const Account& account, Instant now) {
        return account.is_open() && now >= account.lease_end + skew + abandon_after;
    }

    void look_again(const Receipt& found, Instant then) {
        const auto keeps = [&](Instant at) {
            return std::holds_alternative<retention::Keep>(
                decider_.sweep(found, at, stage().later_policy()));
        };
        demand(!keeps(then) && keeps(then - tick),
               "a sweep that comes when it was told to finds work, and a tick before it none");
    }

    void resolve(const Step& step) {
        Account& account = accounts_.at(step.key);
        const Instant now = clock_.now();
        const std::optional<Receipt> found = session_->peek(stage().scope(step.key));
        if (!found || !account.is_live) return;
        const Charge* charge = nullptr;
        for (const auto& [downstream, one] : charges_) {
            if (one.key == step.key && one.life == account.life && one.step == charging) {
                charge = &one;
            }
        }
        Ruling ruling = ruling::NotApplied{};
        if (charge != nullptr) {
            ruling = ruling::Applied{.answer = charge->outcome.answer,
                                     .exposure = charge->outcome.exposure};
        }
        const Resolving resolving =
            protocol_.resolve(*session_, {.scope = found->scope, .fence = found->fence},
                              {.ruling = std::move(ruling),
                               .by = step.is_odd ? "" : "anna",
                               .evidence = "provider's log"});
        const std::string_view told = word(resolving);
        const bool is_resolved = told == "resolved_applied" || told == "resolved_not_applied";
        demand(!is_resolved || !step.is_odd, "nobody resolves without a name");
        demand(!is_resolved || account.unknown_since || account.is_lapsed(now),
               "only what is unknown, or held by nobody any more, is resolved");
        if (!is_resolved) return;
        if (charge == nullptr) {
            account.ends();
            ++account.charge_round;
            return;
        }
        promise(account, charge->outcome, now);
        check_record(*found, account.promise->answer);
    }

    void check_record(const Receipt& found, const Answer& kept) {
        const std::vector<ResolutionRecord> records = session_->resolutions(found.scope);
        const auto* applied =
            records.empty() ? nullptr : std::get_if<ruling::Applied>(&records.back().ruling);
        demand(applied != nullptr, "every ruling leaves a row");
        demand(applied == nullptr || applied->answer == kept,
               "the row of a ruling keeps what a receipt may, and no more");
    }

    void hold(std::size_t key) {
        Account& account = accounts_.at(key);
        std::optional<Receipt> found = session_->peek(stage().scope(key));
        if (!found || !account.is_live) return;
        account.is_on_hold = !account.is_on_hold;
        found->hold.reset();
        if (account.is_on_hold)
            found->hold = Hold{.by = "anna", .reason = "a dispute", .since = {}};
        session_->begin();
        demand(session_->replace(*found, found->fence), "nobody else writes");
        session_->commit();
    }

    void leap(std::size_t key) {
        Account& account = accounts_.at(key);
        std::optional<Receipt> found = session_->peek(stage().scope(key));
        if (!found || !account.is_live || account.has_the_last_fence()) return;
        const Fence before = std::exchange(found->fence, last_fence);
        session_->begin();
        demand(session_->replace(*found, before), "nobody else writes");
        session_->commit();
        account.newest = last_fence;
        account.given.push_back(last_fence);
    }

    /// The store says what was told.
    void look_at(std::size_t key) {
        if (is_over()) return;
        Account& account = accounts_.at(key);
        const Instant now = clock_.base;
        const std::optional<Receipt> found = session_->peek(stage().scope(key));
        if (!found) {
            demand(!account.is_live || account.is_forgotten(now),
                   "nothing is forgotten that is live, unknown, on hold or promised");
            if (account.promise) ++account.charge_round;
            account.ends();
            return;
        }
        demand(account.is_live, "what was freed is gone");
        demand(found->fence == account.newest && found->attempt == account.attempt,
               "a receipt has the newest fence and attempt");
        std::visit(overloaded{
                       [&](const state::InProgress& held) {
                           demand(account.is_open() && held.lease_end == account.lease_end,
                                  "a receipt is in progress for as long as its holder was told");
                       },
                       [&](const state::Completed& completed) {
                           demand(account.promise && completed.answer == account.promise->answer,
                                  "at most one answer a receipt, and of it what may be kept");
                           demand(account.promise &&
                                      completed.replay_until == account.promise->replay_until &&
                                      completed.forget_at == account.promise->forget_at,
                                  "the windows run from completion");
                       },
                       [&](const state::Unknown& unknown) {
                           demand(account.unknown_since == unknown.since,
                                  "unknown is what was called so, since then");
                       },
                       [&](const state::Tombstone& stub) { look_at_stub(account, stub, now); },
                   },
                   found->state);
    }

    void look_at_stub(Account& account, const state::Tombstone& stub, Instant now) {
        demand(account.promise.has_value(), "only what was answered leaves a stub");
        if (!account.promise) return;
        Promise& promise = *account.promise;
        demand(promise.is_dropped || now >= promise.replay_until,
               "an answer is kept until its window is over");
        promise.is_dropped = true;
        demand(stub.ended.status == promise.answer.status &&
                   stub.ended.reference == promise.answer.reference &&
                   stub.forget_at == promise.forget_at,
               "a stub says how it ended, and is kept as long");
    }

    /// Whether a request has not ended that can.
    [[nodiscard]] bool is_pending(const Account& account) const {
        const bool is_held_for_ever = history_.leases_never_end && account.is_open();
        return account.is_live && !account.promise && !is_held_for_ever;
    }

    // Nobody fails any more, and the clock is where it was: each request is sent until it has
    // ended.
    void end_without_faults() {
        constexpr int bound = 8;
        clock_.base = std::max(latest_, clock_.base);
        for (std::optional<Job>& job : jobs_) job.reset();
        for (std::size_t key = 0; key < keys; ++key) {
            const Account& account = accounts_.at(key);
            int rounds = 0;
            for (; rounds < bound && is_pending(account); ++rounds) {
                Step step{.key = static_cast<std::uint8_t>(key), .body = account.body};
                step.under = account.under;
                for (const Does does : {Does::asks, Does::calls, Does::completes, Does::resolves}) {
                    step.does = does;
                    play(step);
                    if (is_over()) return;
                }
                clock_.base += lease + lease;
            }
            demand(rounds < bound, "after the faults every request ends, in so many steps");
        }
    }

    const History& history_;
    const Decider& decider_;
    ExchangedDecisions decisions_;
    SteppedClock clock_;
    memory::Store store_;
    std::unique_ptr<Session> session_;
    Protocol protocol_;
    std::array<std::optional<Job>, workers> jobs_;
    std::array<Account, keys> accounts_;
    std::map<std::string, Charge> charges_;
    std::set<std::tuple<std::size_t, std::uint64_t, std::string_view>> charged_;
    bool was_set_back_{};
    Instant latest_{Instant::min()};
    bool is_out_of_bounds_{};
    std::string_view broken_;
};

}  // namespace

std::optional<std::string> broken_by(const History& history, const Decider& decider) {
    return World{history, decider}.run();
}

History shrunk(History history, const Decider& decider) {
    for (bool is_shorter = true; is_shorter;) {
        is_shorter = false;
        for (std::size_t i = history.steps.size(); i-- > 0;) {
            History part = history;
            part.steps.erase(part.steps.begin() + static_cast<std::ptrdiff_t>(i));
            if (!broken_by(part, decider)) continue;
            history = std::move(part);
            is_shorter = true;
        }
    }
    return history;
}

std::optional<Finding> search(std::uint64_t seed, std::uint64_t histories, const Decider& decider) {
    for (std::uint64_t i = 0; i < histories; ++i) {
        if (auto broken = broken_by(history_of(seed + i), decider)) {
            return Finding{.seed = seed + i, .histories = i + 1, .invariant = *std::move(broken)};
        }
    }
    return std::nullopt;
}

std::string story_of(const Finding& finding, const Decider& decider) {
    const History history = shrunk(history_of(finding.seed), decider);
    return "Broken: " + broken_by(history, decider).value_or(finding.invariant) + ".\n" +
           describe(history) + "Again: simulate --histories 1 --seed " +
           std::to_string(finding.seed) + "\n";
}

std::optional<std::string> documented_story() {
    const auto mutant = mutant_named("a takeover's answer frees the key as a first attempt's does");
    if (!mutant) return std::nullopt;
    const auto finding = search(1, 10'000, mutant->decider);
    if (!finding) return std::nullopt;
    return "```text\n" + story_of(*finding, mutant->decider) + "```\n";
}

}  // namespace counterfoil
