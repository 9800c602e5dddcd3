#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include <rapidcheck.h>

#include "access.hpp"
#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "property.hpp"
#include "samples.hpp"

namespace counterfoil::testing {

namespace {

// Four receipts of four scopes; 1 and 2 are there already, the others are written by the rule.
struct Four {
    Receipt replaced{receipt_number(1, scope_number(0))};
    Receipt erased{receipt_number(2, scope_number(1))};
    Receipt successor{receipt_number(3, scope_number(0))};
    Receipt first{receipt_number(4, scope_number(2))};
    Receipt second{receipt_number(5, scope_number(3))};

    [[nodiscard]] std::vector<Receipt> before() const { return {replaced, erased}; }

    /// A write of each kind.
    void write(ReceiptTable& table) const {
        RC_ASSERT(table.insert(first));
        RC_ASSERT(table.replace(successor, replaced.fence));
        RC_ASSERT(table.erase(erased.scope, erased.fence));
        RC_ASSERT(table.insert(second));
    }

    void expect_unwritten(Session& session, std::string_view where) const {
        expect_equal(session.peek(replaced.scope), replaced, where);
        expect_equal(session.peek(erased.scope), erased, where);
        expect_equal(session.peek(first.scope), std::nullopt, where);
        expect_equal(session.peek(second.scope), std::nullopt, where);
    }

    void expect_written(Session& session, std::string_view where) const {
        expect_equal(session.peek(replaced.scope), successor, where);
        expect_equal(session.peek(erased.scope), std::nullopt, where);
        expect_equal(session.peek(first.scope), first, where);
        expect_equal(session.peek(second.scope), second, where);
    }
};

void sees_own_writes(Subject& subject) {
    const Four four;
    make_with(subject, four.before());
    const std::unique_ptr<Session> session = subject.session();
    session->begin();
    four.write(*session);
    expect_equal(session->find(four.replaced.scope), four.successor, "found after replace");
    expect_equal(session->find(four.erased.scope), std::nullopt, "found after erase");
    expect_equal(session->find(four.first.scope), four.first, "found after insert");
    RC_ASSERT(session->insert(four.erased));
    expect_equal(session->find(four.erased.scope), four.erased, "found after erase and insert");
    RC_ASSERT(session->erase(four.first.scope, four.first.fence));
    expect_equal(session->find(four.first.scope), std::nullopt, "found after insert and erase");
    session->rollback();
}

void others_see_at_commit(Subject& subject) {
    const Four four;
    make_with(subject, four.before());
    const std::unique_ptr<Session> other = subject.session();
    const std::unique_ptr<Session> writer = subject.session();
    writer->begin();
    four.write(*writer);
    four.expect_unwritten(*other, "peeked by another session before the commit");
    writer->commit();
    four.expect_written(*other, "peeked by another session after the commit");
    other->begin();
    expect_equal(other->find(four.first.scope), four.first,
                 "found by another session after the commit");
    other->rollback();
}

void commit_keeps_all(Subject& subject) {
    const Four four;
    make_with(subject, four.before());
    const std::unique_ptr<Session> session = subject.session();
    commit_with(*session, [&](ReceiptTable& table) { four.write(table); });
    four.expect_written(*session, "peeked after the commit");
}

/// Whether the reader ever saw the second of two receipts lag behind the first, which are always
/// written by one transaction.
class Reader {
public:
    Reader(Subject& subject, Scope one, Scope other)
        : session_{subject.session()},
          one_{std::move(one)},
          other_{std::move(other)},
          saw_half_{std::async(std::launch::async, [this] { return watch(); })} {}

    ~Reader() { over_ = true; }

    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    bool saw_half() {
        over_ = true;
        return saw_half_.get();
    }

private:
    bool watch() {
        while (!over_) {
            // The one that is read first can only be older than the other.
            const std::optional<Receipt> first = session_->peek(one_);
            const std::optional<Receipt> second = session_->peek(other_);
            if (first && (!second || second->fence < first->fence)) return true;
        }
        return false;
    }

