#include "counterfoil/sqlite/state_columns.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "counterfoil/describe.hpp"
#include "counterfoil/overloaded.hpp"
#include "counterfoil/sqlite/field_lines.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil::sqlite {

namespace {

using enum Column;

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
        const std::optional<std::string_view> bytes = row.optional_bytes(body);
        if (!bytes) return body::None{};
        return body::Bytes{std::string{*bytes}};
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
    state::Completed completed{
        .answer = read_answer(row),
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

}  // namespace

Answer read_answer(const Row& row) {
    std::optional<std::vector<Field>> lines = from_lines(row.bytes(fields));
    if (!lines) row.corrupt("its fields are no lines");
    return {.status = read_status(row),
            .fields = *std::move(lines),
            .body = read_body(row),
            .reference = row.optional_text(reference)};
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

StateCells cells_of(const Answer& answer) {
    const auto* omitted = std::get_if<body::Omitted>(&answer.body);
    const auto* kept = std::get_if<body::Bytes>(&answer.body);
    return {.status = answer.status,
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
                          [](const state::Completed& completed) {
                              StateCells cells = cells_of(completed.answer);
                              cells.completed_at = completed.completed_at;
                              cells.replay_until = completed.replay_until;
                              cells.forget_at = completed.forget_at;
                              return cells;
                          },
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

}  // namespace counterfoil::sqlite
