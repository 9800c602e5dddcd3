#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <counterfoil/answer.hpp>
#include <counterfoil/sqlite/store.hpp>

namespace order_lab {

/// Orders in a SQLite file. Placing one is safe to retry: a key makes one order for a tenant.
///
/// | what comes                               | answer                                         |
/// |------------------------------------------|------------------------------------------------|
/// | a new key                                | 201 `{"order_id":N}`                           |
/// | the same key and parameters              | the same answer, byte for byte                 |
/// | the same key, other parameters           | 409 `{"error":"key_reused_with_different_payload"}`
/// | | a bad key or sku                         | 400 `{"error":"invalid_key_or_sku"}`           |
/// | a bad quantity                           | 400 `{"error":"invalid_quantity"}`             |
/// | what is no JSON object                   | 400 `{"error":"invalid_body"}`                 |
/// | the database is busy or away             | 503 `{"error":"busy"}`, `{"error":"unavailable"}` |
///
/// Threads: any.
class Orders {
public:
    /// Errors: counterfoil::StoreError.
    explicit Orders(const std::filesystem::path& file, counterfoil::sqlite::Settings settings = {});

    /// Places an order for `{"sku": text, "quantity": integer}`. Members in any order and white
    /// space make no difference; others than these two are ignored.
    [[nodiscard]] counterfoil::Answer place(std::string_view tenant, std::string_view key,
                                            std::string_view body);

    [[nodiscard]] std::int64_t count();

    /// Makes each write of a receipt fail, or lets them through again. For the lab.
    void break_receipts(bool broken);

    [[nodiscard]] counterfoil::sqlite::Store& store() { return store_; }

private:
    counterfoil::sqlite::Store store_;
};

/// The body of an answer as text; empty where it has none.
[[nodiscard]] std::string body_of(const counterfoil::Answer& answer);

}  // namespace order_lab
