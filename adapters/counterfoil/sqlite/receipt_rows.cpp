#include "counterfoil/sqlite/receipt_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "counterfoil/describe.hpp"
#include "counterfoil/overloaded.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/field_digest_text.hpp"
#include "counterfoil/sqlite/field_lines.hpp"
#include "counterfoil/sqlite/reset.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil::sqlite {

namespace {

// Positions in receipt_columns, and behind them those of scope_columns.
enum Column : int {
    scheme,
    digest,
    fence,
    attempt,
    created_at_us,
    state,
    lease_end_us,
    since_us,
    unknown_cause,
    completed_at_us,
    replay_until_us,
    forget_at_us,
    status,
    reference,
    checkpoint_name,
    hold_since_us,
    hold_by,
    hold_reason,
    body_omitted,
    fields,
    checkpoint_note,
    field_digests,
    body,
    column_count,
    tenant = column_count,
    operation,
    key,
};

/// A row whose columns are read one by one; whatever is not as it was written is corrupt.
class Row {
public:
    Row(const Columns& columns, const Scope& scope) : columns_{columns}, scope_{scope} {}

    [[noreturn]] void corrupt(std::string_view what) const {
        throw StoreError{StoreFault::corrupt, "the receipt of " + describe(scope_) +
                                                  " can't be read: " + std::string{what}};
    }

    [[nodiscard]] bool is_null(Column column) const { return at(column).isNull(); }

    [[nodiscard]] std::int64_t number(Column column) const {
        const SQLite::Column& read = at(column);
        if (!read.isInteger()) missing(column);
        return read.getInt64();
    }

    [[nodiscard]] Instant instant(Column column) const { return Instant{Span{number(column)}}; }

    /// Bytes of a text or a blob; borrowed until the statement is stepped on.
    [[nodiscard]] std::string_view bytes(Column column) const {
        const SQLite::Column& read = at(column);
        const void* data = read.getBlob();
        const int size = read.getBytes();
        if (size == 0 && read.isNull()) missing(column);
        return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
    }

    [[nodiscard]] std::optional<std::string> optional_text(Column column) const {
        if (is_null(column)) return std::nullopt;
        return std::string{bytes(column)};
    }

private:
    [[nodiscard]] const SQLite::Column& at(Column column) const {
        return columns_[static_cast<std::size_t>(column)];
    }

    [[noreturn]] void missing(Column column) const {
        corrupt(std::string{"it has no "} + at(column).getName());
    }

