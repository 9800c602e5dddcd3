#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <counterfoil/answer.hpp>
#include <counterfoil/names.hpp>
#include <counterfoil/result.hpp>
#include <counterfoil/sqlite/transaction.hpp>

#include "tokens.hpp"

namespace order_service {

struct Order {
    std::string sku;
    std::int64_t quantity{};
};

/// Reads `{"sku": text of 1 to 100 characters, "quantity": integer from 1 on}`. Other members are
/// ignored; who orders is none of the body's business.
///
/// Errors: a sentence for whoever sent it.
[[nodiscard]] counterfoil::Result<Order, std::string> parse_order(std::string_view body);

/// Makes the table of orders, where there is none.
///
/// It has a unique key of its own, which is the last line of defence: should a receipt be lost,
/// there is still no second order of its key. Orders without a key are not bound by it.
void make_table(SQLite::Database& rows);

/// Writes an order's row and gives the answer, 201 with `{"order_id":1,"status":"created"}`.
///
/// Where the key has an order already, the answer is made from that one: the same 201 where it is
/// the same user's and says the same, and 422 where it does not.
///
/// Errors: SQLite::Exception.
[[nodiscard]] counterfoil::Answer insert(const counterfoil::sqlite::Transaction& rows,
                                         const Identity& who,
                                         const std::optional<counterfoil::Key>& key,
                                         const Order& order);

/// Reads what is committed, by a connection of its own that can't write.
///
/// Threads: any, one after the other.
class OrderReader {
public:
    /// Errors: StoreError, unavailable.
    OrderReader(const std::filesystem::path& file, std::chrono::milliseconds busy_timeout);
    ~OrderReader();
    OrderReader(const OrderReader&) = delete;
    OrderReader& operator=(const OrderReader&) = delete;

    /// An order of a tenant's own.
    ///
    /// Errors: StoreError, unavailable.
    [[nodiscard]] std::optional<Order> find(const counterfoil::Tenant& tenant, std::int64_t id);

    /// Reads something, to see whether that is possible.
    ///
    /// Errors: StoreError, unavailable.
    void probe();

private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace order_service
