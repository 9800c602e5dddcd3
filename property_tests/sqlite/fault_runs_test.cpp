#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <counterfoil/sqlite/guest.hpp>
#include <gtest/gtest.h>
#include <orders.hpp>

#include "sqlite/faulty_vfs.hpp"
#include "sqlite/kit.hpp"

namespace counterfoil {
namespace {

using kit::FaultKind;
using kit::FaultLength;

constexpr std::string_view pen = R"({"sku":"pen","quantity":2})";
constexpr std::string_view more_pens = R"({"sku":"pen","quantity":3})";
constexpr std::array<const char*, 2> busy_or_away{R"(503 {"error":"busy"})",
                                                  R"(503 {"error":"unavailable"})"};

std::string told(const Answer& answer) {
    return std::to_string(answer.status) + " " + order_lab::body_of(answer);
}

bool is_fault(const std::string& answer) {
    return answer == busy_or_away[0] || answer == busy_or_away[1];
}

/// What was asked for, and what was answered to it.
struct Exchange {
    std::string key;
    std::string_view body;
    std::string answer;
};

/// New orders, retries of old and new ones, and two conflicts.
const std::vector<std::pair<std::string, std::string_view>>& requests() {
    static const std::vector<std::pair<std::string, std::string_view>> all{
        {"old", pen},       {"new-1", pen}, {"new-1", pen}, {"new-2", pen},
        {"old", more_pens}, {"new-3", pen}, {"new-1", pen}, {"new-2", more_pens}};
    return all;
}

std::vector<Exchange> placed(order_lab::Orders& orders) {
    std::vector<Exchange> exchanges;
    std::set<std::string> known{"old"};
    for (const auto& [key, body] : requests()) {
        // Of a key that has no order yet, other parameters are as good as any.
        if (body != pen && known.count(key) == 0) continue;
        exchanges.push_back({key, body, told(orders.place("acme", key, body))});
        if (!is_fault(exchanges.back().answer)) known.insert(key);
    }
    return exchanges;
}

class FaultRuns : public testing::TestWithParam<std::tuple<FaultKind, FaultLength>> {
protected:
    FaultRuns() {
        order_lab::Orders orders{original};
        EXPECT_EQ(told(orders.place("acme", "old", pen)), R"(201 {"order_id":1})");
    }

    ~FaultRuns() override { kit::end_faults(); }

    /// A file as it was before the first fault.
    std::filesystem::path fresh() {
        std::filesystem::path file = scratch.file("run-" + std::to_string(++runs));
        std::filesystem::copy_file(original, file);
        return file;
    }

    static sqlite::Settings settings() {
        return {.busy_timeout = std::chrono::milliseconds{20}, .vfs = kit::faulty_vfs()};
    }

    /// Orders over the file; nothing where it can't be opened, which is told as a StoreError.
    static std::unique_ptr<order_lab::Orders> opened(const std::filesystem::path& file) {
        try {
            return std::make_unique<order_lab::Orders>(file, settings());
        } catch (const StoreError&) {
            return nullptr;
        }
    }

    /// The same requests get the same answers wherever one was given, and what one should be
    /// otherwise.
    static void check_answers(order_lab::Orders& orders, const std::vector<Exchange>& before) {
        for (const Exchange& exchange : before) {
            if (is_fault(exchange.answer)) continue;
            EXPECT_EQ(told(orders.place("acme", exchange.key, exchange.body)), exchange.answer);
        }
        const std::vector<Exchange> after = placed(orders);
        EXPECT_EQ(after.size(), requests().size());
        std::map<std::string, std::string> first;
        for (const Exchange& exchange : after) {
            if (exchange.body != pen) {
                EXPECT_EQ(exchange.answer, R"(409 {"error":"key_reused_with_different_payload"})");
                continue;
            }
            EXPECT_EQ(exchange.answer.rfind("201 ", 0), 0U) << exchange.answer;
            EXPECT_EQ(first.emplace(exchange.key, exchange.answer).first->second, exchange.answer);
        }
    }

