#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "ledger.hpp"
#include "line_socket.hpp"
#include "money.hpp"

namespace payments {

/// One call to the provider, which has not heard of it yet.
///
/// Threads: one at a time.
class ProviderCall {
public:
    ProviderCall(LineSocket provider, std::chrono::milliseconds patience)
        : provider_{std::move(provider)}, patience_{patience} {}

    /// From here on it may have charged, whatever is heard of it.
    void send(const std::string& key, const Money& money);

    /// What it says; nothing where it says nothing that is understood, and in time.
    [[nodiscard]] std::optional<ProviderStatus> answer();

private:
    LineSocket provider_;
    std::chrono::milliseconds patience_;
};

/// Calls a provider on a Unix socket.
///
/// Threads: any.
class ProviderClient {
public:
    ProviderClient(std::filesystem::path socket, std::chrono::milliseconds patience)
        : socket_{std::move(socket)}, patience_{patience} {}

    /// Nothing where nobody listens: then it has surely not charged.
    [[nodiscard]] std::optional<ProviderCall> call() const;

private:
    std::filesystem::path socket_;
    std::chrono::milliseconds patience_;
};

}  // namespace payments
