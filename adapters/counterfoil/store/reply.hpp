#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "counterfoil/admission.hpp"
#include "counterfoil/answer.hpp"
#include "counterfoil/fingerprint.hpp"
#include "counterfoil/verdict.hpp"

namespace counterfoil {

namespace reply {

/// The work ran, now.
struct Performed {
    Answer answer;  ///< whole, as the work gave it
    Disposition
        disposition{};       ///< kept; released: rolled back, and the key is free; or unknown:
                             ///< rolled back, and nobody runs it again until somebody resolves it
    std::int64_t attempt{};  ///< above 1 where it took over
    Instant first_seen;
    Why why;

    friend bool operator==(const Performed&, const Performed&) = default;
};

/// The verdict gave leave, and the store's Admitter did not (admitter.hpp). Nothing was written.
struct NotAdmitted {
    admission::Refused refused;

    friend bool operator==(const NotAdmitted&, const NotAdmitted&) = default;
};

/// The intent has no fingerprint; nothing was looked up.
struct Unreadable {
    FingerprintError error;

    friend bool operator==(const Unreadable&, const Unreadable&) = default;
};

}  // namespace reply

/// What became of a request: the work ran, or what kept it from running.
using Reply = std::variant<reply::Performed, verdict::Replay, verdict::Conflict,
                           verdict::InProgress, verdict::Unknown, verdict::Expired,
                           verdict::Incomparable, reply::NotAdmitted, reply::Unreadable>;

/// What to tell the client, where there is an answer to give: of the work that ran, or the stored
/// one. Nothing for every other reply, which is the embedder's to word. Borrowed from the reply.
[[nodiscard]] const Answer* answer_of(const Reply& reply);

/// `create` or `take_over` where the work ran, the verdict's word where it did not, and
/// `not_admitted` and `unreadable`.
[[nodiscard]] std::string_view word(const Reply& reply);

/// Which rule decided; nothing where none did: not admitted, unreadable. Borrowed from the reply.
[[nodiscard]] const Why* why(const Reply& reply);

}  // namespace counterfoil
