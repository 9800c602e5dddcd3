#include "connection.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include "message.hpp"
#include "problem.hpp"

namespace order_service {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr unsigned http_1_1 = 11;
/// What one read may bring beyond a header: bodies and requests that wait behind it.
constexpr std::size_t read_ahead = 65'536;
/// How much is thrown away after the last answer before whoever still sends gets a reset.
constexpr std::size_t most_thrown_away = 1'048'576;

/// The answer to what could not be read as a request; nothing where nobody waits for one.
std::optional<int> status_of(const error_code& fault) {
    if (fault == http::error::end_of_stream || fault == http::error::partial_message) {
        return std::nullopt;
    }
    if (fault == http::error::header_limit || fault == http::error::buffer_overflow) return 431;
    if (fault == http::error::body_limit) return 413;
    // Whatever else Beast calls wrong is wrong with the request; the rest is the socket's.
    static const auto& of_http = make_error_code(http::error::bad_method).category();
    return fault.category() == of_http ? std::optional{400} : std::nullopt;
}

std::string_view title_of(int status) {
    switch (status) {
        case 413: return "The body is too large";
        case 417: return "Nothing but 100-continue can be expected";
        case 431: return "The header is too large";
        case 501: return "No transfer coding but chunked is understood";
        case 503: return "Too many connections";
        default: return "This is no HTTP request";
    }
}

std::string address_of(const tcp::socket& socket) {
    error_code fault;
    const tcp::endpoint peer = socket.remote_endpoint(fault);
    if (fault) return "unknown";
    const std::string host = peer.address().to_string();
    return (peer.address().is_v6() ? '[' + host + ']' : host) + ':' + std::to_string(peer.port());
}

class HttpConnection final : public Connection,
                             public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(tcp::socket socket, const Surroundings& surroundings)
        : surroundings_{surroundings},
          peer_{address_of(socket)},
          stream_{std::move(socket)},
          buffer_{surroundings.settings.limits.header_bytes + read_ahead} {}

    void serve() override { await_request(); }

    void turn_away() override {
        counterfoil::Answer answer = problem(503, title_of(503));
        answer.fields.push_back({"Retry-After", "1"});
        close_after_ = true;
        write(answer);
    }

    void drain() override {
        close_after_ = true;
        if (idle_) stream_.close();
    }

    void cut() override { stream_.close(); }

private:
    [[nodiscard]] const Limits& limits() const { return surroundings_.settings.limits; }

    /// A handler of a completed operation; the connection lives as long as one is to come.
    template <class... Arguments>
    auto then(void (HttpConnection::*next)(error_code, Arguments...)) {
        return [self = shared_from_this(), next](error_code fault, Arguments... arguments) {
            ((*self).*next)(fault, arguments...);
        };
    }

    void await_request() {
        if (buffer_.size() > 0) return read_header();
        idle_ = true;
        stream_.expires_after(limits().idle_timeout);
        stream_.async_read_some(buffer_.prepare(limits().header_bytes),
                                then(&HttpConnection::on_first_bytes));
    }

    void on_first_bytes(error_code fault, std::size_t size) {
        idle_ = false;
        if (fault) return end();
        buffer_.commit(size);
        read_header();
    }

