#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <counterfoil/answer.hpp>

namespace order_service {

/// What of an answer's message depends on the request and the connection.
struct Framing {
    bool head{};              ///< the request was HEAD: the length is told, the body is not sent
    bool close{};             ///< the connection ends with this answer
    bool told_to_keep{};      ///< the client speaks HTTP/1.0 and asked for the connection to stay
    std::string_view date{};  ///< as http_date() writes it
};

/// An answer as a message of HTTP/1.1.
///
/// Where the body ends is said here and nowhere else: Content-Length, Transfer-Encoding,
/// Connection, Date and their kin are left out of the fields that the answer came with, and so is a
/// field whose name is no token or whose value could end its line.
///
/// Requires: sendable(answer).
/// Source:   RFC 9110 sections 5.5, 6.4.1, 8.6; RFC 9112 sections 6 and 9.
[[nodiscard]] std::string message_of(const counterfoil::Answer& answer, const Framing& framing);

/// Whether it is a final answer: a status of 200 to 599, and a body that is there.
[[nodiscard]] bool sendable(const counterfoil::Answer& answer);

/// How many bytes of body go to the client.
[[nodiscard]] std::size_t sent_bytes(const counterfoil::Answer& answer, bool head);

/// `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Source: RFC 9110 section 5.6.7.
[[nodiscard]] std::string http_date(std::chrono::sys_seconds at);

}  // namespace order_service
