#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/answer.hpp>

#include "incoming.hpp"

namespace order_service {

/// What a client can make the server hold, and for how long.
struct Limits {
    std::size_t header_bytes{8'192};  ///< request line and fields; more is answered 431
    std::size_t body_bytes{65'536};   ///< more is answered 413, unread where it says so beforehand
    /// From the first byte of a request to its last. Nobody keeps a connection by sending slowly.
    std::chrono::milliseconds read_timeout{10'000};
    std::chrono::milliseconds write_timeout{10'000};  ///< for an answer to be taken
    std::chrono::milliseconds idle_timeout{60'000};   ///< from an answer to the next request
    /// How long what still comes is thrown away after an answer that ends a connection, so that the
    /// client sees the answer and not a reset.
    std::chrono::milliseconds linger_timeout{1'000};
    std::size_t connections{256};  ///< those beyond them are answered 503
    /// How many connections may be waiting to be told so; beyond them nobody is accepted.
    std::size_t turned_away{64};
    std::chrono::milliseconds stop_deadline{10'000};  ///< for what runs when it is told to stop
};

/// What a server has seen since it began.
struct ServerCounts {
    std::atomic<std::uint64_t> connections{};  ///< all that were accepted
    std::atomic<std::uint64_t> turned_away{};  ///< those of them beyond the limit
    std::atomic<std::uint64_t> refused{};      ///< requests that were no HTTP, or too large
    std::atomic<std::uint64_t> cut{};          ///< connections that took too long
    std::atomic<std::uint64_t> failed{};       ///< requests whose handler threw
};

/// How a server is set up.
struct ServerSettings {
    std::string address{"127.0.0.1"};  ///< of IPv4 or IPv6, as digits
    std::uint16_t port{};              ///< 0 takes one that is free
    std::size_t threads{4};            ///< that handlers run on
    Limits limits{};
    std::vector<int> stop_signals{};  ///< each of which does what stop() does
    /// Hears of each answer that the server gives by itself, with its status. May be empty.
    std::function<void(std::string_view peer, int status)> on_refusal{};
    /// Hears what a handler threw. May be empty.
    std::function<void(std::string_view what)> on_failure{};
};

/// Answers a request. It may block; it runs on one of the server's own threads, beside others.
using Handler = std::function<counterfoil::Answer(const Incoming&)>;

/// An HTTP/1.1 server: one thread for all connections, which never waits for a handler, and some
/// for the handlers.
///
/// Requests of one connection are handled one by one, in their order. A request is handed over
/// whole; what is no HTTP, too large or too slow never reaches a handler. What a handler throws is
/// answered 500, and told to on_failure alone.
///
/// | the request                                          | answer, after which it closes |
/// |------------------------------------------------------|-------------------------------|
/// | can't be read, has no Host, frames its body two ways | 400                           |
/// | body larger than the limit, or announced so          | 413                           |
/// | expects something other than 100-continue            | 417                           |
/// | header larger than the limit                         | 431                           |
/// | transfer coding other than chunked                   | 501                           |
/// | one connection too many                              | 503                           |
class Server {
public:
    /// Listens from now on; whoever connects waits for run().
    ///
    /// Requires: `counts` outlives it; a handler; threads and limits above 0.
    /// Errors:   std::runtime_error where it can't listen there.
    Server(ServerSettings settings, Handler handler, ServerCounts& counts);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;

    /// Serves until it is told to stop and all is over. Once.
    void run();

    /// Takes no connection any more and closes those that are idle; requests that have begun are
    /// answered, with `Connection: close`. What is not over by the deadline is cut; a handler that
    /// runs by then is waited for, but its answer goes nowhere.
    ///
    /// Threads: any.
    void stop();

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace order_service
