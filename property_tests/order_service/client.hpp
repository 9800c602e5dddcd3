#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/answer.hpp>
#include <descriptor.hpp>

// What the tests of the order service share.
namespace order_service::kit {

/// An answer as it came over a connection.
struct Received {
    int status{};
    std::vector<counterfoil::Field> fields;
    std::string body;

    /// The value of the first line of a field; empty where there is none.
    [[nodiscard]] std::string field(std::string_view name) const;
};

/// `201 {"order_id":1}`; `nothing` where no answer came.
[[nodiscard]] std::string told(const std::optional<Received>& received);

/// A client that sends what it is told to, byte by byte, HTTP or not.
///
/// Threads: one at a time.
class Client {
public:
    /// Errors: std::system_error where nobody listens there.
    explicit Client(std::uint16_t port);

    /// False where the other end is gone.
    bool send(std::string_view bytes);

    /// The next answer; nothing where the connection ended before it was whole.
    ///
    /// Errors: std::runtime_error where nothing comes for half a minute.
    [[nodiscard]] std::optional<Received> receive();
    /// The same for an answer that tells a length and has no body.
    [[nodiscard]] std::optional<Received> receive_head();

    /// Whatever comes until the other end closes.
    [[nodiscard]] std::string rest();

    /// Sends nothing any more, and may still receive.
    void end_sending();
    /// Lets the connection go without a farewell: the other end is told so by a reset.
    void drop();

private:
    /// Waits for more; false where there is none any more.
    bool read_some();
    [[nodiscard]] std::optional<Received> read_header();

    std::optional<payments::Descriptor> socket_;
    std::string unread_;
};

/// A request as text, with Host, and with Content-Length where there is a body.
[[nodiscard]] std::string request(std::string_view method, std::string_view target,
                                  const std::vector<counterfoil::Field>& fields = {},
                                  std::optional<std::string_view> body = std::nullopt);

}  // namespace order_service::kit
