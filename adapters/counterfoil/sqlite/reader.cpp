#include "counterfoil/sqlite/reader.hpp"

#include <numeric>
#include <system_error>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include "counterfoil/describe.hpp"
#include "counterfoil/sqlite/attempt_rows.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/receipt_rows.hpp"
#include "counterfoil/sqlite/resolution_rows.hpp"
#include "counterfoil/sqlite/schema.hpp"
#include "counterfoil/sqlite/statement_cache.hpp"

namespace counterfoil::sqlite {

namespace {

constexpr std::size_t row_column = 26;  // behind receipt_columns and scope_columns

SQLite::Database opened(const std::filesystem::path& file, std::chrono::milliseconds timeout) {
    const std::string name = "'" + escaped(file.string()) + "'";
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) {
        throw StoreError{StoreFault::refused, name + " is a folder"};
    }
    return translated("opening " + name, [&] {
        SQLite::Database database{file.string(), SQLite::OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                                  static_cast<int>(timeout.count())};
        sqlite3_extended_result_codes(database.getHandle(), 1);
        switch (kind_of(database)) {
            case FileKind::ours: return database;
            case FileKind::older:
                throw StoreError{StoreFault::refused,
                                 name +
                                     " has an older schema: `counterfoil init` brings it up to "
                                     "date"};
            case FileKind::unmarked: break;
        }
        throw StoreError{StoreFault::refused, name + " holds no receipts of Counterfoil"};
    });
}

/// A SELECT over receipts, its conditions and what is bound to them.
class Query {
public:
    void where(const std::string& condition) {
        conditions_ += (conditions_.empty() ? " WHERE " : " AND ") + condition;
    }

    void where(const std::string& condition, const std::string& text) {
        where(condition);
        texts_.emplace_back(++bound_, text);
    }

    void where(const std::string& condition, std::int64_t number) {
        where(condition);
        numbers_.emplace_back(++bound_, number);
    }

    [[nodiscard]] SQLite::Statement prepared(SQLite::Database& database, int limit) const {
        SQLite::Statement statement{database, std::string{"SELECT "}
                                                  .append(receipt_columns)
                                                  .append(", ")
                                                  .append(scope_columns)
                                                  .append(", rowid FROM receipts")
                                                  .append(conditions_)
                                                  .append(" ORDER BY rowid DESC LIMIT ")
                                                  .append(std::to_string(limit))};
        for (const auto& [index, text] : texts_) statement.bind(index, text);
        for (const auto& [index, number] : numbers_) statement.bind(index, number);
        return statement;
    }

private:
    std::string conditions_;
    int bound_{};
    std::vector<std::pair<int, std::string>> texts_;
    std::vector<std::pair<int, std::int64_t>> numbers_;
};

std::int64_t microseconds(Instant at) {
    return at.time_since_epoch().count();
}

/// The first text, in the order of bytes, after all that begin with a prefix; empty if there is
/// none.
std::string after_all(std::string prefix) {
    constexpr char last = '\xff';
    while (!prefix.empty() && prefix.back() == last) prefix.pop_back();
    if (!prefix.empty()) ++prefix.back();
    return prefix;
}

Query query_of(const ReceiptFilter& filter, std::optional<std::int64_t> below) {
    Query query;
    if (below) query.where("rowid < ?", *below);
    if (filter.tenant) query.where("tenant = ?", filter.tenant->text());
    if (filter.operation) query.where("operation = ?", filter.operation->text());
    if (!filter.key_prefix.empty()) {
        // From the prefix up to what follows all that begin with it, so that the index serves it.
        query.where("key >= ?", filter.key_prefix);
        if (const std::string end = after_all(filter.key_prefix); !end.empty()) {
            query.where("key < ?", end);
        }
    }
    if (filter.state) query.where("state = ?", *filter.state);
    if (filter.created_from) query.where("created_at_us >= ?", microseconds(*filter.created_from));
    if (filter.created_before) {
        query.where("created_at_us < ?", microseconds(*filter.created_before));
    }
    if (filter.lapsed_at) {
        query.where("completed_at_us IS NULL");  // the partial index of what is open
        query.where("state = 'in_progress'");
        query.where("lease_end_us <= ?", microseconds(*filter.lapsed_at));
    }
    return query;
}

ListedReceipt read_listed(const Columns& columns) {
    ListedReceipt listed{.row = columns[row_column].getInt64()};
    try {
        listed.receipt = read_receipt(columns, read_scope(columns));
    } catch (const StoreError& error) {
        listed.fault = error.what();
    }
    return listed;
}

std::optional<Instant> optional_instant(const SQLite::Column& column) {
    if (column.isNull()) return std::nullopt;
    return Instant{Span{column.getInt64()}};
}

std::uint64_t size(const SQLite::Column& column) {
    return static_cast<std::uint64_t>(column.getInt64());
}

}  // namespace

