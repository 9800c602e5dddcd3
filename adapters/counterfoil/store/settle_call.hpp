#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "counterfoil/store/claim_reply.hpp"
#include "counterfoil/store/judged_call.hpp"
#include "counterfoil/store/open_transaction.hpp"
#include "counterfoil/store/session.hpp"

namespace counterfoil {

/// Makes the writes that a transition came to, whichever it has.
///
/// Returns: nothing, where the receipt is another by now; else whether there was something to
///          write.
template <class Transition>
[[nodiscard]] std::optional<bool> write_all(Session& session, const Transition& transition) {
    const auto write = [&](const auto& what) {
        if constexpr (requires { what.write.receipt; }) {
            return session.replace(what.write.receipt, what.write.expected);
        } else {
            return session.erase(what.write.scope, what.write.expected);
        }
    };
    return std::visit(
        [&](const auto& came_to) -> std::optional<bool> {
            if constexpr (requires { came_to.write; }) {
                if (!write(came_to)) return std::nullopt;
                if constexpr (requires { came_to.record; }) session.record(came_to.record);
                return true;
            } else {
                return false;
            }
        },
        transition);
}

/// Reads the receipt of a scope, decides, and writes what came of it, in one transaction.
template <class Decide>
auto settle(std::string_view name, Session& session, const Scope& scope, const Decide& decide) {
    return until_won(name, [&] {
        OpenTransaction transaction{session};
        std::optional transition{decide(session.find(scope))};
        const std::optional<bool> written = write_all(session, *transition);
        if (!written) {
            transition.reset();
        } else if (*written) {
            transaction.commit();
        }
        return transition;
    });
}

/// Ends a claim in one transaction with the rows that the work writes (Protocol::complete).
[[nodiscard]] CompleteReply complete(Session& session, const Permit& permit, const Bench& bench,
                                     const std::function<Outcome()>& work);

}  // namespace counterfoil
