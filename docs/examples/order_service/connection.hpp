#pragma once

#include <functional>
#include <memory>

#include <boost/asio/ip/tcp.hpp>

#include "server.hpp"

// Between server.cpp and connection.cpp; nobody else includes it.
namespace order_service {

/// One connection, from its first byte to its last.
///
/// Threads: the one that its socket's context runs on.
class Connection {
public:
    using Answered = std::function<void(const counterfoil::Answer&)>;

    /// What a connection needs of its server, which outlives it.
    struct Surroundings {
        const ServerSettings& settings;
        ServerCounts& counts;
        /// Has a request handled elsewhere, and the answer brought back to the connection's thread.
        std::function<void(Incoming, Answered)> handle;
        std::function<void(const std::shared_ptr<Connection>&)> over;  ///< called once, at the end
    };

    Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    virtual ~Connection() = default;

    /// Answers one request after the other.
    virtual void serve() = 0;
    /// Answers 503, whatever comes.
    virtual void turn_away() = 0;
    /// Ends it after the request that has begun; at once where none has.
    virtual void drain() = 0;
    /// Ends it at once.
    virtual void cut() = 0;
};

[[nodiscard]] std::shared_ptr<Connection> make_connection(
    boost::asio::ip::tcp::socket socket, const Connection::Surroundings& surroundings);

}  // namespace order_service