    const Columns& columns_;
    const Scope& scope_;
};

Fingerprint read_fingerprint(const Row& row) {
    Fingerprint fingerprint{.scheme = SchemeName{std::string{row.bytes(scheme)}}, .digest = {}};
    const std::string_view bytes = row.bytes(digest);
    if (bytes.size() != fingerprint.digest.bytes.size()) {
        row.corrupt("its digest has " + std::to_string(bytes.size()) + " bytes");
    }
    std::memcpy(fingerprint.digest.bytes.data(), bytes.data(), bytes.size());
    return fingerprint;
}

int read_status(const Row& row) {
    constexpr std::int64_t lowest = 100;
    constexpr std::int64_t highest = 599;
    const std::int64_t number = row.number(status);
    if (number < lowest || number > highest) {
        row.corrupt("its status is " + std::to_string(number));
    }
    return static_cast<int>(number);
}

Body read_body(const Row& row) {
    if (row.is_null(body_omitted)) {
        if (row.is_null(body)) return body::None{};
        return body::Bytes{std::string{row.bytes(body)}};
    }
    const std::optional<Omission> reason = from_word<Omission>(row.bytes(body_omitted));
    if (!reason || !row.is_null(body)) row.corrupt("its body_omitted says what can't be");
    return body::Omitted{*reason};
}

std::optional<Checkpoint> read_checkpoint(const Row& row) {
    if (row.is_null(checkpoint_name)) return std::nullopt;
    const std::string_view note = row.bytes(checkpoint_note);
    Result<Checkpoint, CheckpointError> read =
        parse_checkpoint(row.bytes(checkpoint_name), note, note.size());
    if (!read) row.corrupt("its checkpoint has a " + std::string{word(read.error().fault)});
    return *std::move(read);
}

state::Completed read_completed(const Row& row) {
    std::optional<std::vector<Field>> lines = from_lines(row.bytes(fields));
    if (!lines) row.corrupt("its fields are no lines");
    state::Completed completed{
        .answer = {.status = read_status(row),
                   .fields = *std::move(lines),
                   .body = read_body(row),
                   .reference = row.optional_text(reference)},
        .completed_at = row.instant(completed_at_us),
        .replay_until = row.instant(replay_until_us),
        .forget_at = row.instant(forget_at_us),
    };
    if (completed.replay_until < completed.completed_at ||
        completed.forget_at < completed.replay_until) {
        row.corrupt("its windows end before they begin");
    }
    return completed;
}

state::Unknown read_unknown(const Row& row) {
    const std::optional<UnknownCause> cause = from_word<UnknownCause>(row.bytes(unknown_cause));
    if (!cause) row.corrupt("its unknown_cause is no word of ours");
    return {row.instant(since_us), *cause, read_checkpoint(row)};
}

State read_state(const Row& row) {
    const std::string_view word = row.bytes(state);
    if (word == "completed") return read_completed(row);
    if (word == "in_progress") {
        return state::InProgress{row.instant(lease_end_us), read_checkpoint(row)};
    }
    if (word == "unknown") return read_unknown(row);
    if (word == "tombstone") {
        return state::Tombstone{{.status = read_status(row),
                                 .completed_at = row.instant(completed_at_us),
                                 .reference = row.optional_text(reference)},
                                row.instant(since_us),
                                row.instant(forget_at_us)};
    }
    row.corrupt("its state is '" + escaped(word) + "'");
}

std::optional<Hold> read_hold(const Row& row) {
    if (row.is_null(hold_since_us)) return std::nullopt;
    return Hold{std::string{row.bytes(hold_by)}, std::string{row.bytes(hold_reason)},
                row.instant(hold_since_us)};
}

std::optional<FieldDigests> read_field_digests(const Row& row) {
    if (row.is_null(field_digests)) return std::nullopt;
    std::optional<FieldDigests> read = field_digests_from_text(row.bytes(field_digests));
    if (!read) row.corrupt("its field_digests are not as they were written");
    return read;
}

/// What a state has of the columns that not every state has; borrowed from the receipt.
struct StateCells {
    std::optional<Instant> lease_end{};
    std::optional<Instant> since{};
    std::optional<UnknownCause> cause{};
    std::optional<Instant> completed_at{};
    std::optional<Instant> replay_until{};
    std::optional<Instant> forget_at{};
    std::optional<int> status{};
    const std::string* reference{};
    const Checkpoint* checkpoint{};
    std::optional<std::string> fields{};  // as lines
    std::optional<Omission> omitted{};
    const std::string* body{};
};

template <class Value>
const Value* pointer_to(const std::optional<Value>& value) {
    return value ? &*value : nullptr;
}

StateCells cells_of(const state::Completed& completed) {
    const Answer& answer = completed.answer;
    const auto* omitted = std::get_if<body::Omitted>(&answer.body);
    const auto* kept = std::get_if<body::Bytes>(&answer.body);
    return {.completed_at = completed.completed_at,
            .replay_until = completed.replay_until,
            .forget_at = completed.forget_at,
            .status = answer.status,
            .reference = pointer_to(answer.reference),
            .fields = to_lines(answer.fields),
            .omitted = omitted != nullptr ? std::optional{omitted->reason} : std::nullopt,
            .body = kept != nullptr ? &kept->bytes : nullptr};
}

StateCells cells_of(const State& state) {
    return std::visit(overloaded{
                          [](const state::InProgress& held) {
                              return StateCells{.lease_end = held.lease_end,
                                                .checkpoint = pointer_to(held.checkpoint)};
                          },
                          [](const state::Completed& completed) { return cells_of(completed); },
                          [](const state::Unknown& unknown) {
                              return StateCells{.since = unknown.since,
                                                .cause = unknown.cause,
                                                .checkpoint = pointer_to(unknown.checkpoint)};
                          },
                          [](const state::Tombstone& tombstone) {
                              return StateCells{.since = tombstone.since,
                                                .completed_at = tombstone.ended.completed_at,
                                                .forget_at = tombstone.forget_at,
                                                .status = tombstone.ended.status,
                                                .reference = pointer_to(tombstone.ended.reference)};
                          },
                      },
                      state);
}

/// Binds the parameters of a statement from the first on. Texts and blobs are borrowed until the
/// statement is reset; words are copied.
class Binder {
public:
    explicit Binder(SQLite::Statement& statement) : statement_{statement} {}