    static void check_file(const std::filesystem::path& file) {
        EXPECT_EQ(kit::wrong_with_orders(file), std::vector<std::string>{});
    }

    static void check_end(const std::filesystem::path& file, const std::vector<Exchange>& before) {
        check_file(file);
        order_lab::Orders orders{file};
        check_answers(orders, before);
        EXPECT_EQ(orders.count(), 4);
        check_file(file);
    }

    /// Raises n until a run meets no fault, and says how many there were.
    template <class Run>
    void rise(Run run) {
        constexpr int most = 5'000;
        for (int n = 1; n < most; ++n) {
            SCOPED_TRACE("call " + std::to_string(n));
            const bool met_a_fault = run(n);
            if (HasFatalFailure() || HasNonfatalFailure()) return;
            if (!met_a_fault) {
                std::cout << kind << " " << length << ": " << n - 1 << " calls failed in turn\n";
                EXPECT_GT(n, 5);
                return;
            }
        }
        FAIL() << "no run got through";
    }

    const FaultKind kind{std::get<0>(GetParam())};
    const FaultLength length{std::get<1>(GetParam())};
    kit::Scratch scratch;
    int runs{};
    const std::filesystem::path original{scratch.file("original")};
};

TEST_P(FaultRuns, opening_and_placing_orders_and_retrying_them) {
    rise([&](int n) {
        const std::filesystem::path file = fresh();
        std::vector<Exchange> before;
        kit::fail_call(n, kind, length);
        std::unique_ptr<order_lab::Orders> orders = opened(file);
        if (orders) before = placed(*orders);
        const std::int64_t failed = kit::end_faults();
        // The connections that met the faults are as good as new.
        check_file(file);
        if (orders) check_answers(*orders, before);
        orders.reset();
        check_end(file, before);
        return failed > 0;
    });
}

TEST_P(FaultRuns, placing_orders_on_an_open_connection_with_a_log_to_copy) {
    rise([&](int n) {
        const std::filesystem::path file = fresh();
        sqlite::Settings with_checkpoints = settings();
        with_checkpoints.checkpoint_pages = 1;
        auto orders = std::make_unique<order_lab::Orders>(file, with_checkpoints);
        kit::fail_call(n, kind, length);
        const std::vector<Exchange> before = placed(*orders);
        if (length == FaultLength::from_then_on) orders.reset();  // closing meets them too
        const std::int64_t failed = kit::end_faults();
        check_file(file);
        if (orders) check_answers(*orders, before);
        orders.reset();
        check_end(file, before);
        return failed > 0;
    });
}

TEST_P(FaultRuns, making_a_new_file) {
    rise([&](int n) {
        const std::filesystem::path file = scratch.file("new-" + std::to_string(n));
        kit::fail_call(n, kind, length);
        std::unique_ptr<order_lab::Orders> orders = opened(file);
        const std::int64_t failed = kit::end_faults();
        orders.reset();
        order_lab::Orders mended{file};
        EXPECT_EQ(told(mended.place("acme", "old", pen)), R"(201 {"order_id":1})");
        check_end(file, {});
        return failed > 0;
    });
}

TEST_P(FaultRuns, purging) {
    rise([&](int n) {
        const std::filesystem::path file = scratch.file("purge-" + std::to_string(n));
        kit::HandClock clock;
        const counterfoil::Setup setup{.policies = kit::book(), .clock = &clock};
        sqlite::Store store{file, setup, settings()};
        for (const char* key : {"a", "b", "c"}) {
            store.once(kit::request(kit::scope(key)),
                       [](SQLite::Database&) { return kit::answer(201, "done"); });
        }
        clock.set(std::chrono::microseconds{std::chrono::hours{40 * 24}}.count());
        kit::fail_call(n, kind, length);
        const std::string fault =
            kit::fault_of([&] { store.purge({.slice_rows = 1, .pause = 0}); });
        const std::int64_t failed = kit::end_faults();
        EXPECT_TRUE(failed > 0 || fault == "nothing") << fault;
        EXPECT_EQ(fault.find("corrupt"), std::string::npos) << fault;
        store.purge({.pause = 0});
        EXPECT_EQ(kit::number(file, "SELECT count(*) FROM receipts"), 0);
        EXPECT_EQ(kit::text(file, "PRAGMA integrity_check"), "ok");
        return failed > 0;
    });
}

/// What a guest answered within a transaction that was committed stays; what was not committed is
/// gone with its receipt.
TEST_P(FaultRuns, a_guest_s_transactions) {
    const auto place = [](sqlite::Guest& guest, SQLite::Database& rows, const std::string& key) {
        rows.exec("BEGIN IMMEDIATE");
        guest.once(kit::request(kit::scope(key, "create_order")), [&](SQLite::Database& in) {
            in.exec("INSERT INTO orders (tenant, key, sku, quantity) VALUES ('acme', '" + key +
                    "', 'pen', 2)");
            return kit::answer(201, key);
        });
        rows.exec("COMMIT");
    };
    rise([&](int n) {
        const std::filesystem::path file = fresh();
        std::vector<std::string> acknowledged;
        SQLite::Database rows{file.string(), SQLite::OPEN_READWRITE, 20, kit::faulty_vfs()};
        rows.exec("PRAGMA synchronous = FULL");
        sqlite::Guest guest{rows, counterfoil::Setup{.policies = kit::book()}};
        kit::fail_call(n, kind, length);
        for (const char* key : {"g-1", "g-2", "g-1"}) {
            try {
                place(guest, rows, key);
                acknowledged.emplace_back(key);
            } catch (const StoreError&) {
            } catch (const SQLite::Exception&) {  // of the embedder's own statements
            }
            rows.tryExec("ROLLBACK");
        }
        const std::int64_t failed = kit::end_faults();
        check_file(file);
        for (const std::string& key : acknowledged) {
            EXPECT_EQ(kit::number(file, "SELECT count(*) FROM orders WHERE key = '" + key + "'"),
                      1);
        }
        for (const char* key : {"g-1", "g-2"}) place(guest, rows, key);
        EXPECT_EQ(kit::number(file, "SELECT count(*) FROM orders"), 3);
        check_file(file);
        return failed > 0;
    });
}

INSTANTIATE_TEST_SUITE_P(
    , FaultRuns,
    testing::Combine(testing::Values(FaultKind::io_error, FaultKind::disk_full, FaultKind::busy),
                     testing::Values(FaultLength::once, FaultLength::from_then_on)),
    [](const testing::TestParamInfo<FaultRuns::ParamType>& param) {
        std::ostringstream name;
        name << std::get<0>(param.param) << '_' << std::get<1>(param.param);
        return name.str();
    });

/// The fault that the order lab has of its own: a trigger that lets no receipt be written.
TEST(FaultRun, a_receipt_that_can_t_be_written_takes_its_order_with_it) {
    const kit::Scratch scratch;
    const std::filesystem::path file = scratch.file();
    order_lab::Orders orders{file};
    EXPECT_EQ(told(orders.place("acme", "old", pen)), R"(201 {"order_id":1})");
    orders.break_receipts(true);
    for (int time = 0; time < 2; ++time) {
        EXPECT_EQ(told(orders.place("acme", "k", pen)), busy_or_away[1]);
        EXPECT_EQ(told(orders.place("acme", "old", pen)), R"(201 {"order_id":1})");
        EXPECT_EQ(orders.count(), 1);
    }
    orders.break_receipts(false);
    EXPECT_EQ(told(orders.place("acme", "k", pen)), R"(201 {"order_id":2})");
    EXPECT_EQ(kit::wrong_with_orders(file), std::vector<std::string>{});
}

}  // namespace
}  // namespace counterfoil
