#include "counterfoil/sqlite/resolution_rows.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <SQLiteCpp/Statement.h>

#include "counterfoil/overloaded.hpp"
#include "counterfoil/sqlite/binder.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/receipt_rows.hpp"
#include "counterfoil/sqlite/reset.hpp"
#include "counterfoil/sqlite/row.hpp"
#include "counterfoil/sqlite/state_columns.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil::sqlite {

namespace {

constexpr std::string_view insert_row =
    "INSERT INTO resolutions (tenant, operation, key, fence, resolved_at_us, resolved_by, "
    "evidence, state_before, lease_end_us, since_us, unknown_cause, checkpoint_name, "
    "checkpoint_note, ruling, exposure, status, reference, fields, body_omitted, body) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

// In the places of receipt_columns, so that state and answer are read as a receipt's are; what a
// resolution has beside them stands behind.
constexpr std::string_view rows_of_scope =
    "SELECT NULL, NULL, fence, NULL, NULL, state_before, lease_end_us, since_us, unknown_cause, "
    "NULL, NULL, NULL, status, reference, checkpoint_name, NULL, NULL, NULL, body_omitted, fields, "
    "checkpoint_note, NULL, body, resolved_at_us, resolved_by, evidence, ruling, exposure "
    "FROM resolutions WHERE tenant = ? AND operation = ? AND key = ? ORDER BY rowid";

constexpr auto resolved_at_us = Column::column_count;
constexpr auto resolved_by = static_cast<Column>(static_cast<int>(resolved_at_us) + 1);
constexpr auto evidence = static_cast<Column>(static_cast<int>(resolved_at_us) + 2);
constexpr auto ruling_word = static_cast<Column>(static_cast<int>(resolved_at_us) + 3);
constexpr auto exposure = static_cast<Column>(static_cast<int>(resolved_at_us) + 4);

Ruling read_ruling(const Row& row) {
    const std::string_view word = row.bytes(ruling_word);
    if (word == "not_applied") return ruling::NotApplied{};
    const std::optional<Exposure> exposed = from_word<Exposure>(row.bytes(exposure));
    if (word != "applied" || !exposed) row.corrupt("its audit row has a ruling that can't be");
    return ruling::Applied{read_answer(row), *exposed};
}

/// Binds the columns of the answer, which only some rulings have.
void bind_answer(Binder& bind, const Answer* answer) {
    const StateCells cells = answer != nullptr ? cells_of(*answer) : StateCells{};
    bind.number(cells.status);
    bind.text(cells.reference);
    bind.copied_text(cells.fields);
    bind.word(cells.omitted);
    bind.blob(cells.body);
}

}  // namespace

void insert_resolution(StatementCache& statements, const ResolutionRecord& resolution) {
    translated("writing an audit row", [&] {
        SQLite::Statement& insert = statements.statement(insert_row);
        const Reset reset{insert};
        const StateCells before = cells_of(resolution.before);
        const auto* applied = std::get_if<ruling::Applied>(&resolution.ruling);
        Binder bind{insert};
        bind.scope(resolution.scope);
        bind.number(resolution.fence.number);
        bind.instant(resolution.resolved_at);
        bind.text(resolution.by);
        bind.text(resolution.evidence);
        bind.word(word(resolution.before));
        bind.instant(before.lease_end);
        bind.instant(before.since);
        bind.word(before.cause);
        bind.text(before.checkpoint != nullptr ? &before.checkpoint->name() : nullptr);
        bind.text(before.checkpoint != nullptr ? &before.checkpoint->note() : nullptr);
        bind.word(applied != nullptr ? "applied" : "not_applied");
        bind.word(applied != nullptr ? std::optional{applied->exposure} : std::nullopt);
        bind_answer(bind, applied != nullptr ? &applied->answer : nullptr);
        insert.exec();
    });
}

std::vector<ResolutionRecord> find_resolutions(StatementCache& statements, const Scope& scope) {
    return translated("reading audit rows", [&] {
        SQLite::Statement& rows = statements.statement(rows_of_scope);
        const Reset reset{rows};
        Binder{rows}.scope(scope);
        std::vector<ResolutionRecord> found;
        Columns columns;
        while (rows.executeStep()) {
            if (columns.empty()) columns = columns_of(rows);
            const Row row{columns, scope};
            found.push_back({.scope = scope,
                             .fence = Fence{row.number(Column::fence)},
                             .resolved_at = row.instant(resolved_at_us),
                             .before = read_state(row),
                             .ruling = read_ruling(row),
                             .by = std::string{row.bytes(resolved_by)},
                             .evidence = std::string{row.bytes(evidence)}});
        }
        return found;
    });
}

}  // namespace counterfoil::sqlite
