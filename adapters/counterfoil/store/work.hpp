#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "counterfoil/answer.hpp"
#include "counterfoil/settle.hpp"

namespace counterfoil {

template <class Handle, Effect assumed = Effect::not_begun>
class Work;

namespace detail {

template <class Type>
inline constexpr bool is_work = false;
template <class Handle, Effect assumed>
inline constexpr bool is_work<Work<Handle, assumed>> = true;

/// A callable that can do work with a handle, and is no Work itself.
template <class Callable, class Handle>
concept WorksWith = !is_work<std::remove_cvref_t<Callable>> && std::invocable<Callable&, Handle&>;

}  // namespace detail

/// What is to be done once: a callable that gets a store's handle on the open transaction and gives
/// the answer for the client.
///
/// One that returns an Answer says that all it did was in the transaction, so that rolling back
/// undoes it: its effect is `assumed` not to have begun. One that returns an Outcome says itself
/// whether something outside may have begun.
///
/// It is called at most once a transaction, but again in a new one if that was lost to another
/// writer. What it throws is not caught: the transaction is rolled back and the caller gets it.
template <class Handle, Effect assumed>
class Work {
public:
    /// Implicit, as a lambda is what is handed over.
    template <detail::WorksWith<Handle> Callable>
    // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
    Work(Callable&& callable) : run_{outcome_of(std::forward<Callable>(callable))} {}

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
                return Outcome{.answer = callable(handle), .effect = assumed};
            };
        }
    }

    std::function<Outcome(Handle&)> run_;
};

/// The work that ends a claim: something outside was called before it, so what returns an Answer
/// says that the effect may have begun.
template <class Handle>
using CompletingWork = Work<Handle, Effect::may_have_begun>;

}  // namespace counterfoil
