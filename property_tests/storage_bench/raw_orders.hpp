#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <counterfoil/receipt.hpp>
#include <sqlite3.h>

namespace storage_bench {

/// The work of the orders, written as one would against the raw C API: the same schema, pragmas and
/// rows, statements prepared once, and no library.
class RawOrders {
public:
    /// Opens a file that the library has made. `synchronous`: FULL or OFF.
    RawOrders(const std::string& file, const std::string& synchronous);

    /// BEGIN IMMEDIATE, look for the receipt, write order and receipt, COMMIT.
    void create(const counterfoil::Receipt& receipt);

    /// The same with a plain read of the receipt before the lock is taken, as whoever answers
    /// replays without it has to.
    void read_then_create(const counterfoil::Receipt& receipt);

    /// What a claim and its completion write: the receipt in progress, committed; then, in a second
    /// transaction, order and receipt.
    void claim_and_complete(const counterfoil::Receipt& receipt);

    /// Looks for the receipt and reads every column of it.
    ///
    /// Returns: how many bytes there were.
    std::uint64_t replay(const counterfoil::Scope& scope);

    /// A row in a table of its own, committed: what the disk allows.
    void bare_insert();

private:
    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    };

    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };

    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    Statement prepared(const std::string& sql);
    void exec(const std::string& sql);
    void run(sqlite3_stmt* statement);
    void must_be_absent(const counterfoil::Scope& scope);
    void place_order(const counterfoil::Scope& scope);
    static void bind_head(sqlite3_stmt* statement, const counterfoil::Receipt& receipt,
                          const std::string& state);
    static void bind_completed(sqlite3_stmt* statement, const counterfoil::Receipt& receipt);

    std::unique_ptr<sqlite3, Close> database_;
    Statement begin_, commit_, find_, order_, receipt_, complete_, bare_;
};

}  // namespace storage_bench
