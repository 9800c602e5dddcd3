#include "provider_client.hpp"

#include <utility>

#include <boost/json.hpp>

namespace payments {

void ProviderCall::send(const std::string& key, const Money& money) {
    // Where it can't be sent there won't be an answer either, and some of it may have arrived.
    static_cast<void>(provider_.send(boost::json::serialize(boost::json::object{
        {"key", key}, {"amount", money.amount}, {"currency", money.currency}})));
}

std::optional<ProviderStatus> ProviderCall::answer() {
    const std::optional<std::string> line = provider_.receive(patience_);
    if (line == R"({"status":"succeeded"})") return ProviderStatus::succeeded;
    if (line == R"({"status":"refused"})") return ProviderStatus::refused;
    return std::nullopt;
}

std::optional<ProviderCall> ProviderClient::call() const {
    std::optional<LineSocket> provider = connect_to(socket_);
    if (!provider) return std::nullopt;
    return std::make_optional<ProviderCall>(*std::move(provider), patience_);
}

}  // namespace payments
