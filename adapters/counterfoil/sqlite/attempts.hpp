#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/verdict.hpp"

namespace counterfoil::sqlite {

/// How a key stands in the log of attempts.
enum class AttemptKeys {
    plain,
    hashed,  ///< as `sha256:` and the digest of its bytes in hexadecimal
};

/// How a Store keeps a log of every call in its file. Calls are written by a thread of the store's
/// own, many in one transaction, and no call ever fails or waits for the log.
struct AttemptSettings {
    AttemptKeys keys{AttemptKeys::plain};

    /// How long a call is held back at most before it is written, and how many are at most written
    /// at once. Both above 0.
    std::chrono::milliseconds batch_time{1'000};
    std::size_t batch_size{256};

    /// How many calls are held back at most while the file can't be written; what comes beyond is
    /// dropped, and counted (Store::dropped_attempts).
    std::size_t most_waiting{65'536};

    /// After how long Store::purge() takes them out of the log.
    Span keep{std::chrono::days{30}};
};

/// One call as the log has it.
struct Attempt {
    Instant at;  ///< when it returned
    std::string request_id{};
    std::string call{};
    std::string reply{};  ///< or the fault's word, where it threw; `error` where that was no fault
    std::optional<Rule> rule{};
    std::optional<std::int64_t> attempt{};
    std::chrono::microseconds duration{};

    friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// The key as the log has it.
[[nodiscard]] std::string logged_key(const Key& key, AttemptKeys keys);

}  // namespace counterfoil::sqlite
