#include "counterfoil/store/once_call.hpp"

#include <optional>
#include <utility>
#include <variant>

namespace counterfoil {

namespace {

/// What becomes of the work of a request that may run, and of its receipt.
class Performance {
public:
    Performance(Session& session, const Bench& bench, const std::function<Outcome()>& work)
        : session_{session}, bench_{bench}, work_{work} {}

    std::optional<Reply> operator()(std::optional<OpenTransaction>& transaction, Leave leave) {
        Outcome outcome = work_();
        reply::Performed performed{.answer = outcome.answer,
                                   .attempt = leave.receipt.attempt,
                                   .first_seen = leave.receipt.created_at,
                                   .why = leave.why};
        const Permit permit{leave.receipt.scope, leave.receipt.fence};
        const std::optional<Receipt> held{std::move(leave.receipt)};
        const Completion completion = bench_.decisions.complete(held, permit, std::move(outcome),
                                                                bench_.clock.now(), bench_.policy);

        if (const auto* completed = std::get_if<settled::Completed>(&completion)) {
            if (!leave.put(session_, completed->write.receipt)) return std::nullopt;
            transaction->commit();
            performed.disposition = Disposition::keep;
            return performed;
        }
        // What the work wrote is rolled back, and only the receipt's part is written, where there
        // is one. Should somebody have come in between, theirs stands.
        transaction.reset();
        if (const auto* uncertain = std::get_if<settled::Uncertain>(&completion)) {
            OpenTransaction again{session_};
            if (leave.put(session_, uncertain->write.receipt)) again.commit();
            performed.disposition = Disposition::unknown;
            return performed;
        }
        // Released: the held receipt is our own, so no refusal can come of it.
        if (leave.takes_over && leave.replaces) {
            OpenTransaction again{session_};
            if (session_.erase(permit.scope, *leave.replaces)) again.commit();
        }
        performed.disposition = Disposition::release;
        return performed;
    }

private:
    Session& session_;
    const Bench& bench_;
    const std::function<Outcome()>& work_;
};

}  // namespace

Reply once(Session& session, const Question& question, const Bench& bench,
           const std::function<Outcome()>& work) {
    return JudgedCall<Reply>{"once", session, question, bench}.run(
        Performance{session, bench, work});
}

}  // namespace counterfoil
