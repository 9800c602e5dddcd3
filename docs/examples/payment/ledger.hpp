#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "descriptor.hpp"
#include "money.hpp"

namespace payments {

/// What a provider makes of a call.
enum class ProviderStatus { succeeded, refused };

[[nodiscard]] std::string_view word(ProviderStatus which);

/// Whether a provider recognises a key that it was called by before.
enum class Dedupe { off, on };

/// The provider's log, which is all that it knows: what is in it has happened.
///
/// A JSON object a line, on the disk before the call is answered:
///
///   {"key":"2c0d2c32-…","status":"succeeded","amount":12.50,"currency":"EUR",
///    "time":"2026-12-01T12:00:00.000000Z"}
///
/// Threads: any.
class Ledger {
public:
    /// Opens the log, which is made if there is none. A last line that was cut off goes: nobody was
    /// told of it.
    ///
    /// Errors: std::system_error; std::runtime_error where a line can't be read.
    explicit Ledger(const std::filesystem::path& file);

    /// Writes a line of this status and gives it back. Where it dedupes and the key is known,
    /// nothing is written, and what was said first is said again.
    ///
    /// Errors: std::system_error. Whether the line is there can't be told then.
    ProviderStatus enter(const std::string& key, const Money& money, ProviderStatus status,
                         Dedupe dedupe);

    /// From now on no line is written: whoever wants to enter one waits for ever.
    void close() { mutex_.lock(); }

private:
    std::mutex mutex_;
    std::map<std::string, ProviderStatus> known_;
    Descriptor file_;
};

}  // namespace payments
