#pragma once

#include <cstdint>
#include <thread>
#include <utility>

#include <server.hpp>

namespace order_service::kit {

/// A server in this process, on a port of its own. Stopped at the end.
class LocalServer {
public:
    explicit LocalServer(Handler handler, ServerSettings settings = {})
        : server_{std::move(settings), std::move(handler), counts}, thread_{[this] {
              server_.run();
          }} {}

    LocalServer(const LocalServer&) = delete;
    LocalServer& operator=(const LocalServer&) = delete;

    ~LocalServer() { stop(); }

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

    void begin_to_stop() { server_.stop(); }

    /// Returns once run() has.
    void stop() {
        server_.stop();
        if (thread_.joinable()) thread_.join();
    }

    ServerCounts counts;

private:
    Server server_;
    std::thread thread_;
};

/// Says back what arrived: `POST /a body`, and the body's absence as `-`.
inline counterfoil::Answer echo(const Incoming& incoming) {
    return {.status = 200,
            .fields = {{"Content-Type", "text/plain"}},
            .body = counterfoil::body::Bytes{incoming.method + ' ' + incoming.target + ' ' +
                                             incoming.body.value_or("-")}};
}

}  // namespace order_service::kit