    void read_header() {
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(limits().header_bytes));
        parser_->body_limit(limits().body_bytes);
        // Once for header and body: it is not moved on by what trickles in.
        stream_.expires_after(limits().read_timeout);
        http::async_read_header(stream_, buffer_, *parser_, then(&HttpConnection::on_header));
    }

    void on_header(error_code fault, std::size_t size) {
        if (fault) return on_unreadable(fault);
        // The parser's own limit holds for what it has to look at at once, and lets more through.
        if (size > limits().header_bytes) return refuse(431);
        take_header();
        if (const std::optional<int> refused = refusal()) return refuse(*refused);
        const bool waits = !values_of(incoming_.fields, "Expect").empty() && buffer_.size() == 0;
        if (!waits || parser_->is_done()) return read_body({}, 0);
        asio::async_write(stream_, asio::buffer(go_on), then(&HttpConnection::read_body));
    }

    /// Before the body is read: behind a chunked one the parser adds what came as trailers, and
    /// nobody may slip a key or a token in there.
    void take_header() {
        const auto& request = parser_->get();
        incoming_ = {.method = std::string{request.method_string()},
                     .target = std::string{request.target()},
                     .peer = peer_};
        for (const auto& field : request) {
            incoming_.fields.push_back(
                {std::string{field.name_string()}, std::string{field.value()}});
        }
    }

    /// What the parser lets through and HTTP doesn't.
    [[nodiscard]] std::optional<int> refusal() const {
        const std::size_t hosts = values_of(incoming_.fields, "Host").size();
        const bool needs_host = parser_->get().version() >= http_1_1;
        if (hosts > 1 || (needs_host && hosts == 0)) return 400;
        for (const std::string_view coding : values_of(incoming_.fields, "Transfer-Encoding")) {
            if (!same_name(coding, "chunked")) return 501;
        }
        for (const std::string_view expected : values_of(incoming_.fields, "Expect")) {
            if (!same_name(expected, "100-continue")) return 417;
        }
        return std::nullopt;
    }

    void read_body(error_code fault, std::size_t /*size*/) {
        if (fault) return on_unreadable(fault);
        http::async_read(stream_, buffer_, *parser_, then(&HttpConnection::on_body));
    }

    void on_body(error_code fault, std::size_t /*size*/) {
        if (fault) return on_unreadable(fault);
        if (parser_->chunked() || parser_->content_length()) {
            incoming_.body = std::move(parser_->get().body());
        }
        stream_.expires_never();
        surroundings_.handle(std::move(incoming_),
                             [self = shared_from_this()](const counterfoil::Answer& answer) {
                                 self->on_answer(answer);
                             });
    }

    void on_answer(const counterfoil::Answer& answer) {
        if (!stream_.socket().is_open()) return end();
        if (!parser_->keep_alive()) close_after_ = true;
        write(answer);
    }

    void on_unreadable(error_code fault) {
        if (fault == beast::error::timeout) ++surroundings_.counts.cut;
        const std::optional<int> status = status_of(fault);
        if (!status) return end();
        refuse(*status);
    }

    void refuse(int status) {
        ++surroundings_.counts.refused;
        if (surroundings_.settings.on_refusal) surroundings_.settings.on_refusal(peer_, status);
        close_after_ = true;
        write(problem(status, title_of(status)));
    }

    void write(const counterfoil::Answer& answer) {
        const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        const bool old = parser_ && parser_->get().version() < http_1_1;
        message_ =
            message_of(answer, {.head = parser_ && parser_->get().method() == http::verb::head,
                                .close = close_after_,
                                .told_to_keep = old,
                                .date = http_date(now)});
        stream_.expires_after(limits().write_timeout);
        asio::async_write(stream_, asio::buffer(message_), then(&HttpConnection::on_written));
    }

    void on_written(error_code fault, std::size_t /*size*/) {
        if (fault == beast::error::timeout) ++surroundings_.counts.cut;
        if (fault) return end();
        if (!close_after_) return await_request();
        error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        stream_.expires_after(limits().linger_timeout);
        throw_away();
    }

    /// To close a socket that has unread bytes is to reset it, and a reset can overtake the answer.
    void throw_away() {
        stream_.async_read_some(asio::buffer(rubbish_), then(&HttpConnection::on_thrown_away));
    }

    void on_thrown_away(error_code fault, std::size_t size) {
        thrown_away_ += size;
        if (fault || thrown_away_ > most_thrown_away) return end();
        throw_away();
    }

    void end() {
        stream_.close();
        surroundings_.over(shared_from_this());
    }

    static constexpr std::string_view go_on{"HTTP/1.1 100 Continue\r\n\r\n"};

    const Surroundings& surroundings_;
    std::string peer_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    Incoming incoming_;
    std::string message_;
    std::array<char, 4'096> rubbish_{};
    std::size_t thrown_away_{};
    bool idle_{};
    bool close_after_{};
};

}  // namespace

std::shared_ptr<Connection> make_connection(tcp::socket socket,
                                            const Connection::Surroundings& surroundings) {
    return std::make_shared<HttpConnection>(std::move(socket), surroundings);
}

}  // namespace order_service
