#include <optional>
#include <ostream>
#include <string>

#include <counterfoil/describe.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <gtest/gtest.h>

#include "sqlite/kit.hpp"

namespace counterfoil::sqlite {
namespace {

/// A change to a good row that nothing of ours makes, and what is said of it.
struct Damage {
    const char* state;
    const char* change;
    const char* said;

    friend std::ostream& operator<<(std::ostream& out, const Damage& damage) {
        return out << damage.state << ": " << damage.change;
    }
};

std::string good(const std::string& state) {
    if (state == "completed") {
        return "state = 'completed', status = 201, fields = 'ETag:1' || char(10), body = x'6f6b', "
               "completed_at_us = 10, replay_until_us = 9000000, forget_at_us = 9000000";
    }
    if (state == "in_progress") {
        return "state = 'in_progress', lease_end_us = 9000000, checkpoint_name = 'charged', "
               "checkpoint_note = 'null'";
    }
    if (state == "unknown") {
        return "state = 'unknown', since_us = 5, unknown_cause = 'marked', "
               "checkpoint_name = 'charged', checkpoint_note = 'null'";
    }
    return "state = 'tombstone', status = 201, completed_at_us = 10, since_us = 20, "
           "forget_at_us = 9000000";
}

class CorruptRow : public testing::TestWithParam<Damage> {
protected:
    CorruptRow() {
        const Store makes_the_schema{file, {.policies = kit::book()}};
        kit::execute(file,
                     "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
                     "replace(replace(sql, 'NOT NULL', ''), ') STRICT', ')') "
                     "WHERE name = 'receipts'; PRAGMA writable_schema = OFF");
        kit::execute(file,
                     "INSERT INTO receipts (key, tenant, operation, scheme, digest, fence, "
                     "attempt, created_at_us, state) VALUES ('k', 'acme', 'create', 'exact-json', "
                     "zeroblob(32), 5, 1, 3, 'completed'); UPDATE receipts SET " +
                         good(GetParam().state));
    }

    kit::Scratch scratch;
    const std::filesystem::path file{scratch.file()};
    kit::HandClock clock;
    const Scope scope{kit::scope("k")};
};

TEST_P(CorruptRow, is_told_with_its_scope_and_left_as_it_is) {
    {
        Store store{file, {.policies = kit::book(), .clock = &clock}};
        EXPECT_TRUE(store.find(scope).has_value());  // the row is good before it is damaged
    }
    kit::execute(file, std::string{"PRAGMA ignore_check_constraints = ON; UPDATE receipts SET "} +
                           GetParam().change);
    Store store{file, {.policies = kit::book(), .clock = &clock}};
    const std::string row =
        kit::text(file, "SELECT group_concat(quote(digest) || state) FROM receipts");

    const std::string expected =
        "corrupt: the receipt of " + describe(scope) + " can't be read: " + GetParam().said;
    EXPECT_EQ(kit::fault_of([&] { static_cast<void>(store.find(scope)); }), expected);
    int runs = 0;
    const auto work = [&](SQLite::Database&) {
        ++runs;
        return kit::answer(201, "again");
    };
    EXPECT_EQ(kit::fault_of([&] { store.once(kit::request(scope, 0), work); }), expected);
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(kit::text(file, "SELECT group_concat(quote(digest) || state) FROM receipts"), row);

    // Its neighbours don't suffer, and the connection is as good as before.
    EXPECT_EQ(kit::told(store.once(kit::request(kit::scope("other")), work)), "again");
}

INSTANTIATE_TEST_SUITE_P(
    , CorruptRow,
    testing::Values(
        Damage{"completed", "state = 'sleeping'", "its state is 'sleeping'"},
        Damage{"completed", "state = NULL", "it has no state"},
        Damage{"completed", "digest = x'00'", "its digest has 1 bytes"},
        Damage{"completed", "digest = zeroblob(33)", "its digest has 33 bytes"},
        Damage{"completed", "digest = NULL", "it has no digest"},
        Damage{"completed", "scheme = NULL", "it has no scheme"},
        Damage{"completed", "fence = NULL", "it has no fence"},
        Damage{"completed", "fence = 'high'", "it has no fence"},
        Damage{"completed", "attempt = NULL", "it has no attempt"},
        Damage{"completed", "attempt = 0", "its attempt is 0"},
        Damage{"completed", "attempt = -1", "its attempt is -1"},
        Damage{"completed", "created_at_us = 1.5", "it has no created_at_us"},
        Damage{"completed", "status = NULL", "it has no status"},
        Damage{"completed", "status = 99", "its status is 99"},
        Damage{"completed", "status = 600", "its status is 600"},
        Damage{"completed", "status = 4294967497", "its status is 4294967497"},
        Damage{"completed", "fields = NULL", "it has no fields"},
        Damage{"completed", "fields = 'ETag:1'", "its fields are no lines"},
        Damage{"completed", "completed_at_us = NULL", "it has no completed_at_us"},
        Damage{"completed", "replay_until_us = NULL", "it has no replay_until_us"},
        Damage{"completed", "forget_at_us = NULL", "it has no forget_at_us"},
        Damage{"completed", "replay_until_us = 9", "its windows end before they begin"},
        Damage{"completed", "forget_at_us = 8999999", "its windows end before they begin"},
        Damage{"completed", "body_omitted = 'secret'", "its body_omitted says what can't be"},
        Damage{"completed", "body_omitted = 'lost', body = NULL",
               "its body_omitted says what can't be"},
        Damage{"completed", "field_digests = '{}'",
               "its field_digests are not as they were written"},
        Damage{"completed", "hold_since_us = 4, hold_reason = 'why'", "it has no hold_by"},
        Damage{"completed", "hold_since_us = 4, hold_by = 'anna'", "it has no hold_reason"},
        Damage{"completed", "hold_since_us = 'x', hold_by = 'anna', hold_reason = 'why'",
               "it has no hold_since_us"}));

INSTANTIATE_TEST_SUITE_P(
    without_an_answer, CorruptRow,
    testing::Values(
        Damage{"in_progress", "lease_end_us = NULL", "it has no lease_end_us"},
        Damage{"in_progress", "checkpoint_note = NULL", "it has no checkpoint_note"},
        Damage{"in_progress", "checkpoint_note = '{'", "its checkpoint has a note_not_json"},
        Damage{"in_progress", "checkpoint_name = ''", "its checkpoint has a bad_name"},
        Damage{"unknown", "since_us = NULL", "it has no since_us"},
        Damage{"unknown", "unknown_cause = NULL", "it has no unknown_cause"},
        Damage{"unknown", "unknown_cause = 'fate'", "its unknown_cause is no word of ours"},
        Damage{"unknown", "checkpoint_note = 'x'", "its checkpoint has a note_not_json"},
        Damage{"tombstone", "status = NULL", "it has no status"},
        Damage{"tombstone", "status = 0", "its status is 0"},
        Damage{"tombstone", "completed_at_us = NULL", "it has no completed_at_us"},
        Damage{"tombstone", "since_us = NULL", "it has no since_us"},
        Damage{"tombstone", "forget_at_us = NULL", "it has no forget_at_us"}));

}  // namespace
}  // namespace counterfoil::sqlite
