#include "counterfoil/store/settle_call.hpp"

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

namespace {

CompleteReply ended(Answer answer, const Completion& completion) {
    const auto with = [&](Disposition disposition, Timeliness timeliness) {
        return reply::Ended{std::move(answer), disposition, timeliness};
    };
    return std::visit(overloaded{
                          [&](const settled::Completed& completed) -> CompleteReply {
                              return with(Disposition::keep, completed.timeliness);
                          },
                          [&](const settled::Released&) -> CompleteReply {
                              return with(Disposition::release, Timeliness::in_time);
                          },
                          [&](const settled::Uncertain&) -> CompleteReply {
                              return with(Disposition::unknown, Timeliness::in_time);
                          },
                          [](const auto& refused) -> CompleteReply { return refused; },
                      },
                      completion);
}

}  // namespace

CompleteReply complete(Session& session, const Permit& permit, const Bench& bench,
                       const std::function<Outcome()>& work) {
    const auto decide = [&](const std::optional<Receipt>& found, Outcome outcome) {
        return bench.decisions.complete(found, permit, std::move(outcome), bench.clock.now(),
                                        bench.policy);
    };
    return until_won("complete", [&]() -> std::optional<CompleteReply> {
        std::optional<OpenTransaction> transaction{std::in_place, session};
        const std::optional<Receipt> found = session.find(permit.scope);
        if (std::optional<Refusal> refused = bench.decisions.refusal_of(found, permit)) {
            return std::visit([](auto& why) -> CompleteReply { return std::move(why); }, *refused);
        }
        Outcome outcome = work();
        Answer answer = outcome.answer;
        Completion completion = decide(found, outcome);
        if (const auto* completed = std::get_if<settled::Completed>(&completion)) {
            if (!session.replace(completed->write.receipt, completed->write.expected)) {
                return std::nullopt;
            }
            transaction->commit();
            return ended(std::move(answer), completion);
        }
        // What the work wrote is rolled back, and only the receipt's part is written, by what is
        // found then.
        transaction.reset();
        completion =
            settle("complete", session, permit.scope,
                   [&](const std::optional<Receipt>& now) { return decide(now, outcome); });
        return ended(std::move(answer), completion);
    });
}

}  // namespace counterfoil
