#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace counterfoil {

/// What somebody does next. A step that makes no sense where it stands is passed over, so that any
/// part of a history is a history.
enum class Does : std::uint8_t {
    asks,         ///< a client sends (key, body), and a free worker asks for leave to do it
    calls,        ///< a worker calls the provider and hears the answer
    loses,        ///< a worker calls the provider, and the answer is lost
    notifies,     ///< a worker has the provider do a second step
    completes,    ///< a worker hands in the provider's answer
    repeats,      ///< the same, and the worker doesn't hear that it was taken
    checkpoints,  ///< a worker notes how far it is
    renews,       ///< a worker begins its lease anew
    releases,     ///< a worker that has not called gives the key back
    marks,        ///< a worker says that nobody can know
    abandons,     ///< a worker leaves without an answer
    stops,        ///< a worker dies, and what it held with it
    waits,        ///< time goes on
    waits_out,    ///< time goes on, so that the next step comes when a key's next time is up, or a
                  ///< tick before
    sets_back,    ///< the store's clock is set back
    sweeps,       ///< retention looks at every key
    resolves,     ///< an operator resolves a key by the provider's log
    holds,        ///< somebody puts a key on hold, or lifts that
    mixes_up,     ///< a store hands a worker who completes the receipt of another tenant's key
    leaps,        ///< somebody whose clock is at the end of time takes a key over, and dies
};

/// What the provider comes to, and what the worker makes of it.
enum class Kind : std::uint8_t {
    charged,
    charged_at_length,    ///< with a body that is too long to keep
    charged_in_secret,    ///< with a body that must not be kept
    refused,              ///< 402, for good
    not_found,            ///< 404: nothing happened
    not_found_for_good,   ///< 404, and the worker says that this is the answer
    rejected,             ///< 422: nothing happened
    charged_with_a_fault  ///< 500, though the charge was made
};

constexpr std::size_t kinds = 8;
constexpr std::size_t workers = 3;
constexpr std::size_t keys = 3;
constexpr std::size_t bodies = 2;

/// What a request's fingerprint is under.
enum class Under : std::uint8_t {
    exact,          ///< exact-json
    rfc_and_exact,  ///< rfc8785, and exact-json for receipts that have that
    rfc,            ///< rfc8785 alone
};

constexpr std::size_t unders = 3;

struct Step {
    Does does{};
    Kind kind{};
    Under under{};
    std::uint8_t worker{};
    std::uint8_t key{};
    std::uint8_t body{};
    std::uint8_t ticks{};
    bool is_odd{};  ///< an operator without a name, a sweep that asks when to look again, a worker
                    ///< who leaves after it has marked, a wait that ends a tick before
};

/// A history and what it plays against.
struct History {
    bool provider_dedupes{true};
    bool lapse_is_unknown{};
    bool old_keys_are_refused{};
    bool leases_never_end{};  ///< nor do windows
    bool clocks_lie_apart{};  ///< each worker's by a tick from the next one's
    std::vector<Step> steps{};
};

/// The history of a seed: the same one on every machine.
[[nodiscard]] History history_of(std::uint64_t seed);

/// A numbered story.
[[nodiscard]] std::string describe(const History& history);

}  // namespace counterfoil
