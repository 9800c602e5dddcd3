#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace counterfoil {

/// One header field of an answer. Names are compared without regard to ASCII case.
struct Field {
    std::string name;
    std::string value;

    friend bool operator==(const Field&, const Field&) = default;
};

enum class Omission {
    too_large,  ///< above the policy's size limit
    streamed,   ///< never held in one piece
    secret,     ///< marked so by the embedder
};

namespace body {

/// There is no body at all, which is not the same as one of zero bytes.
struct None {
    friend bool operator==(const None&, const None&) = default;
};

struct Bytes {
    std::string bytes;

    friend bool operator==(const Bytes&, const Bytes&) = default;
};

/// There was a body, and it is not kept.
struct Omitted {
    Omission reason{};

    friend bool operator==(const Omitted&, const Omitted&) = default;
};

}  // namespace body

using Body = std::variant<body::None, body::Bytes, body::Omitted>;

/// What a client was told, or is to be told again.
struct Answer {
    int status{};                 ///< as in HTTP, 100 to 599
    std::vector<Field> fields{};  ///< in the order in which they were given
    Body body{};
    std::optional<std::string> reference{};  ///< the embedder's id of what was made, from which it
                                             ///< can rebuild an omitted body

    friend bool operator==(const Answer&, const Answer&) = default;
};

/// What an answer does to its receipt.
enum class Disposition {
    keep,     ///< it is the answer from now on
    release,  ///< nothing happened: the receipt goes, and the business transaction with it
    unknown,  ///< it may have happened; release where the effect had not begun
};

/// Whether what the request asks for may have happened outside the business transaction.
enum class Effect {
    not_begun,       ///< surely not: nothing outside a transaction that can be rolled back
    may_have_begun,  ///< nobody can tell
};

/// How freely an answer may be kept.
enum class Exposure {
    ordinary,
    secret,  ///< the body holds what must not lie in a database (a token, a card number)
};

/// From status to disposition: a default for each class, and exceptions for single statuses.
///
/// The default table keeps 2xx, 3xx and final 4xx; releases 400, 401, 403, 404, 408, 409, 412, 422,
/// 425, 429 and 503 (nothing happened: a corrected retry may pass); and calls every other 5xx and
/// all of 1xx unknown.
class Dispositions {
public:
    Dispositions();

    /// Sets the default of a class; its exceptions stay. Requires: hundreds is 1 to 5.
    Dispositions& set_class(int hundreds, Disposition disposition);
    /// Sets one status, whatever its class says. Requires: status is 100 to 599.
    Dispositions& set_status(int status, Disposition disposition);
    /// Leaves one status to its class again. Requires: status is 100 to 599.
    Dispositions& clear_status(int status);

    /// Says what an answer of this status does: what the table has for it, where a status outside
    /// 100 to 599 is unknown; and release instead of unknown when the effect has not begun.
    [[nodiscard]] Disposition of(int status, Effect effect) const;

    /// What one status does, whatever its class says.
    struct Exception {
        int status{};
        Disposition disposition{};
        friend bool operator==(const Exception&, const Exception&) = default;
    };

    /// The default of a class. Requires: hundreds is 1 to 5.
    [[nodiscard]] Disposition class_default(int hundreds) const;

    /// The exceptions from the classes, sorted by status, one each.
    [[nodiscard]] const std::vector<Exception>& exceptions() const noexcept { return exceptions_; }

    /// Equal if they were set alike: an exception that says what its class says counts.
    friend bool operator==(const Dispositions&, const Dispositions&) = default;

private:
    [[nodiscard]] Disposition entry(int status) const;

    std::array<Disposition, 5> by_class_;  // 1xx to 5xx
    std::vector<Exception> exceptions_;    // sorted by status, one each
};

/// How much of an answer a receipt keeps.
struct AnswerLimits {
    std::size_t max_body_bytes{65'536};
    /// Fields kept beside Content-Type, Content-Encoding, Location and ETag, which always are.
    std::vector<std::string> kept_fields;

    friend bool operator==(const AnswerLimits&, const AnswerLimits&) = default;
};

/// Says whether a field is never kept, whatever a policy asks for: what frames a message, belongs
/// to one connection or one moment, or carries a credential (Connection, Keep-Alive,
/// Proxy-Connection, TE, Trailer, Transfer-Encoding, Upgrade, Content-Length, Date, Set-Cookie,
/// Set-Cookie2, Cookie, Authorization, Proxy-Authorization, WWW-Authenticate, Proxy-Authenticate,
/// Authentication-Info, Proxy-Authentication-Info).
///
/// Source: RFC 9110 sections 7.6.1 and 11; RFC 6265.
[[nodiscard]] bool is_never_kept(std::string_view field_name);

/// Gives the answer as a receipt keeps it: status and reference as they are, the fields that may be
/// kept in their order, and the body or the reason for leaving it out.
///
/// The first that holds decides the body: left out already, it stays so for the reason it came
/// with; none, it stays none; secret; too_large, when it has more than limits.max_body_bytes bytes.
[[nodiscard]] Answer stored_form(Answer answer, Exposure exposure, const AnswerLimits& limits);

}  // namespace counterfoil
