#include "ladders/grid.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <counterfoil/judge.hpp>

namespace counterfoil {

namespace {

constexpr Span second{1'000'000};
constexpr Span tick{1};

Instant at_second(std::int64_t seconds) {
    return Instant{seconds * second};
}

// What every cell begins with. The figures are far apart, so that each instant is one thing only.
constexpr std::int64_t created = 100;
constexpr std::int64_t lease_end = 130;
constexpr std::int64_t completed_at = 110;
constexpr std::int64_t replay_until = 210;
constexpr std::int64_t forget_at = 1'110;

Scope scope(Key key = parse_key("key-1").value()) {
    return {parse_tenant("a").value(), parse_operation("create_order").value(), std::move(key)};
}

Fingerprint print(std::string scheme, std::uint8_t fill) {
    Fingerprint fingerprint{{std::move(scheme)}, {}};
    fingerprint.digest.bytes.fill(fill);
    return fingerprint;
}

Receipt in_state(State state) {
    return {scope(), print("exact-json", 1), Fence{7},     at_second(created),
            1,       std::move(state),       std::nullopt, std::nullopt};
}

Answer answer() {
    return {
        201, {{"Content-Type", "application/json"}}, body::Bytes{R"({"order_id":1})"}, "order 1"};
}

State running() {
    return state::InProgress{at_second(lease_end),
                             parse_checkpoint("charged", R"({"id":7})", 64).value()};
}

State completed() {
    return state::Completed{answer(), at_second(completed_at), at_second(replay_until),
                            at_second(forget_at)};
}

State unknown() {
    return state::Unknown{at_second(lease_end), UnknownCause::marked, std::nullopt};
}

State tombstone() {
    return state::Tombstone{
        {201, at_second(completed_at), "order 1"}, at_second(replay_until), at_second(forget_at)};
}

Request asking(Likeness likeness, Scope scope) {
    switch (likeness) {
        case Likeness::same: return {std::move(scope), print("exact-json", 1), std::nullopt, {}};
        case Likeness::other: return {std::move(scope), print("exact-json", 2), std::nullopt, {}};
        case Likeness::incomparable: break;
    }
    return {std::move(scope), print("hmac-exact-json;secret=k2", 1), std::nullopt, {}};
}

PolicyFigures figures() {
    PolicyFigures figures;
    figures.lease = 30 * second;
    figures.max_skew = 2 * second;
    figures.replay_window = 100 * second;
    figures.tombstone_window = 1'000 * second;
    figures.abandon_after = 60 * second;
    figures.max_attempts = 3;
    figures.answer_limits.max_body_bytes = 64;
    return figures;
}

struct Row {
    std::string name;
    Likeness likeness;
    Receipt found;
    PolicyFigures figures;
};

struct Column {
    std::string name;
    Instant now;
};

// The instant itself and the tick on either side of it.
void around(std::vector<Column>& columns, const std::string& name, Instant edge) {
    columns.push_back({name + " - 1 µs", edge - tick});
    columns.push_back({name, edge});
    columns.push_back({name + " + 1 µs", edge + tick});
}

void fill(std::vector<Cell>& cells, const std::string& table, const std::vector<Row>& rows,
          const std::vector<Column>& columns) {
    for (const auto& row : rows) {
        for (const auto& column : columns) {
            cells.push_back({table,
                             row.name,
                             column.name,
                             {asking(row.likeness, row.found.scope), row.found, column.now,
                              gen::valid(row.figures)}});
        }
    }
}

// The rows of a state whose switches are only the request's likeness and a hold.
std::vector<Row> likenesses(const Receipt& found) {
    std::vector<Row> rows{{"same", Likeness::same, found, figures()},
                          {"other", Likeness::other, found, figures()},
                          {"incomparable", Likeness::incomparable, found, figures()}};
    Receipt on_hold = found;
    on_hold.hold = Hold{"anna", "audit", at_second(created)};
    rows.push_back({"same, on hold", Likeness::same, on_hold, figures()});
    rows.push_back({"other, on hold", Likeness::other, on_hold, figures()});
    rows.push_back({"incomparable, on hold", Likeness::incomparable, on_hold, figures()});
    return rows;
}

void nothing_found(std::vector<Cell>& cells) {
    const std::int64_t born = 5;

    struct Kind {
        std::string name;
        Key key;
    };

    const std::array<Kind, 2> kinds{{{"key tells no birth", parse_key("key-1").value()},
                                     {"key tells its birth", gen::key_born_at(born * 1'000)}}};
    std::vector<Column> columns;
    around(columns, "birth + tombstone_window", at_second(born) + figures().tombstone_window);
    for (const auto& kind : kinds) {
        for (const auto old_keys : {OldKeys::create, OldKeys::refuse}) {
            PolicyFigures with_switch = figures();
            with_switch.old_keys = old_keys;
            const auto row = kind.name + (old_keys == OldKeys::create ? ", old_keys create"
                                                                      : ", old_keys refuse");
            for (const auto& column : columns) {
                cells.push_back({"nothing",
                                 row,
                                 column.name,
                                 {asking(Likeness::same, scope(kind.key)), std::nullopt, column.now,
                                  gen::valid(with_switch)}});
            }
        }
    }
}

void in_progress(std::vector<Cell>& cells) {
    std::vector<Column> columns;
    around(columns, "lease_end", at_second(lease_end));
    around(columns, "lease_end + max_skew", at_second(lease_end) + figures().max_skew);
    std::vector<Row> rows;
    for (const auto on_lapse : {OnLapse::take_over, OnLapse::unknown}) {
        for (const std::int64_t attempt : {1, 3}) {
            Receipt found = in_state(running());
            found.attempt = attempt;
            PolicyFigures with_switch = figures();
            with_switch.on_lapse = on_lapse;
            rows.push_back({std::string{"same, on_lapse "} +
                                (on_lapse == OnLapse::take_over ? "take_over" : "unknown") +
                                ", attempt " + std::to_string(attempt) + " of 3",
                            Likeness::same, std::move(found), with_switch});
        }
    }
    for (auto& row : likenesses(in_state(running()))) {
        if (row.name != "same") rows.push_back(std::move(row));
    }
    fill(cells, "in_progress", rows, columns);
}

void ended(std::vector<Cell>& cells, const std::string& table, const State& state) {
    std::vector<Column> columns;
    around(columns, "replay_until", at_second(replay_until));
    around(columns, "forget_at", at_second(forget_at));
    auto rows = likenesses(in_state(state));

    // Forgotten is as if nothing was found, and then the first two rules come again.
    Receipt with_old_key = in_state(state);
    with_old_key.scope = scope(gen::key_born_at(5'000));
    PolicyFigures refusing = figures();
    refusing.old_keys = OldKeys::refuse;
    rows.push_back({"same, key tells its birth, old_keys refuse", Likeness::same,
                    std::move(with_old_key), refusing});
    fill(cells, table, rows, columns);
}

void outcome_unknown(std::vector<Cell>& cells) {
    fill(cells, "unknown", likenesses(in_state(unknown())),
         {{"at the beginning of time", Instant::min()},
          {"since", at_second(lease_end)},
          {"at the end of time", Instant::max()}});
}

std::string told(const Cell& cell) {
    const auto verdict = judge(cell.situation.request, cell.situation.found, cell.situation.now,
                               cell.situation.policy);
    std::string name{word(verdict)};
    if (const auto* expired = std::get_if<verdict::Expired>(&verdict))
        name += std::holds_alternative<verdict::MaybeSeen>(expired->seen) ? ", maybe seen" : "";
    return name + " (" + std::to_string(static_cast<int>(why(verdict).rule)) + ')';
}

}  // namespace

std::vector<Cell> grid() {
    std::vector<Cell> cells;
    nothing_found(cells);
    in_progress(cells);
    ended(cells, "completed", completed());
    outcome_unknown(cells);
    ended(cells, "tombstone", tombstone());
    return cells;
}

std::string grid_as_markdown() {
    const auto cells = grid();
    std::string page;
    for (std::size_t i = 0; i < cells.size();) {
        // The columns of a table are those of its first row.
        std::size_t width = 1;
        while (i + width < cells.size() && cells[i + width].table == cells[i].table &&
               cells[i + width].row == cells[i].row)
            ++width;
        page += (page.empty() ? "" : "\n");
        page += "Found: **" + cells[i].table + "**\n\n| request, policy |";
        for (std::size_t column = 0; column < width; ++column)
            page += ' ' + cells[i + column].column + " |";
        page += "\n|---|";
        for (std::size_t column = 0; column < width; ++column) page += "---|";
        page += '\n';
        for (const auto table = cells[i].table; i < cells.size() && cells[i].table == table;
             i += width) {
            page += "| " + cells[i].row + " |";
            for (std::size_t column = 0; column < width; ++column)
                page += ' ' + told(cells[i + column]) + " |";
            page += '\n';
        }
    }
    return page;
}

}  // namespace counterfoil