std::uint64_t FileStats::receipts() const {
    return std::accumulate(by_age.begin(), by_age.end(), std::uint64_t{0});
}

const std::vector<Span>& age_limits() {
    using std::chrono::hours;
    static const std::vector<Span> limits{std::chrono::minutes{1}, hours{1}, hours{24},
                                          hours{24 * 7}, hours{24 * 30}};
    return limits;
}

struct Reader::Parts {
    Parts(std::filesystem::path given, std::chrono::milliseconds timeout)
        : file{std::move(given)}, database{opened(file, timeout)}, rows{database} {}

    void count_states(FileStats& stats) const {
        SQLite::Statement states{database,
                                 "SELECT state, count(*), min(created_at_us), max(created_at_us), "
                                 "total(length(body)), count(hold_since_us) FROM receipts GROUP BY "
                                 "state"};
        while (states.executeStep()) {
            stats.states[states.getColumn(0).getString()] = size(states.getColumn(1));
            const std::optional<Instant> oldest = optional_instant(states.getColumn(2));
            const std::optional<Instant> newest = optional_instant(states.getColumn(3));
            if (!stats.oldest_created || oldest < stats.oldest_created) {
                stats.oldest_created = oldest;
            }
            stats.newest_created = std::max(stats.newest_created, newest);
            stats.body_bytes += size(states.getColumn(4));
            stats.held += size(states.getColumn(5));
        }
    }

    void count_open_and_due(FileStats& stats, Instant now) const {
        SQLite::Statement open{
            database,
            "SELECT count(*) FILTER (WHERE state = 'in_progress' AND lease_end_us <= ?), "
            "min(CASE state WHEN 'unknown' THEN since_us END) "
            "FROM receipts WHERE completed_at_us IS NULL"};
        open.bind(1, microseconds(now));
        open.executeStep();
        stats.lapsed = size(open.getColumn(0));
        stats.oldest_unresolved = optional_instant(open.getColumn(1));

        SQLite::Statement due{database,
                              "SELECT count(*), min(due_at_us) FROM receipts WHERE due_at_us <= ?"};
        due.bind(1, microseconds(now));
        due.executeStep();
        stats.due = size(due.getColumn(0));
        stats.oldest_due = optional_instant(due.getColumn(1));
    }

    void count_ages(FileStats& stats, Instant now) const {
        stats.by_age.assign(age_limits().size() + 1, 0);
        SQLite::Statement ages{database,
                               "SELECT count(*) FROM receipts WHERE created_at_us > ? AND "
                               "created_at_us <= ?"};
        Instant younger = Instant::max();
        for (std::size_t i = 0; i < stats.by_age.size(); ++i) {
            const Instant older =
                i < age_limits().size() ? now - age_limits().at(i) : Instant::min();
            ages.bind(1, microseconds(older));
            ages.bind(2, microseconds(younger));
            ages.executeStep();
            stats.by_age[i] = size(ages.getColumn(0));
            ages.reset();
            younger = older;
        }
    }

