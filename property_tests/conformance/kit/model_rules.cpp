#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include <rapidcheck.h>

#include "access.hpp"
#include "command.hpp"
#include "counterfoil/store/store_error.hpp"
#include "property.hpp"
#include "samples.hpp"
#include "table_model.hpp"

namespace counterfoil::testing {

namespace {

constexpr std::size_t scopes = 3;

/// A store and what it should be, which do the same commands side by side.
class Sequence {
public:
    Sequence(Subject& subject, std::size_t sessions) : subject_{subject}, seats_(sessions) {
        const std::vector<Ability> has = subject.abilities();
        reopens_ = std::find(has.begin(), has.end(), Ability::reopen) != has.end();
        subject.make_empty();
        for (Seat& seat : seats_) seat.session = subject.session();
    }

    void run(const Command& command) {
        Seat& seat = seats_.at(command.session);
        switch (command.step) {
            case Step::peek: return peek(seat, command.receipt.scope);
            case Step::begin: return begin(seat);
            case Step::find: return find(seat, command.receipt.scope);
            case Step::insert: return insert(seat, command.receipt);
            case Step::replace:
            case Step::erase: return change(seat, command);
            case Step::commit: return commit(seat);
            case Step::rollback: return rollback(seat);
            case Step::leave: return leave(seat);
            case Step::reopen: return reopen();
        }
    }

    void finish() {
        for (Seat& seat : seats_) rollback(seat);
        for (std::size_t number = 0; number < scopes; ++number) {
            expect_equal(seats_.front().session->peek(scope_number(number)),
                         committed_.now(scope_number(number)), "peeked in the end");
        }
    }

private:
    struct Seat {
        std::unique_ptr<Session> session;
        std::optional<TransactionModel> open{};
    };

    void peek(Seat& seat, const Scope& scope) {
        if (seat.open) return;
        expect_equal(seat.session->peek(scope), committed_.now(scope), "peeked");
    }

    void begin(Seat& seat) {
        if (seat.open) return;
        try {
            seat.session->begin();
        } catch (const StoreError&) {
            // A lock: another session's transaction is open, and this is the same thread.
            if (!somebody_else_is_open(seat)) throw;
            return;
        }
        seat.open.emplace(committed_);
    }

    /// Does it in the open transaction, or in a new one; not where none is to be had. A store
    /// without a lock may take the transaction back once another session is in its way.
    template <class Do>
    void inside(Seat& seat, const Do& work) {
        begin(seat);
        if (!seat.open) return;
        try {
            work();
        } catch (const StoreError&) {
            if (!seat.open->was_overtaken() && !somebody_else_is_open(seat)) throw;
            rollback(seat);
        }
    }

    void find(Seat& seat, const Scope& scope) {
        inside(seat, [&] { seat.open->found(scope, seat.session->find(scope)); });
    }

    void insert(Seat& seat, const Receipt& receipt) {
        inside(seat, [&] {
            const bool answer = seat.session->insert(receipt);
            seat.open->wrote(
                receipt.scope, [](const Found& there) { return !there; }, receipt, answer);
        });
    }

    void change(Seat& seat, const Command& command) {
        inside(seat, [&] {
            const Scope& scope = command.receipt.scope;
            const Found there = seat.open->view(scope);
            const Fence right = there ? there->fence : command.receipt.fence;
            const bool is_last = right.number == std::numeric_limits<std::int64_t>::max();
            const std::int64_t off = is_last ? -std::abs(command.fence_off) : command.fence_off;
            const Fence expected{right.number + off};
            const bool replaces = command.step == Step::replace;
            const bool answer = replaces ? seat.session->replace(command.receipt, expected)
                                         : seat.session->erase(scope, expected);
            seat.open->wrote(
                scope, [&](const Found& found) { return found && found->fence == expected; },
                replaces ? Found{command.receipt} : std::nullopt, answer);
        });
    }

    void commit(Seat& seat) {
        if (!seat.open) return;
        inside(seat, [&] {
            seat.session->commit();
            seat.open->committed();
            committed_.append(seat.open->writes());
            seat.open.reset();
        });
    }

    static void rollback(Seat& seat) {
        if (!seat.open) return;
        seat.session->rollback();
        seat.open.reset();
    }

    void leave(Seat& seat) {
        seat.open.reset();
        seat.session.reset();
        seat.session = subject_.session();
    }

    void reopen() {
        if (!reopens_) return;
        for (Seat& seat : seats_) {
            seat.open.reset();
            seat.session.reset();
        }
        subject_.reopen();
        for (Seat& seat : seats_) seat.session = subject_.session();
    }

    [[nodiscard]] bool somebody_else_is_open(const Seat& seat) const {
        return std::any_of(seats_.begin(), seats_.end(), [&](const Seat& other) {
            return &other != &seat && other.open.has_value();
        });
    }

    Subject& subject_;
    Committed committed_;
    std::vector<Seat> seats_;
    bool reopens_{};
};

void is_a_map(Subject& subject, std::size_t sessions) {
    const std::vector<Command> drawn = *commands(sessions);
    Sequence sequence{subject, sessions};
    for (const Command& command : drawn) sequence.run(command);
    sequence.finish();
}

}  // namespace

std::vector<Property> model_rules() {
    constexpr int cases = 100;
    return {
        {{.name = "one_session_is_a_map",
          .sentence = "By no sequence of calls can one session be told from a map of receipts."},
         cases,
         [](Subject& subject) { is_a_map(subject, 1); }},
        {{.name = "two_sessions_share_a_map",
          .sentence = "Two sessions whose calls alternate share one map, and no write of theirs "
                      "stands on what is no longer so.",
          .needs = {Ability::two_sessions}},
         cases,
         [](Subject& subject) { is_a_map(subject, 2); }},
    };
}

}  // namespace counterfoil::testing
