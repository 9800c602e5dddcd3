#include "counterfoil/store/protocol.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counterfoil/judge.hpp"
#include "counterfoil/overloaded.hpp"
#include "counterfoil/store/store_error.hpp"

namespace counterfoil {

namespace {

constexpr int max_lost_races = 8;

/// Fingerprinters for as many calls as are under way. They are for one thread each and dear to
/// make, so they are lent.
class FingerprinterPool {
public:
    explicit FingerprinterPool(Secrets secrets) : secrets_{std::move(secrets)} {}

    template <class Use>
    auto with_one(Use&& use) {
        std::unique_ptr<Fingerprinter> fingerprinter = take();
        auto result = std::forward<Use>(use)(*fingerprinter);
        const std::lock_guard lock{mutex_};
        idle_.push_back(std::move(fingerprinter));
        return result;
    }

private:
    std::unique_ptr<Fingerprinter> take() {
        {
            const std::lock_guard lock{mutex_};
            if (!idle_.empty()) {
                std::unique_ptr<Fingerprinter> last = std::move(idle_.back());
                idle_.pop_back();
                return last;
            }
        }
        return std::make_unique<Fingerprinter>(secrets_);
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Fingerprinter>> idle_;
    Secrets secrets_;
};

/// A request, and how to compare it with a receipt under another scheme than its own.
struct Question {
    const Request& request;
    std::function<void(const SchemeName&)> compare_under{};

    void prepare_for(const std::optional<Receipt>& found) const {
        if (!found || !compare_under) return;
        if (found->fingerprint.scheme != request.fingerprint.scheme) {
            compare_under(found->fingerprint.scheme);
        }
    }
};

/// An open transaction; ends without its writes unless it is committed.
class OpenTransaction {
public:
    explicit OpenTransaction(Session& session) : session_{session} { session_.begin(); }

    ~OpenTransaction() {
        if (open_) session_.rollback();
    }

    OpenTransaction(const OpenTransaction&) = delete;
    OpenTransaction& operator=(const OpenTransaction&) = delete;

    void commit() {
        session_.commit();
        open_ = false;
    }

private:
    Session& session_;
    bool open_{true};
};

/// What judge() gave leave for: the receipt to write, and the one that it takes the place of.
struct Leave {
    Receipt receipt;
    std::optional<Fence> replaces;
    std::int64_t attempt{};
    Instant first_seen;
    Why why;
};

/// Writes a receipt where judge() saw nothing, or another one; false where that has changed.
bool put(ReceiptTable& table, const Receipt& receipt, std::optional<Fence> replaces) {
    return replaces ? table.replace(receipt, *replaces) : table.insert(receipt);
}

/// One call of once(), from the question to the reply.
class OnceCall {
public:
    OnceCall(Session& session, const Question& question, const Policy& policy, Clock& clock,
             const std::function<Outcome()>& work)
        : session_{session}, question_{question}, policy_{policy}, clock_{clock}, work_{work} {}

    Reply run() {
        // A completed receipt never changes until it is forgotten, so a plain read may answer it,
        // and so may it answer whatever else needs no write.
        if (std::optional<Reply> reply = told(judged(session_.peek(scope())))) {
            return *std::move(reply);
        }
        for (int race = 0; race < max_lost_races; ++race) {
            if (std::optional<Reply> reply = under_lock()) return *std::move(reply);
        }
        throw StoreError{StoreFault::busy, "once: lost the race for its scope " +
                                               std::to_string(max_lost_races) + " times in a row"};
    }

private:
    [[nodiscard]] const Scope& scope() const { return question_.request.scope; }

    Verdict judged(std::optional<Receipt> found) {
        question_.prepare_for(found);
        return judge(question_.request, std::move(found), clock_.now(), policy_);
    }

    /// The reply of a verdict that asks for no write; nothing for one that does.
    static std::optional<Reply> told(Verdict&& verdict) {
        return std::visit(
            overloaded{
                [](verdict::Create&) -> std::optional<Reply> { return std::nullopt; },
                [](verdict::TakeOver&) -> std::optional<Reply> { return std::nullopt; },
                [](verdict::Unknown& unknown) -> std::optional<Reply> {
                    if (unknown.write) return std::nullopt;
                    return std::move(unknown);
                },
                [](auto& refused) -> std::optional<Reply> { return std::move(refused); },
            },
            verdict);
    }

    /// One transaction; nothing where the race for the scope was lost.
    std::optional<Reply> under_lock() {
        std::optional<OpenTransaction> transaction{std::in_place, session_};
        Verdict verdict = judged(session_.find(scope()));
        if (auto* create = std::get_if<verdict::Create>(&verdict)) {
            const Instant first_seen = create->receipt.created_at;
            return perform(transaction, {.receipt = std::move(create->receipt),
                                         .replaces = create->replaces,
                                         .attempt = 1,
                                         .first_seen = first_seen,
                                         .why = create->why});
        }
        if (auto* take_over = std::get_if<verdict::TakeOver>(&verdict)) {
            const std::int64_t attempt = take_over->receipt.attempt;
            const Instant first_seen = take_over->receipt.created_at;
            return perform(transaction, {.receipt = std::move(take_over->receipt),
                                         .replaces = take_over->replaces,
                                         .attempt = attempt,
                                         .first_seen = first_seen,
                                         .why = take_over->why});
        }
        if (auto* unknown = std::get_if<verdict::Unknown>(&verdict);
            unknown != nullptr && unknown->write) {
            if (!session_.replace(unknown->write->receipt, unknown->write->expected)) {
                return std::nullopt;
            }
            transaction->commit();
            return std::move(*unknown);
        }
        return told(std::move(verdict));
    }