    std::atomic<bool> over_{false};
    std::unique_ptr<Session> session_;
    Scope one_;
    Scope other_;
    std::future<bool> saw_half_;  // waits for its thread when it goes
};

void nobody_sees_half(Subject& subject) {
    constexpr std::int64_t rounds = 25;
    subject.make_empty();
    const Scope one = scope_number(0);
    const Scope other = scope_number(1);
    // In both orders, since a store may write in the order of scopes or in that of the calls.
    Reader forwards{subject, one, other};
    Reader backwards{subject, other, one};
    const std::unique_ptr<Session> writer = subject.session();
    for (std::int64_t round = 1; round <= rounds; ++round) {
        commit_with(*writer, [&](ReceiptTable& table) {
            for (const Scope& scope : {one, other}) {
                const Receipt receipt = receipt_number(round, scope);
                if (round == 1) {
                    RC_ASSERT(table.insert(receipt));
                } else {
                    RC_ASSERT(table.replace(receipt, Fence{round - 1}));
                }
            }
        });
    }
    RC_ASSERT(!forwards.saw_half());
    RC_ASSERT(!backwards.saw_half());
}

void rollback_leaves_nothing(Subject& subject) {
    const Four four;
    make_with(subject, four.before());
    const std::unique_ptr<Session> session = subject.session();
    session->begin();
    four.write(*session);
    session->rollback();
    four.expect_unwritten(*session, "peeked after the rollback");
    session->begin();
    expect_equal(session->find(four.first.scope), std::nullopt,
                 "found by the same session's next transaction");
    RC_ASSERT(session->insert(four.first));
    session->commit();
    expect_equal(session->peek(four.first.scope), four.first, "peeked after the next commit");
    expect_equal(session->peek(four.second.scope), std::nullopt, "peeked after the next commit");
}

void gone_session_leaves_nothing(Subject& subject) {
    const Four four;
    make_with(subject, four.before());
    {
        const std::unique_ptr<Session> session = subject.session();
        session->begin();
        four.write(*session);
    }
    const std::unique_ptr<Session> next = subject.session();
    four.expect_unwritten(*next, "peeked after the session was gone");
    // It has left its lock as well.
    commit_with(*next, [&](ReceiptTable& table) { four.write(table); });
    four.expect_written(*next, "peeked after another session's commit");
}

void insert_is_refused(Subject& subject) {
    const Receipt there = *gen::receipt();
    Receipt rival = *gen::receipt();
    rival.scope = there.scope;
    subject.make_empty();
    const std::unique_ptr<Session> session = subject.session();
    session->begin();
    RC_ASSERT(session->insert(there));
    RC_ASSERT(!session->insert(rival));
    expect_equal(session->find(there.scope), there, "found after a second insert");
    session->commit();
    commit_with(*session, [&](ReceiptTable& table) { RC_ASSERT(!table.insert(rival)); });
    expect_equal(session->peek(there.scope), there, "peeked after a refused insert");
}

Fence wrong_fence(const Receipt& receipt) {
    return (*gen::stranger(receipt)).fence;
}

void replace_needs_the_fence(Subject& subject) {
    const Receipt there = *gen::receipt();
    Receipt rival = *gen::receipt();
    rival.scope = there.scope;
    const Fence wrong = wrong_fence(there);
    subject.make_empty();
    const std::unique_ptr<Session> session = subject.session();
    commit_with(*session, [&](ReceiptTable& table) {
        RC_ASSERT(!table.replace(there, there.fence));
        RC_ASSERT(table.insert(there));
        RC_ASSERT(!table.replace(rival, wrong));
        expect_equal(table.find(there.scope), there, "found after a refused replace");
    });
    commit_with(*session, [&](ReceiptTable& table) { RC_ASSERT(!table.replace(rival, wrong)); });
    expect_equal(session->peek(there.scope), there, "peeked after a refused replace");
    commit_with(*session, [&](ReceiptTable& table) {
        RC_ASSERT(table.erase(there.scope, there.fence));
        RC_ASSERT(!table.replace(rival, there.fence));
    });
    expect_equal(session->peek(there.scope), std::nullopt,
                 "peeked after a replace of what was erased");
}

void erase_needs_the_fence(Subject& subject) {
    const Receipt there = *gen::receipt();
    const Fence wrong = wrong_fence(there);
    subject.make_empty();
    const std::unique_ptr<Session> session = subject.session();
    commit_with(*session, [&](ReceiptTable& table) {
        RC_ASSERT(!table.erase(there.scope, there.fence));
        RC_ASSERT(table.insert(there));
        RC_ASSERT(!table.erase(there.scope, wrong));
        expect_equal(table.find(there.scope), there, "found after a refused erase");
    });
    commit_with(*session,
                [&](ReceiptTable& table) { RC_ASSERT(!table.erase(there.scope, wrong)); });
    expect_equal(session->peek(there.scope), there, "peeked after a refused erase");
}

void peek_is_up_to_date(Subject& subject) {
    const Receipt first = receipt_number(1, scope_number(0));
    const Receipt second = receipt_number(2, scope_number(0));
    subject.make_empty();
    const std::unique_ptr<Session> reader = subject.session();
    const std::unique_ptr<Session> writer = subject.session();
    expect_equal(reader->peek(first.scope), std::nullopt, "peeked in an empty store");
    commit_with(*writer, [&](ReceiptTable& table) { RC_ASSERT(table.insert(first)); });
    expect_equal(reader->peek(first.scope), first, "peeked after another's insert");
    commit_with(*writer,
                [&](ReceiptTable& table) { RC_ASSERT(table.replace(second, first.fence)); });
    expect_equal(reader->peek(first.scope), second, "peeked after another's replace");
    commit_with(*writer,
                [&](ReceiptTable& table) { RC_ASSERT(table.erase(first.scope, second.fence)); });
    expect_equal(reader->peek(first.scope), std::nullopt, "peeked after another's erase");
}

void peek_waits_for_nobody(Subject& subject) {
    // Less than a store waits for a lock before it is busy, and far more than a read takes.
    constexpr std::chrono::seconds patience{1};
    const Receipt first = receipt_number(1, scope_number(0));
    const Receipt second = receipt_number(2, scope_number(0));
    make_with(subject, {first});
    const std::unique_ptr<Session> reader = subject.session();
    const std::unique_ptr<Session> writer = subject.session();
    writer->begin();
    RC_ASSERT(writer->replace(second, first.fence));
    auto peeked = std::async(std::launch::async, [&] { return reader->peek(first.scope); });
    const bool in_time = peeked.wait_for(patience) == std::future_status::ready;
    writer->rollback();
    const std::optional<Receipt> seen = peeked.get();
    if (!in_time) RC_FAIL("peek waited for the end of another session's transaction");
    expect_equal(seen, first, "peeked while another session has written");
}

void reopening_keeps(Subject& subject) {
    const Four four;
    make_with(subject, four.before());
    subject.reopen();
    {
        const std::unique_ptr<Session> session = subject.session();
        four.expect_unwritten(*session, "peeked after the first reopening");
        commit_with(*session, [&](ReceiptTable& table) { four.write(table); });
        session->begin();
        RC_ASSERT(session->erase(four.first.scope, four.first.fence));
    }
    subject.reopen();
    four.expect_written(*subject.session(), "peeked after the second reopening");
}

std::vector<Property> writes() {
    return {
        {{.name = "insert_is_refused_where_somebody_was_first",
          .sentence = "insert returns false where the scope has a receipt, and changes no byte of "
                      "it."},
         30,
         insert_is_refused},
        {{.name = "replace_needs_the_fence_that_is_there",
          .sentence = "replace returns false under another fence and where nothing is, and changes "
                      "nothing."},
         30,
         replace_needs_the_fence},
        {{.name = "erase_needs_the_fence_that_is_there",
          .sentence = "erase returns false under another fence and where nothing is, and changes "
                      "nothing."},
         30,
         erase_needs_the_fence},
        {{.name = "a_transaction_sees_its_own_writes",
          .sentence = "find sees what its own transaction has written."},
         1,
         sees_own_writes},
        {{.name = "a_commit_keeps_every_write",
          .sentence = "A commit keeps every insert, replace and erase of its transaction."},
         1,
         commit_keeps_all},
        {{.name = "a_rollback_leaves_nothing",
          .sentence = "A rollback leaves nothing, neither in the store nor in the session."},
         1,
         rollback_leaves_nothing},
        {{.name = "a_session_that_goes_leaves_nothing",
          .sentence = "A session that goes while its transaction is open leaves nothing, its lock "
                      "included."},
         1,
         gone_session_leaves_nothing},
    };
}

}  // namespace

std::vector<Property> transaction_rules() {
    std::vector<Property> all = writes();
    all.insert(
        all.end(),
        {{{.name = "others_see_writes_at_commit_and_not_before",
           .sentence = "Another session sees what was written at the commit, and not before.",
           .needs = {Ability::two_sessions}},
          1,
          others_see_at_commit},
         {{.name = "nobody_sees_half_a_commit",
           .sentence = "Whoever reads while a transaction is committed sees all of it or nothing.",
           .needs = {Ability::two_sessions, Ability::threads}},
          1,
          nobody_sees_half},
         {{.name = "peek_shows_what_was_last_committed",
           .sentence = "peek shows what was last committed, however old the session is.",
           .needs = {Ability::two_sessions}},
          1,
          peek_is_up_to_date},
         {{.name = "peek_waits_for_nobody",
           .sentence = "peek does not wait for another session's transaction.",
           .needs = {Ability::two_sessions, Ability::threads}},
          1,
          peek_waits_for_nobody},
         {{.name = "reopening_keeps_what_was_committed",
           .sentence = "A store that is opened again has what was committed, and nothing else.",
           .needs = {Ability::reopen}},
          1,
          reopening_keeps}});
    return all;
}

}  // namespace counterfoil::testing
