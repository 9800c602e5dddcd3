#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "counterfoil/answer.hpp"
#include "counterfoil/settle.hpp"

namespace counterfoil {

/// What is to be done once: a callable that gets a store's handle on the open transaction and gives
/// the answer for the client.
///
/// One that returns an Answer says that all it did was in the transaction, so that rolling back
/// undoes it (Effect::not_begun). One that returns an Outcome says itself whether something outside
/// may have begun.
///
/// It is called at most once a transaction, but again in a new one if that was lost to another
/// writer. What it throws is not caught: the transaction is rolled back and the caller gets it.
template <class Handle>
class Work {
public:
    template <class Callable>

    requires(!std::same_as<std::remove_cvref_t<Callable>, Work> &&
             std::invocable<Callable&, Handle&>)
        Work(Callable&& callable)  // NOLINT(google-explicit-constructor): a lambda is handed over
        : run_{outcome_of(std::forward<Callable>(callable))} {}

    Outcome operator()(Handle& handle) const { return run_(handle); }

private:
    template <class Callable>
    static std::function<Outcome(Handle&)> outcome_of(Callable&& callable) {
        using Returned = std::invoke_result_t<Callable&, Handle&>;
        static_assert(std::same_as<Returned, Answer> || std::same_as<Returned, Outcome>,
                      "work returns an Answer or an Outcome");
        if constexpr (std::same_as<Returned, Outcome>) {
            return std::forward<Callable>(callable);
        } else {
            return [callable = std::forward<Callable>(callable)](Handle& handle) mutable {
                return Outcome{.answer = callable(handle), .effect = Effect::not_begun};
            };
        }
    }

    std::function<Outcome(Handle&)> run_;
};

}  // namespace counterfoil
