#include "counterfoil/store/claims.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace counterfoil {

template <class Call>
auto Claims::through(Call&& call) {
    std::optional<std::invoke_result_t<Call&, Session&>> result;
    with_session([&](Session& session) { result = call(session); });
    return *std::move(result);
}

ClaimReply Claims::claim(const Submission& submission, const Wait& wait) {
    return through([&](Session& session) { return protocol().claim(session, submission, wait); });
}

ClaimReply Claims::claim(const Request& request, const Wait& wait, std::string_view request_id) {
    return through(
        [&](Session& session) { return protocol().claim(session, request, wait, request_id); });
}

CompleteReply Claims::complete(const Permit& permit, const Outcome& outcome,
                               std::string_view request_id) {
    return through([&](Session& session) {
        return protocol().complete(
            session, permit, [&] { return outcome; }, request_id);
    });
}

Renewal Claims::renew(const Permit& permit, std::string_view request_id) {
    return through([&](Session& session) { return protocol().renew(session, permit, request_id); });
}

Checkpointing Claims::checkpoint(const Permit& permit, const Checkpoint& reached,
                                 std::string_view request_id) {
    return through([&](Session& session) {
        return protocol().checkpoint(session, permit, reached, request_id);
    });
}

Release Claims::release(const Permit& permit, std::string_view request_id) {
    return through(
        [&](Session& session) { return protocol().release(session, permit, request_id); });
}

Marking Claims::mark_unknown(const Permit& permit, std::string_view request_id) {
    return through(
        [&](Session& session) { return protocol().mark_unknown(session, permit, request_id); });
}

Abandonment Claims::abandon(const Permit& permit, Effect effect, std::string_view request_id) {
    return through(
        [&](Session& session) { return protocol().abandon(session, permit, effect, request_id); });
}

Resolving Claims::resolve(const Permit& permit, const Resolution& resolution,
                          std::string_view request_id) {
    return through([&](Session& session) {
        return protocol().resolve(session, permit, resolution, request_id);
    });
}

}  // namespace counterfoil
