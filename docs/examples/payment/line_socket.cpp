#include "line_socket.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace payments {

namespace {

constexpr std::size_t longest_line = 65'536;

[[noreturn]] void fail(const char* what) {
    throw std::system_error{errno, std::generic_category(), what};
}

Descriptor made_socket() {
    const int number = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number < 0) fail("socket");
    return Descriptor{number};
}

sockaddr_un address_of(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.native().size() >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fail(path.c_str());
    }
    std::memcpy(&address.sun_path, path.c_str(), path.native().size());
    return address;
}

/// The sockets' functions take an address of any family by the type that all begin with.
const sockaddr* generic(const sockaddr_un& address) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return reinterpret_cast<const sockaddr*>(&address);
}

}  // namespace

bool LineSocket::send(std::string_view line) {
    const std::string text = std::string{line} + '\n';
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t sent = ::send(socket_.number(), rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::optional<std::string> LineSocket::receive(std::chrono::milliseconds at_most) {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(at_most);
    const timeval limit{whole.count(), std::chrono::microseconds{at_most - whole}.count()};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    std::size_t end = unread_.find('\n');
    while (end == std::string::npos) {
        if (unread_.size() > longest_line) return std::nullopt;
        std::array<char, 4'096> buffer{};
        const ssize_t size = ::recv(socket_.number(), buffer.data(), buffer.size(), 0);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return std::nullopt;
        unread_.append(buffer.data(), static_cast<std::size_t>(size));
        end = unread_.find('\n');
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return line;
}

std::optional<LineSocket> connect_to(const std::filesystem::path& path) {
    const sockaddr_un address = address_of(path);
    Descriptor socket = made_socket();
    if (::connect(socket.number(), generic(address), sizeof address) != 0) return std::nullopt;
    return LineSocket{std::move(socket)};
}

Listener::Listener(const std::filesystem::path& path) : socket_{made_socket()} {
    constexpr int most_waiting = 64;
    const sockaddr_un address = address_of(path);
    ::unlink(path.c_str());
    if (::bind(socket_.number(), generic(address), sizeof address) != 0) fail("bind");
    if (::listen(socket_.number(), most_waiting) != 0) fail("listen");
}

LineSocket Listener::accept() const {
    for (;;) {
        const int number = ::accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC);
        if (number >= 0) return LineSocket{Descriptor{number}};
        if (errno != EINTR && errno != ECONNABORTED) fail("accept");
    }
}

}  // namespace payments
