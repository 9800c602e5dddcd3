#include "client.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <incoming.hpp>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace order_service::kit {

namespace {

namespace cf = counterfoil;

[[noreturn]] void fail(const char* what) {
    throw std::system_error{errno, std::generic_category(), what};
}

payments::Descriptor made_socket() {
    const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number < 0) fail("socket");
    return payments::Descriptor{number};
}

std::size_t number_in(std::string_view text) {
    std::size_t number = 0;
    std::from_chars(text.begin(), text.end(), number);
    return number;
}

}  // namespace

std::string Received::field(std::string_view name) const {
    const std::vector<std::string_view> values = values_of(fields, name);
    return values.empty() ? std::string{} : std::string{values.front()};
}

std::string told(const std::optional<Received>& received) {
    return received ? std::to_string(received->status) + " " + received->body : "nothing";
}

Client::Client(std::uint16_t port) : socket_{made_socket()} {
    constexpr timeval half_a_minute{30, 0};
    ::setsockopt(socket_->number(), SOL_SOCKET, SO_RCVTIMEO, &half_a_minute, sizeof half_a_minute);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): a socket's address of any family
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    if (::connect(socket_->number(), generic, sizeof address) != 0) fail("connect");
}

bool Client::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t size = ::send(socket_->number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
}

std::optional<Received> Client::receive() {
    std::optional<Received> received = read_header();
    if (!received) return std::nullopt;
    const std::size_t length = number_in(received->field("Content-Length"));
    while (unread_.size() < length) {
        if (!read_some()) return std::nullopt;
    }
    received->body = unread_.substr(0, length);
    unread_.erase(0, length);
    return received;
}

std::optional<Received> Client::receive_head() {
    return read_header();
}

std::string Client::rest() {
    while (read_some()) {
    }
    return std::exchange(unread_, {});
}

void Client::end_sending() {
    ::shutdown(socket_->number(), SHUT_WR);
}

void Client::drop() {
    constexpr linger at_once{1, 0};
    ::setsockopt(socket_->number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    socket_.reset();
}

bool Client::read_some() {
    std::array<char, 16'384> buffer{};
    for (;;) {
        const ssize_t size = ::recv(socket_->number(), buffer.data(), buffer.size(), 0);
        if (size > 0) {
            unread_.append(buffer.data(), static_cast<std::size_t>(size));
            return true;
        }
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) throw std::runtime_error{"nothing came"};
        return false;
    }
}

std::optional<Received> Client::read_header() {
    constexpr std::string_view end_of_header = "\r\n\r\n";
    std::size_t end = unread_.find(end_of_header);
    for (; end == std::string::npos; end = unread_.find(end_of_header)) {
        if (!read_some()) return std::nullopt;
    }
    const std::string header = unread_.substr(0, end + 2);
    unread_.erase(0, end + end_of_header.size());

    Received received;
    std::string_view lines = header;
    const std::string_view first = lines.substr(0, lines.find("\r\n"));
    if (!first.starts_with("HTTP/1.1 ")) throw std::runtime_error{"no answer: " + header};
    received.status = static_cast<int>(number_in(first.substr(first.find(' ') + 1)));
    lines.remove_prefix(first.size() + 2);
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find("\r\n"));
        const std::size_t colon = line.find(": ");
        received.fields.push_back(
            {std::string{line.substr(0, colon)}, std::string{line.substr(colon + 2)}});
        lines.remove_prefix(line.size() + 2);
    }
    return received;
}

std::string request(std::string_view method, std::string_view target,
                    const std::vector<cf::Field>& fields, std::optional<std::string_view> body) {
    std::string text =
        std::string{method} + ' ' + std::string{target} + " HTTP/1.1\r\nHost: test\r\n";
    for (const cf::Field& field : fields) text += field.name + ": " + field.value + "\r\n";
    if (body) text += "Content-Length: " + std::to_string(body->size()) + "\r\n";
    text += "\r\n";
    if (body) text += *body;
    return text;
}

}  // namespace order_service::kit