    std::optional<Reply> perform(std::optional<OpenTransaction>& transaction, Leave leave) {
        Outcome outcome = work_();
        reply::Performed performed{.answer = outcome.answer,
                                   .attempt = leave.attempt,
                                   .first_seen = leave.first_seen,
                                   .why = leave.why};
        const Permit permit{leave.receipt.scope, leave.receipt.fence};
        const bool takes_over = leave.why.rule == Rule::lease_lapsed;
        const std::optional<Receipt> held{std::move(leave.receipt)};
        const Completion completion =
            complete(held, permit, std::move(outcome), clock_.now(), policy_);

        if (const auto* completed = std::get_if<settled::Completed>(&completion)) {
            if (!put(session_, completed->write.receipt, leave.replaces)) return std::nullopt;
            transaction->commit();
            performed.disposition = Disposition::keep;
            return performed;
        }
        // What the work wrote is rolled back, and only the receipt's part is written, where there
        // is one. Should somebody have come in between, theirs stands.
        transaction.reset();
        if (const auto* uncertain = std::get_if<settled::Uncertain>(&completion)) {
            OpenTransaction again{session_};
            if (put(session_, uncertain->write.receipt, leave.replaces)) again.commit();
            performed.disposition = Disposition::unknown;
            return performed;
        }
        // Released: the held receipt is our own, so no refusal can come of it.
        if (takes_over && leave.replaces) {
            OpenTransaction again{session_};
            if (session_.erase(permit.scope, *leave.replaces)) again.commit();
        }
        performed.disposition = Disposition::release;
        return performed;
    }

    Session& session_;
    const Question& question_;
    const Policy& policy_;
    Clock& clock_;
    const std::function<Outcome()>& work_;
};

}  // namespace

struct Protocol::Desk {
    explicit Desk(Setup given)
        : setup{std::move(given)}, fingerprinters{std::exchange(setup.secrets, {})} {}

    /// Runs a call and tells the observer, if there is one, how it went.
    template <class Run>
    Reply observed(const Scope& scope, std::string_view request_id, Run&& run) {
        if (setup.observer == nullptr) return std::forward<Run>(run)();

        const auto start = std::chrono::steady_clock::now();
        Observation observation{.call = "once", .scope = scope, .request_id = request_id};
        const auto tell = [&] {
            observation.duration = std::chrono::steady_clock::now() - start;
            setup.observer->observe(observation);
        };
        try {
            Reply reply = std::forward<Run>(run)();
            observation.reply = word(reply);
            observation.why = why(reply);
            if (const auto* performed = std::get_if<reply::Performed>(&reply)) {
                observation.attempt = performed->attempt;
            }
            tell();
            return reply;
        } catch (const StoreError& error) {
            observation.fault = error.fault();
            tell();
            throw;
        } catch (...) {
            tell();
            throw;
        }
    }

    Reply once(Session& session, const Question& question,
               const std::function<Outcome()>& work) const {
        const Policy& policy = setup.policies.policy_for(question.request.scope.operation);
        return OnceCall{session, question, policy, *setup.clock, work}.run();
    }

    Setup setup;
    FingerprinterPool fingerprinters;
};

Protocol::Protocol(Setup setup) : desk_{std::make_unique<Desk>(std::move(setup))} {}

Protocol::~Protocol() = default;

Result<Request, FingerprintError> Protocol::request_of(const Submission& submission) {
    const Policy& policy = desk_->setup.policies.policy_for(submission.scope.operation);
    return desk_->fingerprinters.with_one([&](Fingerprinter& fingerprinter) {
        return make_request(submission.scope, submission.intent, policy, fingerprinter);
    });
}

Reply Protocol::once(Session& session, const Submission& submission,
                     const std::function<Outcome()>& work) {
    return desk_->observed(submission.scope, submission.request_id, [&]() -> Reply {
        Result<Request, FingerprintError> made = request_of(submission);
        if (!made) return reply::Unreadable{std::move(made).error()};

        Request request = *std::move(made);
        const Question question{request, [&](const SchemeName& scheme) {
                                    desk_->fingerprinters.with_one([&](Fingerprinter& lent) {
                                        counterfoil::compare_under(scheme, request,
                                                                   submission.intent, lent);
                                        return true;
                                    });
                                }};
        return desk_->once(session, question, work);
    });
}

Reply Protocol::once(Session& session, const Request& request, const std::function<Outcome()>& work,
                     std::string_view request_id) {
    return desk_->observed(request.scope, request_id,
                           [&] { return desk_->once(session, Question{request}, work); });
}

const Setup& Protocol::setup() const noexcept {
    return desk_->setup;
}

}  // namespace counterfoil
