#include "laws/decider.hpp"

#include <utility>

namespace counterfoil {

Decider sound() {
    return Decider{
        .judge = [](const Request& request, std::optional<Receipt> found, Instant now,
                    const Policy& policy) { return judge(request, std::move(found), now, policy); },
        .complete = counterfoil::complete,
        .renew = counterfoil::renew,
        .checkpoint = counterfoil::checkpoint,
        .release = counterfoil::release,
        .mark_unknown = counterfoil::mark_unknown,
        .abandon = counterfoil::abandon,
        .resolve = counterfoil::resolve,
        .sweep = counterfoil::sweep,
        .fence_after = counterfoil::fence_after,
        .stored_form = counterfoil::stored_form,
        .disposition = [](const Dispositions& table, int status,
                          Effect effect) { return table.of(status, effect); },
        .downstream_key = counterfoil::downstream_key,
    };
}

}  // namespace counterfoil
