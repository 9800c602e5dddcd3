#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <child.hpp>

#include "order_service/client.hpp"
#include "sqlite/kit.hpp"

namespace order_service::kit {

/// What a client is let in by, as the value of Authorization.
constexpr std::string_view anna_of_acme = "Bearer anna-0123456789abcdef";
constexpr std::string_view bert_of_acme = "Bearer bert-0123456789abcdef";
constexpr std::string_view zeta = "Bearer zeta-0123456789abcdef";

constexpr std::string_view pen = R"({"sku":"pen","quantity":2})";
constexpr std::string_view pen_respelt = R"({ "quantity": 2.0, "sku": "p\u0065n" })";
constexpr std::string_view more_pens = R"({"sku":"pen","quantity":3})";

/// `POST /orders`, as text. Without a key where it is empty.
[[nodiscard]] std::string order(std::string_view key, std::string_view body = pen,
                                std::string_view who = anna_of_acme);

/// The program, running on a database of its own folder.
///
/// Threads: one at a time, but for port().
class RunningService {
public:
    /// Starts it, and waits until it listens.
    ///
    /// Errors: std::runtime_error where it doesn't.
    explicit RunningService(std::vector<std::string> flags = {"--durability", "off"});

    [[nodiscard]] std::uint16_t port() const { return port_; }

    /// Sends one request over a connection of its own.
    [[nodiscard]] std::optional<Received> ask(std::string_view request) const;

    void terminate() { process_->terminate(); }

    /// With SIGKILL, and waits until it is over.
    void kill();

    /// Waits until it is over, and gives its status as waitpid() says it.
    int wait() { return process_->wait(); }

    /// Starts it again, where it is over, on the same database.
    void start();

    [[nodiscard]] std::filesystem::path file(std::string_view name = "orders.db") const {
        return scratch_.file(name);
    }

    [[nodiscard]] std::int64_t orders() const;
    [[nodiscard]] std::int64_t receipts() const;

private:
    counterfoil::kit::Scratch scratch_;
    std::vector<std::string> flags_;
    std::unique_ptr<payments::Child> process_;
    std::uint16_t port_{};
};

/// Runs the program to its end and gives its exit code.
[[nodiscard]] int exit_code_of(std::vector<std::string> words);

}  // namespace order_service::kit