    void null() { statement_.bind(++index_); }

    void number(std::int64_t value) { statement_.bind(++index_, value); }

    void number(std::optional<int> value) { value ? number(*value) : null(); }

    void instant(Instant at) { number(at.time_since_epoch().count()); }

    void instant(std::optional<Instant> at) { at ? instant(*at) : null(); }

    void text(const std::string& text) { statement_.bindNoCopy(++index_, text); }

    void text(const std::string* text) {
        if (text != nullptr) {
            this->text(*text);
        } else {
            null();
        }
    }

    void word(std::string_view word) { statement_.bind(++index_, std::string{word}); }

    template <class Enum>
    void word(std::optional<Enum> which) {
        if (which) {
            word(counterfoil::word(*which));
        } else {
            null();
        }
    }

    void blob(const std::string* bytes) {
        if (bytes != nullptr) {
            blob(bytes->data(), bytes->size());
        } else {
            null();
        }
    }

    void blob(const void* data, std::size_t size) {
        statement_.bindNoCopy(++index_, data, static_cast<int>(size));
    }

    void scope(const Scope& scope) {
        text(scope.tenant.text());
        text(scope.operation.text());
        text(scope.key.text());
    }

private:
    SQLite::Statement& statement_;
    int index_{};
};

/// Binds the columns of a receipt, as receipt_columns lists them, and then its scope, runs the
/// statement and says whether it wrote.
bool write(SQLite::Statement& statement, const Receipt& receipt, std::optional<Fence> expected) {
    const StateCells cells = cells_of(receipt.state);
    const std::optional<std::string> digests =
        receipt.fields ? std::optional{to_text(*receipt.fields)} : std::nullopt;
    const Reset reset{statement};
    Binder bind{statement};

    bind.text(receipt.fingerprint.scheme.text);
    bind.blob(receipt.fingerprint.digest.bytes.data(), receipt.fingerprint.digest.bytes.size());
    bind.number(receipt.fence.number);
    bind.number(receipt.attempt);
    bind.instant(receipt.created_at);
    bind.word(word(receipt.state));
    bind.instant(cells.lease_end);
    bind.instant(cells.since);
    bind.word(cells.cause);
    bind.instant(cells.completed_at);
    bind.instant(cells.replay_until);
    bind.instant(cells.forget_at);
    bind.number(cells.status);
    bind.text(cells.reference);
    bind.text(cells.checkpoint != nullptr ? &cells.checkpoint->name() : nullptr);
    bind.instant(receipt.hold ? std::optional{receipt.hold->since} : std::nullopt);
    bind.text(receipt.hold ? &receipt.hold->by : nullptr);
    bind.text(receipt.hold ? &receipt.hold->reason : nullptr);
    bind.word(cells.omitted);
    bind.text(pointer_to(cells.fields));
    bind.text(cells.checkpoint != nullptr ? &cells.checkpoint->note() : nullptr);
    bind.text(pointer_to(digests));
    bind.blob(cells.body);
    bind.scope(receipt.scope);
    if (expected) bind.number(expected->number);
    return statement.exec() == 1;
}

std::string with_columns(std::string_view before, std::string_view after) {
    return std::string{before}.append(receipt_columns).append(after);
}

}  // namespace

