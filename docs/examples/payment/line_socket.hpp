#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "descriptor.hpp"

namespace payments {

/// One end of a connection on which lines go both ways.
///
/// Threads: one at a time.
class LineSocket {
public:
    explicit LineSocket(Descriptor socket) : socket_{std::move(socket)} {}

    /// Sends a line, to which it adds the LF. False where the other end is gone; some of the line
    /// may have arrived.
    [[nodiscard]] bool send(std::string_view line);

    /// The next line, without its LF. Nothing where the other end is gone, says nothing for so
    /// long, or says more than 64 KiB without an LF. 0 waits for as long as it takes.
    [[nodiscard]] std::optional<std::string> receive(std::chrono::milliseconds at_most = {});

private:
    Descriptor socket_;
    std::string unread_;
};

/// A connection to a Unix socket; nothing where nobody listens there.
///
/// Errors: std::system_error where the path is too long for a socket's (107 bytes) or there are no
///         descriptors left.
[[nodiscard]] std::optional<LineSocket> connect_to(const std::filesystem::path& path);

/// A Unix socket that others can connect to. What was there is replaced.
///
/// Threads: any may accept.
class Listener {
public:
    /// Errors: std::system_error.
    explicit Listener(const std::filesystem::path& path);

    /// Waits for the next connection.
    ///
    /// Errors: std::system_error.
    [[nodiscard]] LineSocket accept() const;

private:
    Descriptor socket_;
};

}  // namespace payments
