#include "counterfoil/sqlite/attempt_rows.hpp"

#include <algorithm>
#include <string_view>

#include <SQLiteCpp/Statement.h>

#include "counterfoil/sha256.hpp"
#include "counterfoil/sqlite/binder.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/reset.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil::sqlite {

namespace {

constexpr std::string_view insert_row =
    "INSERT INTO attempts (tenant, operation, key, at_us, request_id, call, reply, rule, attempt, "
    "duration_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

// Read from the end of the log on. An index over scopes would have every call write a page of its
// own, and this is asked by a person, now and then.
constexpr std::string_view rows_of_scope =
    "SELECT at_us, request_id, call, reply, rule, attempt, duration_us FROM attempts "
    "WHERE tenant = ? AND operation = ? AND key IN (?, ?) ORDER BY rowid DESC LIMIT ?";

constexpr std::string_view rows_of_time =
    "SELECT at_us, request_id, call, reply, rule, attempt, duration_us FROM attempts "
    "WHERE at_us >= ? AND at_us < ? ORDER BY at_us, rowid";

// A stock SQLite has no DELETE … LIMIT.
constexpr std::string_view erase_rows =
    "DELETE FROM attempts WHERE rowid IN (SELECT rowid FROM attempts WHERE at_us < ? "
    "ORDER BY at_us LIMIT ?)";

Attempt read_attempt(SQLite::Statement& row) {
    enum Column : int { at_us, request_id, call, reply, rule, attempt, duration_us };

    Attempt read{.at = Instant{Span{row.getColumn(at_us).getInt64()}},
                 .request_id = row.getColumn(request_id).getString(),
                 .call = row.getColumn(call).getString(),
                 .reply = row.getColumn(reply).getString(),
                 .duration = std::chrono::microseconds{row.getColumn(duration_us).getInt64()}};
    if (!row.getColumn(rule).isNull()) {
        const int number = row.getColumn(rule).getInt();
        if (number < static_cast<int>(Rule::key_predates_memory) ||
            number > static_cast<int>(Rule::no_takeover)) {
            throw StoreError{StoreFault::corrupt,
                             "an attempt can't be read: its rule is " + std::to_string(number)};
        }
        read.rule = static_cast<Rule>(number);
    }
    if (!row.getColumn(attempt).isNull()) read.attempt = row.getColumn(attempt).getInt64();
    return read;
}

}  // namespace

std::string logged_key(const Key& key, AttemptKeys keys) {
    if (keys == AttemptKeys::plain) return key.text();
    return "sha256:" + to_hex(sha256(key.text()));
}

void insert_attempt(StatementCache& statements, const AttemptRow& row) {
    translated("writing the log of attempts", [&] {
        const Attempt& attempt = row.attempt;
        SQLite::Statement& insert = statements.statement(insert_row);
        const Reset reset{insert};
        Binder bind{insert};
        bind.text(row.tenant);
        bind.text(row.operation);
        bind.text(row.key);
        bind.instant(attempt.at);
        bind.text(attempt.request_id.empty() ? nullptr : &attempt.request_id);
        bind.text(attempt.call);
        bind.text(attempt.reply);
        bind.number(attempt.rule ? std::optional{static_cast<int>(*attempt.rule)} : std::nullopt);
        if (attempt.attempt) {
            bind.number(*attempt.attempt);
        } else {
            bind.null();
        }
        bind.number(attempt.duration.count());
        insert.exec();
    });
}

std::vector<Attempt> find_attempts(StatementCache& statements, const Scope& scope, int limit) {
    return translated("reading the log of attempts", [&] {
        const std::string hashed = logged_key(scope.key, AttemptKeys::hashed);
        SQLite::Statement& rows = statements.statement(rows_of_scope);
        const Reset reset{rows};
        Binder bind{rows};
        bind.scope(scope);
        bind.text(hashed);
        bind.number(std::int64_t{limit});
        std::vector<Attempt> found;
        while (rows.executeStep()) found.push_back(read_attempt(rows));
        std::reverse(found.begin(), found.end());
        std::stable_sort(found.begin(), found.end(), [](const Attempt& one, const Attempt& other) {
            return one.at < other.at;
        });
        return found;
    });
}

void for_each_attempt(StatementCache& statements, Instant from, Instant before,
                      const std::function<void(const Attempt&)>& tell) {
    translated("reading the log of attempts", [&] {
        SQLite::Statement& rows = statements.statement(rows_of_time);
        const Reset reset{rows};
        Binder bind{rows};
        bind.instant(from);
        bind.instant(before);
        while (rows.executeStep()) tell(read_attempt(rows));
    });
}

std::uint64_t erase_attempts(StatementCache& statements, Instant before, int limit) {
    return translated("purging the log of attempts", [&] {
        SQLite::Statement& erase = statements.statement(erase_rows);
        const Reset reset{erase};
        Binder bind{erase};
        bind.instant(before);
        bind.number(std::int64_t{limit});
        return static_cast<std::uint64_t>(erase.exec());
    });
}

}  // namespace counterfoil::sqlite