Columns columns_of(const SQLite::Statement& statement) {
    Columns columns;
    const int count = statement.getColumnCount();
    columns.reserve(static_cast<std::size_t>(count));
    for (int column = 0; column < count; ++column) columns.push_back(statement.getColumn(column));
    return columns;
}

Receipt read_receipt(const Columns& columns, Scope scope) {
    const Row row{columns, scope};
    Fingerprint fingerprint = read_fingerprint(row);
    const Fence newest{row.number(fence)};
    const Instant created_at = row.instant(created_at_us);
    const std::int64_t claims = row.number(attempt);
    if (claims < 1) row.corrupt("its attempt is " + std::to_string(claims));
    State state = read_state(row);
    std::optional<FieldDigests> digests = read_field_digests(row);
    std::optional<Hold> hold = read_hold(row);
    return {.scope = std::move(scope),
            .fingerprint = std::move(fingerprint),
            .fence = newest,
            .created_at = created_at,
            .attempt = claims,
            .state = std::move(state),
            .fields = std::move(digests),
            .hold = std::move(hold)};
}

Scope read_scope(const Columns& columns) {
    const auto text = [&](Column column) {
        return columns[static_cast<std::size_t>(column)].getString();
    };
    Result<Tenant, NameError> read_tenant = parse_tenant(text(tenant));
    Result<Operation, NameError> read_operation = parse_operation(text(operation));
    Result<Key, NameError> read_key = parse_key(text(key), KeyRules::widest());
    if (!read_tenant || !read_operation || !read_key) {
        throw StoreError{StoreFault::corrupt, "a receipt's scope is no scope: tenant '" +
                                                  escaped(text(tenant)) + "', operation '" +
                                                  escaped(text(operation)) + "', key '" +
                                                  escaped(text(key)) + "'"};
    }
    return {*std::move(read_tenant), *std::move(read_operation), *std::move(read_key)};
}

ReceiptRows::ReceiptRows(SQLite::Database& database)
    : find_{database, with_columns("SELECT ",
                                   " FROM receipts WHERE tenant = ? AND operation = ? "
                                   "AND key = ?")},
      insert_{database,
              with_columns("INSERT INTO receipts (",
                           ", tenant, operation, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                           "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                           "ON CONFLICT (key, tenant, operation) DO NOTHING")},
      replace_{database, with_columns("UPDATE receipts SET (",
                                      ") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                      "?, ?, ?, ?, ?) WHERE tenant = ? AND operation = ? "
                                      "AND key = ? AND fence = ?")},
      erase_{database,
             "DELETE FROM receipts WHERE tenant = ? AND operation = ? AND key = ? AND fence = ?"} {}

std::optional<Receipt> ReceiptRows::find(const Scope& scope) {
    return translated("reading a receipt", [&]() -> std::optional<Receipt> {
        const Reset reset{find_};
        Binder{find_}.scope(scope);
        if (!find_.executeStep()) return std::nullopt;
        if (found_.empty()) found_ = columns_of(find_);
        return read_receipt(found_, scope);
    });
}

bool ReceiptRows::insert(const Receipt& receipt) {
    return translated("writing a receipt", [&] { return write(insert_, receipt, std::nullopt); });
}

bool ReceiptRows::replace(const Receipt& receipt, Fence expected) {
    return translated("writing a receipt", [&] { return write(replace_, receipt, expected); });
}

bool ReceiptRows::erase(const Scope& scope, Fence expected) {
    return translated("erasing a receipt", [&] {
        const Reset reset{erase_};
        Binder bind{erase_};
        bind.scope(scope);
        bind.number(expected.number);
        return erase_.exec() == 1;
    });
}

}  // namespace counterfoil::sqlite
