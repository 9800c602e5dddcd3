#include "counterfoil/sqlite/schema.hpp"

#include <array>
#include <string>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Savepoint.h>
#include <SQLiteCpp/Transaction.h>

#include "counterfoil/sqlite/errors.hpp"

namespace counterfoil::sqlite {

namespace {

// Version 1. Instants are microseconds since 1970 in UTC. Which columns a row has is said by its
// state; receipt_rows.cpp writes and checks them. The key stands first in the index so that keys
// that rise with time (UUIDv7) are inserted at one place (docs/design.md). What is short stands
// before what may be long, since SQLite reads a row from its start.
//
// due_at_us is when time alone may next change something about the row.
constexpr const char* version_1 = R"sql(
CREATE TABLE receipts (
    key             TEXT    NOT NULL,
    tenant          TEXT    NOT NULL,
    operation       TEXT    NOT NULL,
    scheme          TEXT    NOT NULL,
    digest          BLOB    NOT NULL CHECK (length(digest) = 32),
    fence           INTEGER NOT NULL,
    attempt         INTEGER NOT NULL,
    created_at_us   INTEGER NOT NULL,
    state           TEXT    NOT NULL
                    CHECK (state IN ('in_progress', 'completed', 'unknown', 'tombstone')),
    lease_end_us    INTEGER,  -- in_progress
    since_us        INTEGER,  -- unknown, tombstone
    unknown_cause   TEXT,     -- unknown
    completed_at_us INTEGER,  -- completed, tombstone
    replay_until_us INTEGER,  -- completed
    forget_at_us    INTEGER,  -- completed, tombstone
    status          INTEGER,  -- completed, tombstone
    reference       TEXT,     -- completed, tombstone
    checkpoint_name TEXT,     -- in_progress, unknown
    hold_since_us   INTEGER,
    hold_by         TEXT,
    hold_reason     TEXT,
    body_omitted    TEXT,     -- completed
    fields          TEXT,     -- completed; a line `name:value` each
    checkpoint_note TEXT,     -- in_progress, unknown
    field_digests   TEXT,
    body            BLOB,     -- completed
    due_at_us       INTEGER GENERATED ALWAYS AS (
        CASE state
            WHEN 'in_progress' THEN lease_end_us
            WHEN 'completed' THEN iif(hold_since_us IS NULL, replay_until_us, NULL)
            WHEN 'tombstone' THEN iif(hold_since_us IS NULL, forget_at_us, NULL)
        END) VIRTUAL,
    UNIQUE (key, tenant, operation)
) STRICT;
CREATE INDEX receipts_due ON receipts (due_at_us);
CREATE INDEX receipts_open ON receipts (state, lease_end_us) WHERE completed_at_us IS NULL;
)sql";

// Version 2. What claims leave behind: who said what became of an effect that nobody knew of, and
// every call, where a log of them is asked for (Settings::attempts).
constexpr const char* version_2 = R"sql(
CREATE TABLE resolutions (
    key             TEXT    NOT NULL,
    tenant          TEXT    NOT NULL,
    operation       TEXT    NOT NULL,
    fence           INTEGER NOT NULL,
    resolved_at_us  INTEGER NOT NULL,
    resolved_by     TEXT    NOT NULL,
    evidence        TEXT    NOT NULL,
    state_before    TEXT    NOT NULL CHECK (state_before IN ('in_progress', 'unknown')),
    lease_end_us    INTEGER,  -- in_progress
    since_us        INTEGER,  -- unknown
    unknown_cause   TEXT,     -- unknown
    checkpoint_name TEXT,
    checkpoint_note TEXT,
    ruling          TEXT    NOT NULL CHECK (ruling IN ('applied', 'not_applied')),
    exposure        TEXT,     -- applied
    status          INTEGER,  -- applied
    reference       TEXT,     -- applied
    fields          TEXT,     -- applied
    body_omitted    TEXT,     -- applied
    body            BLOB      -- applied
) STRICT;
CREATE INDEX resolutions_scope ON resolutions (key, tenant, operation);
CREATE TABLE attempts (
    at_us           INTEGER NOT NULL,  -- when the call returned
    key             TEXT    NOT NULL,  -- or `sha256:` and its digest in hexadecimal
    tenant          TEXT    NOT NULL,
    operation       TEXT    NOT NULL,
    request_id      TEXT,
    call            TEXT    NOT NULL,
    reply           TEXT    NOT NULL,  -- or the fault's word
    rule            INTEGER,
    attempt         INTEGER,
    duration_us     INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_at ON attempts (at_us);
)sql";

// Each brings a file from the version that is its index to the next.
constexpr std::array migrations{version_1, version_2};

std::int32_t pragma(SQLite::Database& database, const char* query) {
    return database.execAndGet(query).getInt();
}

}  // namespace

std::int32_t schema_version() {
    return static_cast<std::int32_t>(migrations.size());
}

FileKind kind_of(SQLite::Database& database) {
    return translated("reading the marks of the file", [&] {
        // Both of the same moment, and inside a transaction of the caller's as well.
        SQLite::Savepoint same_moment{database, "counterfoil_marks"};
        const std::int32_t mark = pragma(database, "PRAGMA application_id");
        const std::int32_t version = pragma(database, "PRAGMA user_version");
        same_moment.release();
        if (mark == 0 && version == 0) return FileKind::unmarked;
        if (mark != application_id) {
            throw StoreError{StoreFault::refused,
                             "the database belongs to another application (application_id " +
                                 std::to_string(mark) + ", user_version " +
                                 std::to_string(version) + "; Counterfoil's is " +
                                 std::to_string(application_id) + ")"};
        }
        if (version > schema_version()) {
            throw StoreError{StoreFault::refused,
                             "the database has schema version " + std::to_string(version) +
                                 ", and this program knows versions up to " +
                                 std::to_string(schema_version()) + ": use a newer one"};
        }
        return version == schema_version() ? FileKind::ours : FileKind::older;
    });
}

void migrate(SQLite::Database& database) {
    if (kind_of(database) == FileKind::ours) return;
    translated("migrating the schema", [&] {
        SQLite::Transaction transaction{database, SQLite::TransactionBehavior::IMMEDIATE};
        // Whoever had the lock before may have done it.
        if (kind_of(database) != FileKind::ours) {
            const auto from = static_cast<std::size_t>(pragma(database, "PRAGMA user_version"));
            for (std::size_t version = from; version < migrations.size(); ++version) {
                database.exec(migrations.at(version));
            }
            database.exec("PRAGMA application_id = " + std::to_string(application_id));
            database.exec("PRAGMA user_version = " + std::to_string(schema_version()));
        }
        transaction.commit();
    });
}

}  // namespace counterfoil::sqlite
