#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

#include <counterfoil/names.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/receipt.hpp>
#include <counterfoil/request.hpp>
#include <counterfoil/sqlite/store.hpp>

namespace storage_bench {

enum class Keys {
    random,   ///< as UUIDv4
    ordered,  ///< as UUIDv7: they rise with time
};

/// Scopes of a hundred tenants, and what an order answers: about 200 bytes.
class Shop {
public:
    explicit Shop(Keys keys, std::uint64_t seed = 1) : keys_{keys}, random_{seed} {}

    /// One that was never given before.
    [[nodiscard]] counterfoil::Scope next_scope();

    /// The request of a scope, its fingerprint made up.
    [[nodiscard]] static counterfoil::Request request(const counterfoil::Scope& scope);

    /// The receipt that an order leaves.
    [[nodiscard]] static counterfoil::Receipt receipt(const counterfoil::Scope& scope,
                                                      counterfoil::Instant now);

    [[nodiscard]] static const counterfoil::Answer& answer();

    /// Writes the order's row and returns its answer.
    [[nodiscard]] static counterfoil::Answer place(const counterfoil::sqlite::Transaction& rows,
                                                   const counterfoil::Scope& scope);

    [[nodiscard]] static counterfoil::PolicyBook policies();

    /// A store with the table of orders.
    [[nodiscard]] static counterfoil::sqlite::Settings settings(
        counterfoil::sqlite::Durability durability);

    /// Fills a file with receipts until it has so many, in large transactions.
    static void fill(const std::filesystem::path& file, std::int64_t receipts, Keys keys,
                     counterfoil::Instant completed_at);

private:
    Keys keys_;
    std::mt19937_64 random_;
    std::uint64_t given_{};
};

}  // namespace storage_bench
