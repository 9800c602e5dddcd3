#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace counterfoil {

/// What the caller can do about a store that failed.
enum class StoreFault {
    busy,         ///< a lock was not had in time: try again with the same key
    unavailable,  ///< disk full, I/O error, no permission: later, or once somebody has mended it
    corrupt,      ///< what is stored can't be read: call somebody
    refused,      ///< the call or the file is not right: mend the call
};

[[nodiscard]] std::string_view word(StoreFault fault);

/// The outside world failed, which is no verdict. what() says what was being done, and the original
/// text.
///
/// If a call throws this, none of it was written. The one exception no store can help: an error
/// while a commit is on its way to the disk leaves open which of the two a power cut would have
/// made of it. Sending the same request again with the same key finds out, whichever it was.
class StoreError : public std::runtime_error {
public:
    StoreError(StoreFault fault, const std::string& text)
        : std::runtime_error{text}, fault_{fault} {}

    [[nodiscard]] StoreFault fault() const noexcept { return fault_; }

private:
    StoreFault fault_;
};

}  // namespace counterfoil
