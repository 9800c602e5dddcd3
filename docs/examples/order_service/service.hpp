#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <counterfoil/answer.hpp>
#include <counterfoil/http/adapter.hpp>
#include <counterfoil/sqlite/settings.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <counterfoil/store/metrics.hpp>

#include "access_log.hpp"
#include "incoming.hpp"
#include "order_rows.hpp"
#include "server.hpp"
#include "tokens.hpp"

namespace order_service {

struct ServiceSettings {
    std::filesystem::path file;
    counterfoil::sqlite::Durability durability{};
    std::chrono::milliseconds busy_timeout{5'000};
    std::size_t connections{4};  ///< to the database; at least 2
    /// How long it takes to ask a warehouse, which isn't there, whether it has the goods. That is
    /// no work for a transaction: an order is claimed, then asked about, then written.
    std::chrono::milliseconds stock_check{0};
    /// Orders are written without a key and without a receipt. There to be compared with, by the
    /// benchmark: a retry makes a second order.
    bool without_counterfoil{};
};

/// What the server serves.
///
/// | request           | token | answer                                                           |
/// |-------------------|-------|------------------------------------------------------------------|
/// | POST /orders      | yes   | 201; what http::Adapter says of keys, with `Idempotent-Replay:   |
/// |                   |       | true` in a replay; 400 for what is no order                      |
/// | GET /orders/{id}  | yes   | 200; 404 for another tenant's as for none                        |
/// | GET /healthz      | no    | 200 where the database can be read, else 503                     |
/// | GET /metrics      | no    | 200, in Prometheus' text format                                  |
///
/// Order, receipt and stored answer are committed in one transaction, whether or not the receipt
/// was claimed before, for a check of the stock. Each request leaves a line in the access log.
///
/// Threads: any.
class Service {
public:
    /// Requires: `counts` outlives it.
    /// Errors:   StoreError.
    Service(const ServiceSettings& settings, Tokens tokens, AccessLog log,
            const ServerCounts& counts);

    [[nodiscard]] counterfoil::Answer handle(const Incoming& incoming);

    /// Logs what the server answered by itself.
    void log_refusal(std::string_view peer, int status);

private:
    /// What is known of a request beside itself.
    struct Call {
        const Incoming& incoming;
        std::string request_id;
        std::string tenant{};  ///< once somebody is let in
    };

    [[nodiscard]] std::string next_request_id();
    [[nodiscard]] counterfoil::Answer answer(Call& call);
    [[nodiscard]] counterfoil::Answer answer_about_orders(Call& call);
    [[nodiscard]] counterfoil::Answer place(const Call& call, const Identity& who);
    [[nodiscard]] counterfoil::Answer place_once(const counterfoil::http::Request& request,
                                                 const Identity& who, const Order& order);
    [[nodiscard]] counterfoil::Answer place_claimed(const counterfoil::http::Request& request,
                                                    const Identity& who, const Order& order);
    [[nodiscard]] counterfoil::Answer place_without_key(const Identity& who, const Order& order);
    [[nodiscard]] counterfoil::Answer show(std::string_view id, const Identity& who);
    [[nodiscard]] counterfoil::Answer health();
    [[nodiscard]] counterfoil::Answer metrics() const;

    Tokens tokens_;
    AccessLog log_;
    const ServerCounts& counts_;
    bool without_counterfoil_;
    std::chrono::milliseconds stock_check_;
    std::string run_id_;
    std::atomic<std::uint64_t> requests_{};
    counterfoil::Metrics metrics_;
    counterfoil::sqlite::Store store_;
    counterfoil::http::Adapter adapter_;
    OrderReader reader_;
};

}  // namespace order_service