    void check_file(const std::function<void(const std::string& fault)>& tell) const {
        translated("checking the file", [&] {
            SQLite::Statement check{database, "PRAGMA integrity_check"};
            while (check.executeStep()) {
                const std::string found = check.getColumn(0).getString();
                if (found != "ok") tell("SQLite: " + found);
            }
        });
    }

    std::filesystem::path file;
    SQLite::Database database;
    ReceiptRows rows;
    StatementCache statements{database};
};

Reader::Reader(const std::filesystem::path& file, std::chrono::milliseconds busy_timeout)
    : parts_{translated("opening '" + escaped(file.string()) + "'",
                        [&] { return std::make_unique<Parts>(file, busy_timeout); })} {}

Reader::~Reader() = default;

std::optional<Receipt> Reader::find(const Scope& scope) {
    return parts_->rows.find(scope);
}

std::vector<Attempt> Reader::attempts(const Scope& scope, int limit) {
    return find_attempts(parts_->statements, scope, limit);
}

void Reader::for_each_attempt(Instant from, Instant before,
                              const std::function<void(const Attempt&)>& tell) {
    sqlite::for_each_attempt(parts_->statements, from, before, tell);
}

std::vector<ResolutionRecord> Reader::resolutions(const Scope& scope) {
    return find_resolutions(parts_->statements, scope);
}

std::vector<ListedReceipt> Reader::list(const ReceiptFilter& filter,
                                        std::optional<std::int64_t> below, int limit) {
    return translated("listing receipts", [&] {
        SQLite::Statement statement = query_of(filter, below).prepared(parts_->database, limit);
        std::vector<ListedReceipt> page;
        Columns columns;
        while (statement.executeStep()) {
            if (columns.empty()) columns = columns_of(statement);
            page.push_back(read_listed(columns));
        }
        return page;
    });
}

FileStats Reader::stats(Instant now) {
    return translated("counting receipts", [&] {
        FileStats stats;
        parts_->database.exec("BEGIN");  // so that all counts are of one moment
        try {
            parts_->count_states(stats);
            parts_->count_open_and_due(stats, now);
            parts_->count_ages(stats, now);
        } catch (...) {
            parts_->database.tryExec("ROLLBACK");
            throw;
        }
        parts_->database.exec("ROLLBACK");

        std::error_code absent;
        const auto bytes_of = [&](const std::filesystem::path& path) {
            const auto bytes = std::filesystem::file_size(path, absent);
            return absent ? 0 : bytes;
        };
        stats.file_bytes = bytes_of(parts_->file);
        stats.log_bytes = bytes_of(parts_->file.string() + "-wal");
        return stats;
    });
}

std::uint64_t Reader::verify(const std::function<void(const std::string& fault)>& tell) {
    // What is damaged so that SQLite gives up is a fault like any other.
    const auto tell_corrupt = [&](const std::function<void()>& check) {
        try {
            check();
        } catch (const StoreError& error) {
            if (error.fault() != StoreFault::corrupt) throw;
            tell(error.what());
        }
    };
    std::uint64_t read = 0;
    tell_corrupt([&] { parts_->check_file(tell); });
    tell_corrupt([&] { read_all(tell, read); });
    return read;
}

void Reader::read_all(const std::function<void(const std::string& fault)>& tell,
                      std::uint64_t& read) {
    constexpr int page_size = 500;
    std::optional<std::int64_t> below;
    for (bool more = true; more;) {
        const std::vector<ListedReceipt> page = list({}, below, page_size);
        for (const ListedReceipt& listed : page) {
            if (!listed.receipt) tell("row " + std::to_string(listed.row) + ": " + listed.fault);
            below = listed.row;
        }
        read += page.size();
        more = page.size() == page_size;
    }
}

}  // namespace counterfoil::sqlite
