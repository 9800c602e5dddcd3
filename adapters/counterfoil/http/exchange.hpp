#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "counterfoil/http/adapter.hpp"
#include "counterfoil/store/held_claim.hpp"
#include "counterfoil/store/store_error.hpp"
#include "counterfoil/store/wait.hpp"

namespace counterfoil::http {

/// A request from its arrival to its answer, for work that does not run inside the store's
/// transaction: any framework, any handler, synchronous or not.
///
/// ```cpp
/// http::Exchange exchange{adapter, store, request};
/// if (const Answer* ready = exchange.ready()) return send(*ready);   // replay, refusal, …
/// const Answer mine = handle(request);                              // run it
/// return send(exchange.end({.answer = mine}));                      // and give the answer
/// ```
///
/// One that is dropped without an end lets go of its claim as HeldClaim does: the key is free
/// again, unless claim()->effect_begins() or ->downstream_key() was called. Call it before whatever
/// can't be undone. To end() an exchange is to say that it may have begun; should the store fail
/// then, the receipt is unknown, and nobody runs it again by itself.
///
/// `Store` is any store that has Claims.
///
/// Requires: adapter, store and request outlive it.
/// Threads:  one at a time.
template <class Store>
class Exchange {
public:
    /// Asks the store for leave. A StoreError becomes an answer that is ready.
    Exchange(const Adapter& adapter, Store& store, const Request& request, const Wait& wait = {})
        : adapter_{adapter}, reception_{adapter.receive(request)} {
        if (const auto* refusal = std::get_if<Answer>(&reception_)) ready_ = *refusal;
        const auto* keyed = std::get_if<Keyed>(&reception_);
        if (keyed == nullptr) return;
        try {
            ClaimReply reply = store.claim(keyed->submission(), wait);
            if (auto* claimed = std::get_if<reply::Claimed>(&reply)) {
                claim_.emplace(store, std::move(*claimed), request.request_id);
            } else {
                ready_ = adapter.answer(*keyed, reply);
            }
        } catch (const StoreError& error) {
            ready_ = adapter.answer(error);
        }
    }

    /// The answer, where there is nothing to run; else null. Borrowed.
    [[nodiscard]] const Answer* ready() const noexcept { return ready_ ? &*ready_ : nullptr; }

    /// The claim under which it runs, for renew(), checkpoint() and downstream_key(); null where it
    /// runs without a receipt, or not at all.
    [[nodiscard]] HeldClaim<Store>* claim() noexcept { return claim_ ? &*claim_ : nullptr; }

    /// Ends it with what the handler answered, and says what to send: that answer, or, where
    /// somebody else has ended it in the meantime, theirs.
    ///
    /// Requires: no ready(), and no end before.
    [[nodiscard]] Answer end(Outcome outcome) {
        assert(!ready_);
        if (!claim_) {
            return adapter_.answer(std::get<Unkeyed>(reception_), std::move(outcome.answer));
        }
        claim_->effect_begins();
        return completed(outcome);
    }

    /// Ends it with rows that `work` writes, in one transaction with the answer that it gives; it
    /// is run by Store::complete. Where that fails and nothing else had begun, the key is free.
    ///
    /// Requires: claim(), and no end before.
    template <class Work>
    [[nodiscard]] Answer end_with(Work&& work) {
        assert(claim_);
        return completed(std::forward<Work>(work));
    }

private:
    template <class AnswerOrWork>
    Answer completed(AnswerOrWork&& answer) {
        try {
            return adapter_.answer(std::get<Keyed>(reception_),
                                   claim_->complete(std::forward<AnswerOrWork>(answer)));
        } catch (const StoreError& error) {
            return adapter_.answer(error);
        }
    }

    const Adapter& adapter_;
    Reception reception_;
    std::optional<HeldClaim<Store>> claim_;
    std::optional<Answer> ready_;
};

}  // namespace counterfoil::http
