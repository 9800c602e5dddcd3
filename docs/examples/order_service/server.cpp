#include "server.hpp"

#include <exception>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "connection.hpp"
#include "message.hpp"
#include "problem.hpp"

namespace order_service {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// How long nobody is accepted when that has failed, for want of descriptors as a rule.
constexpr std::chrono::milliseconds accept_pause{100};

tcp::acceptor listening(asio::io_context& io, const ServerSettings& settings) {
    try {
        const tcp::endpoint endpoint{asio::ip::make_address(settings.address), settings.port};
        tcp::acceptor acceptor{io};
        acceptor.open(endpoint.protocol());
        acceptor.set_option(tcp::acceptor::reuse_address{true});
        acceptor.bind(endpoint);
        acceptor.listen();
        return acceptor;
    } catch (const boost::system::system_error& error) {
        throw std::runtime_error{"can't listen on " + settings.address + ":" +
                                 std::to_string(settings.port) + ": " + error.code().message()};
    }
}

}  // namespace

class Server::Parts {
public:
    Parts(ServerSettings settings, Handler handler, ServerCounts& counts)
        : settings_{std::move(settings)},
          handler_{std::move(handler)},
          counts_{counts},
          surroundings_{
              .settings = settings_,
              .counts = counts,
              .handle =
                  [this](Incoming incoming, Connection::Answered answered) {
                      hand_over(std::move(incoming), std::move(answered));
                  },
              .over =
                  [this](const std::shared_ptr<Connection>& connection) { forget(connection); }},
          acceptor_{listening(io_, settings_)},
          pool_{settings_.threads} {
        for (const int signal : settings_.stop_signals) signals_.add(signal);
        if (settings_.stop_signals.empty()) return;
        signals_.async_wait([this](error_code fault, int /*signal*/) {
            if (!fault) begin_to_stop();
        });
    }

    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    /// Handlers refer to what is destroyed with this.
    ~Parts() {
        pool_.stop();
        pool_.join();
    }

    [[nodiscard]] std::uint16_t port() const { return acceptor_port_; }

    void run() {
        accept();
        io_.run();
        pool_.stop();
        pool_.join();
    }

    void stop() {
        asio::post(io_, [this] { begin_to_stop(); });
    }

private:
    void accept() {
        const Limits& limits = settings_.limits;
        if (stopping_ || accepting_ ||
            connections_.size() >= limits.connections + limits.turned_away) {
            return;
        }
        accepting_ = true;
        acceptor_.async_accept([this](error_code fault, tcp::socket socket) {
            on_accepted(fault, std::move(socket));
        });
    }

    void on_accepted(error_code fault, tcp::socket socket) {
        accepting_ = false;
        if (stopping_) return;
        if (fault) {
            pause_.expires_after(accept_pause);
            pause_.async_wait([this](error_code cancelled) {
                if (!cancelled) accept();
            });
            return;
        }
        ++counts_.connections;
        error_code ignored;
        socket.set_option(tcp::no_delay{true}, ignored);
        const bool room = connections_.size() < settings_.limits.connections;
        const auto connection = make_connection(std::move(socket), surroundings_);
        connections_.insert(connection);
        if (room) {
            connection->serve();
        } else {
            ++counts_.turned_away;
            connection->turn_away();
        }
        accept();
    }

    void forget(const std::shared_ptr<Connection>& connection) {
        connections_.erase(connection);
        if (stopping_) {
            if (connections_.empty()) nothing_is_left();
        } else {
            accept();
        }
    }

    void hand_over(Incoming incoming, Connection::Answered answered) {
        asio::post(pool_, [this, incoming = std::move(incoming),
                           answered = std::move(answered)]() mutable {
            counterfoil::Answer answer = handled(incoming);
            asio::post(io_, [answer = std::move(answer), answered = std::move(answered)] {
                answered(answer);
            });
        });
    }

    /// What goes wrong in a handler is nothing for the client to read.
    [[nodiscard]] counterfoil::Answer handled(const Incoming& incoming) {
        std::string what;
        try {
            counterfoil::Answer answer = handler_(incoming);
            if (sendable(answer)) return answer;
            what = "the answer can't be sent: status " + std::to_string(answer.status);
        } catch (const std::exception& error) {
            what = error.what();
        } catch (...) {
            what = "something that is no exception was thrown";
        }
        ++counts_.failed;
        if (settings_.on_failure) settings_.on_failure(what);
        return problem(500, "The request failed");
    }

    void begin_to_stop() {
        if (stopping_) return;
        stopping_ = true;
        error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        for (const auto& connection : connections_) connection->drain();
        if (connections_.empty()) return nothing_is_left();
        deadline_.expires_after(settings_.limits.stop_deadline);
        deadline_.async_wait([this](error_code cancelled) {
            if (cancelled) return;
            for (const auto& connection : connections_) connection->cut();
            io_.stop();
        });
    }

    void nothing_is_left() {
        deadline_.cancel();
        signals_.cancel();
        work_.reset();
    }

    ServerSettings settings_;
    Handler handler_;
    ServerCounts& counts_;
    Connection::Surroundings surroundings_;
    asio::io_context io_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    tcp::acceptor acceptor_;
    std::uint16_t acceptor_port_{acceptor_.local_endpoint().port()};
    asio::signal_set signals_{io_};
    asio::steady_timer deadline_{io_};
    asio::steady_timer pause_{io_};
    std::unordered_set<std::shared_ptr<Connection>> connections_;
    bool accepting_{};
    bool stopping_{};
    asio::thread_pool pool_;
};

Server::Server(ServerSettings settings, Handler handler, ServerCounts& counts)
    : parts_{std::make_unique<Parts>(std::move(settings), std::move(handler), counts)} {}

Server::~Server() = default;

std::uint16_t Server::port() const {
    return parts_->port();
}

void Server::run() {
    parts_->run();
}

void Server::stop() {
    parts_->stop();
}

}  // namespace order_service
