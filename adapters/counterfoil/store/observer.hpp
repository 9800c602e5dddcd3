#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "counterfoil/names.hpp"
#include "counterfoil/store/store_error.hpp"
#include "counterfoil/verdict.hpp"

namespace counterfoil {

/// One call to a store, as its Observer hears of it once it is over. Borrowed throughout. No body
/// and no header of anybody's is in it.
struct Observation {
    std::string_view call;  ///< `once`, `claim`, `complete` and their kin: the function's name
    const Scope& scope;
    std::string_view request_id;          ///< empty where the embedder gave none
    std::string_view reply{};             ///< word() of what it returned; empty where it threw
    const Why* why{};                     ///< which rule decided; null where none did
    std::int64_t attempt{};               ///< of the receipt, where it may run; else 0
    std::optional<StoreFault> fault{};    ///< where it threw a StoreError
    std::chrono::nanoseconds duration{};  ///< from entering the call to leaving it
};

/// What the call came to, in a word: the reply's, or the fault's, or `error` where it threw
/// something else.
[[nodiscard]] std::string_view told(const Observation& observation);

/// Hears of every call to a store: what logs, metrics and traces are built on.
///
/// Threads: called from all that call the store, at the same time, with no lock held.
class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    virtual void observe(const Observation& observation) noexcept = 0;
};

}  // namespace counterfoil
