// Several at a time on one file: threads, a purge beside a writer, a reader that stays.

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>
#include <counterfoil/sqlite/receipt_rows.hpp>
#include <counterfoil/store/clock.hpp>

#include "raw_orders.hpp"
#include "sections.hpp"

namespace storage_bench {

namespace {

namespace cf = counterfoil;
namespace fs = std::filesystem;
using cf::sqlite::Durability;
using Milliseconds = std::chrono::duration<double, std::milli>;

/// How often one thread had its turn, and how long it waited for one at most.
struct Turns {
    std::uint64_t times{};
    Milliseconds longest{};
};

Turns creates_until(Deadline deadline, Ours& ours, Shop& shop) {
    Turns turns;
    for (; before(deadline); ++turns.times) {
        const cf::Scope scope = shop.next_scope();
        const auto start = std::chrono::steady_clock::now();
        ours.create(scope);
        turns.longest =
            std::max<Milliseconds>(turns.longest, std::chrono::steady_clock::now() - start);
    }
    return turns;
}

/// What the threads of all rounds came to.
struct Fairness {
    double slowest_to_fastest{1};
    Milliseconds longest{};

    void add(const std::vector<Turns>& round) {
        const auto [slowest, fastest] =
            std::minmax_element(round.begin(), round.end(),
                                [](const Turns& a, const Turns& b) { return a.times < b.times; });
        slowest_to_fastest = std::min(slowest_to_fastest, static_cast<double>(slowest->times) /
                                                              static_cast<double>(fastest->times));
        for (const Turns& turns : round) longest = std::max(longest, turns.longest);
    }
};

void print_fact(const std::string& what, const std::string& value) {
    std::cout << "\n" << what << ": **" << value << "**\n" << std::flush;
}

std::uint64_t bytes_of(const fs::path& file) {
    return fs::file_size(file);
}

/// The size of a file with nothing in it but the receipts of another, under a schema.
std::uint64_t bytes_under(const fs::path& file, const fs::path& from, bool only_unique) {
    {
        SQLite::Database made{file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
        made.exec("ATTACH '" + from.string() + "' AS theirs");
        SQLite::Statement schema{made,
                                 "SELECT sql FROM theirs.sqlite_schema WHERE tbl_name = 'receipts' "
                                 "AND sql IS NOT NULL AND (type = 'table' OR ?) ORDER BY rowid"};
        schema.bind(1, only_unique ? 0 : 1);
        std::vector<std::string> statements;
        while (schema.executeStep()) statements.push_back(schema.getColumn(0).getString());
        schema.reset();
        for (const std::string& sql : statements) made.exec(sql);
        const std::string columns =
            std::string{cf::sqlite::receipt_columns} + ", tenant, operation, key";
        made.exec("INSERT INTO main.receipts (" + columns + ") SELECT " + columns +
                  " FROM theirs.receipts ORDER BY rowid");
    }
    return bytes_of(file);
}

void growth_with(const Scratch& scratch, Keys keys, const std::string& kind) {
    constexpr std::int64_t few = 10'000;
    constexpr std::int64_t many = 1'000'000;
    const cf::Instant now = cf::system_clock().now();
    Shop::fill(scratch.file("few"), few, keys, now);
    Shop::fill(scratch.file("many"), many, keys, now);
    if (keys == Keys::random) {
        const auto ours =
            static_cast<double>(bytes_under(scratch.file("all"), scratch.file("many"), false));
        const auto unique =
            static_cast<double>(bytes_under(scratch.file("unique"), scratch.file("many"), true));
        print_fact("Bytes a receipt, of which about 200 are its answer",
                   with_digits(ours / many, 0) + ", " + with_digits(ours / unique, 2) +
                       " of a table with the same columns and no index but the unique one");
        fs::remove(scratch.file("all"));
        fs::remove(scratch.file("unique"));
    }
    Ours small{scratch.file("few"), Durability::full};
    Ours large{scratch.file("many"), Durability::full};
    Shop small_shop{keys, 11};
    Shop large_shop{keys, 12};
    // Keys that go on rising where those of the file ended.
    if (keys == Keys::ordered) {
        for (std::int64_t i = 0; i < many; ++i) {
            if (i < few) static_cast<void>(small_shop.next_scope());
            static_cast<void>(large_shop.next_scope());
        }
    }
    const std::vector<Variant> variants{{"10^4 receipts", our_creates(small, small_shop)},
                                        {"10^6 receipts", our_creates(large, large_shop)}};
    print("create at synchronous=FULL, " + kind, variants, alternate(variants), 0);
}

}  // namespace

void threads(const Scratch& scratch) {
    Ours one{scratch.file("one"), Durability::full};
    Ours eight{scratch.file("eight"), Durability::full};
    Shop one_shop{Keys::random, 21};
    std::vector<std::unique_ptr<Shop>> shops;
    for (std::uint64_t i = 0; i < 8; ++i) {
        shops.push_back(std::make_unique<Shop>(Keys::random, 30 + i));
    }
    Fairness fairness;
    const std::vector<Variant> variants{
        {"one thread", our_creates(one, one_shop)},
        {"8 threads", [&](Deadline deadline) {
             std::vector<Turns> round(shops.size());
             {
                 std::vector<std::jthread> running;
                 for (std::size_t i = 0; i < shops.size(); ++i) {
                     running.emplace_back(
                         [&, i] { round[i] = creates_until(deadline, eight, *shops[i]); });
                 }
             }
             fairness.add(round);
             std::uint64_t total = 0;
             for (const Turns& turns : round) total += turns.times;
             return total;
         }}};
    print("8 threads on one file, create at synchronous=FULL", variants, alternate(variants), 0);
    // A busy error would have ended the program.
    print_fact("Slowest thread to fastest, in the worst round",
               with_digits(fairness.slowest_to_fastest, 2));
    print_fact("Longest wait of any call", with_digits(fairness.longest.count(), 1) + " ms");
    print_fact("Calls that were busy", "0");
}

void growth(const Scratch& scratch) {
    growth_with(scratch, Keys::random, "random keys");
    growth_with(scratch, Keys::ordered, "keys that rise with time");
}

void purge(const Scratch& scratch) {
    constexpr std::int64_t due = 100'000;
    constexpr std::int64_t fresh = 900'000;
    const fs::path file = scratch.file("purge");
    const cf::Instant now = cf::system_clock().now();
    const cf::Span long_ago{std::chrono::hours{24 * 40}};
    Shop::fill(file, due, Keys::random, now - long_ago);
    {
        // The second filling draws other keys than the first.
        Ours ours{file, Durability::off};
        Shop shop{Keys::random, 99};
        for (std::int64_t done = 0; done < fresh;) {
            ours.store.write([&](const cf::sqlite::Transaction& rows) {
                cf::sqlite::ReceiptRows table{rows.database()};
                for (int i = 0; i < 10'000; ++i, ++done) {
                    static_cast<void>(table.insert(Shop::receipt(shop.next_scope(), now)));
                }
            });
        }
    }
    Ours ours{file, Durability::full};
    Shop shop{Keys::random, 41};
    std::vector<double> alone;
    std::vector<double> beside;
    Milliseconds longest_alone{};
    Milliseconds longest_beside{};
    const auto rounds = [&](std::vector<double>& rates, Milliseconds& longest, auto&& go_on) {
        while (go_on()) {
            const auto start = std::chrono::steady_clock::now();
            const Turns turns = creates_until(start + std::chrono::seconds{1}, ours, shop);
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            rates.push_back(static_cast<double>(turns.times) / elapsed.count());
            longest = std::max(longest, turns.longest);
        }
    };
    const auto five_times = [&] { return [left = 5]() mutable { return left-- > 0; }; };
    rounds(alone, longest_alone, five_times());
    std::atomic<bool> done{false};
    cf::sqlite::PurgeReport report;
    const auto start = std::chrono::steady_clock::now();
    std::chrono::duration<double> took{};
    {
        const std::jthread purging{[&] {
            report = ours.store.purge();
            took = std::chrono::steady_clock::now() - start;
            done = true;
        }};
        rounds(beside, longest_beside, [&] { return !done.load(); });
    }
    rounds(alone, longest_alone, five_times());

    std::cout << "\n### purge of 10^5 out of 10^6 receipts beside a writer at FULL\n\n"
              << "| writer | creates a second | ratio | longest wait |\n| --- | --- | --- | --- |\n"
              << "| alone | " << with_digits(median(alone), 0) << " | 1 | "
              << with_digits(longest_alone.count(), 1) << " ms |\n| beside the purge | "
              << with_digits(median(beside), 0) << " | **"
              << with_digits(median(beside) / median(alone), 2) << "** | "
              << with_digits(longest_beside.count(), 1) << " ms |\n";
    print_fact("Purged",
               std::to_string(report.purged) + " in " + with_digits(took.count(), 1) + " s, " +
                   with_digits(static_cast<double>(report.purged) / took.count(), 0) + " a second");
}

void held_reader(const Scratch& scratch) {
    { const Ours made{scratch.file("raw_free"), Durability::full}; }
    { const Ours made{scratch.file("raw_held"), Durability::full}; }
    RawOrders raw_free{scratch.file("raw_free").string(), "FULL"};
    RawOrders raw_held{scratch.file("raw_held").string(), "FULL"};
    Ours free{scratch.file("free"), Durability::full};
    Ours held{scratch.file("held"), Durability::full};
    std::vector<std::unique_ptr<SQLite::Database>> readers;
    for (const char* name : {"raw_held", "held"}) {
        readers.push_back(
            std::make_unique<SQLite::Database>(scratch.file(name).string(), SQLite::OPEN_READONLY));
        readers.back()->exec("BEGIN; SELECT count(*) FROM receipts");
    }
    std::vector<std::unique_ptr<Shop>> shops;
    for (std::uint64_t i = 0; i < 4; ++i) {
        shops.push_back(std::make_unique<Shop>(Keys::random, 50 + i));
    }
    const auto raw_creates = [](RawOrders& raw, Shop& shop) {
        return [&](Deadline deadline) {
            std::uint64_t times = 0;
            for (; before(deadline); ++times) {
                raw.create(Shop::receipt(shop.next_scope(), cf::system_clock().now()));
            }
            return times;
        };
    };
    const std::vector<Variant> variants{{"counterfoil", our_creates(free, *shops[0])},
                                        {"counterfoil, reader", our_creates(held, *shops[1])},
                                        {"raw", raw_creates(raw_free, *shops[2])},
                                        {"raw, reader", raw_creates(raw_held, *shops[3])}};
    const Rounds rounds = alternate(variants);
    print("one reader held open, create at synchronous=FULL", variants, rounds, 0);
    print_fact("Raw with a reader to raw without", with_digits(ratio(rounds, 3, 2), 2));
    print_fact(
        "Write-ahead log after the run",
        with_digits(static_cast<double>(bytes_of(scratch.file("held-wal"))) / 1e6, 0) + " MB");
}

}  // namespace storage_bench
