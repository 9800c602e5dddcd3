#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "counterfoil/answer.hpp"
#include "counterfoil/http/key_field.hpp"
#include "counterfoil/http/profile.hpp"
#include "counterfoil/http/request.hpp"
#include "counterfoil/http/request_intent.hpp"
#include "counterfoil/http/routes.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/store/claim_reply.hpp"
#include "counterfoil/store/reply.hpp"
#include "counterfoil/store/store_error.hpp"
#include "counterfoil/store/submission.hpp"

namespace counterfoil::http {

/// How an Adapter speaks.
struct Settings {
    /// The first that matches a request is its route. A request without a route is no concern of
    /// the adapter's: it runs without a receipt.
    std::vector<Route> routes;
    PolicyBook policies;  ///< those of the store: their key rules and leases
    Profile profile{Profile::standard()};
    KeySyntax key_syntax{};
    std::string key_field{"Idempotency-Key"};
    std::string replay_field{"Idempotent-Replayed"};  ///< `true` in every replay, else not there
    std::string status_field{"Idempotency-Status"};   ///< in every answer but of unkeyed requests
    /// What a client is told where the store is busy or away, or somebody else has its request.
    Span retry_after{1'000'000};
};

/// A request with a key: hand submission() to a store.
class Keyed {
public:
    /// Borrows from this object and from the request that it was made from.
    [[nodiscard]] Submission submission() const;

private:
    friend class Adapter;

    Keyed(Scope scope, RequestIntent intent, std::string_view request_id)
        : scope_{std::move(scope)}, intent_{std::move(intent)}, request_id_{request_id} {}

    Scope scope_;
    RequestIntent intent_;
    std::string_view request_id_;
};

/// A request that runs without a receipt.
struct Unkeyed {
    bool key_ignored{};  ///< it came with a key, which nobody looks at; the answer says so
};

/// What a request is, before any store was asked. An Answer is ready to be sent.
using Reception = std::variant<Keyed, Unkeyed, Answer>;

/// Between HTTP and a store: takes the key and the intent from a request, and makes an answer of
/// what a store says. It knows no server framework and no store, decides nothing, and keeps no
/// state.
///
/// What the status field says:
///
/// | word                                        | of                                           |
/// |---------------------------------------------|----------------------------------------------|
/// | created                                     | the work's answer, kept                      |
/// | released                                    | the work's answer, rolled back: the key is   |
/// |                                             | free                                         |
/// | replayed                                    | the stored answer                            |
/// | conflict, in_progress, expired, unknown,    | a problem of that name                       |
/// | superseded, incomparable                    |                                              |
/// | rejected                                    | a request whose key or intent can't be read  |
/// | busy, unavailable, corrupt, refused         | a store that failed                          |
/// | ignored                                     | a request whose key was not looked at        |
///
/// Threads: any.
class Adapter {
public:
    /// Requires: settings with which there are no problems (faults_of), asserted.
    explicit Adapter(Settings settings);

    /// Says what a request is: its route, its key, its intent.
    [[nodiscard]] Reception receive(const Request& request) const;

    /// What to tell the client of what a store said.
    [[nodiscard]] Answer answer(const Keyed& keyed, const Reply& reply) const;
    /// Requires: not Claimed, which is leave to run and has no answer yet.
    [[nodiscard]] Answer answer(const Keyed& keyed, const ClaimReply& reply) const;
    [[nodiscard]] Answer answer(const Keyed& keyed, const CompleteReply& reply) const;
    [[nodiscard]] Answer answer(const StoreError& error) const;

    /// What to tell the client of a request that admit() refused and no store was asked about, as
    /// a read may be: 429 or 503 with Retry-After.
    [[nodiscard]] Answer answer(const admission::Refused& refused) const;

    /// What to tell the client of a request that ran without a receipt: what the handler answered,
    /// with word of a key that was ignored.
    [[nodiscard]] Answer answer(const Unkeyed& unkeyed, Answer handlers) const;

    /// All of it in one call, for work that runs in the store's own transaction: `once` hands a
    /// submission to a store, `unkeyed` runs a request that has no receipt.
    ///
    /// What either throws is not caught, but for a StoreError.
    [[nodiscard]] Answer respond(const Request& request,
                                 const std::function<Reply(const Submission&)>& once,
                                 const std::function<Answer()>& unkeyed) const;

    [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

private:
    [[nodiscard]] Answer stamped(Answer answer, std::string_view status) const;
    template <class Verdict>
    [[nodiscard]] Answer told(const Keyed& keyed, const Verdict& verdict) const;

    Settings settings_;
};

/// What an Adapter would not take, one sentence each; empty where all is well: names of fields that
/// are no tokens or the same one, statuses of a profile outside 400 to 599, and routes whose paths
/// don't begin with a slash or whose methods and fields are no tokens.
[[nodiscard]] std::vector<std::string> faults_of(const Settings& settings);

}  // namespace counterfoil::http
