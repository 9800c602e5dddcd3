#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

namespace counterfoil::detail {

/// Bytes to write to, not initialised, that stay allocated from one text to the next.
class TextBuffer {
public:
    [[nodiscard]] char* data() noexcept { return bytes_.get(); }

    [[nodiscard]] const char* data() const noexcept { return bytes_.get(); }

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    /// Makes room for `capacity` bytes and keeps the first `used` of what is there.
    void reserve(std::size_t capacity, std::size_t used = 0) {
        if (capacity <= capacity_) return;
        auto bytes = std::make_unique_for_overwrite<char[]>(capacity);  // NOLINT(*-c-arrays)
        if (used != 0) std::memcpy(bytes.get(), bytes_.get(), used);
        bytes_ = std::move(bytes);
        capacity_ = capacity;
    }

    /// Gives the memory back if it is more than `retained`.
    void release(std::size_t retained) noexcept {
        if (capacity_ <= retained) return;
        bytes_.reset();
        capacity_ = 0;
    }

private:
    std::unique_ptr<char[]> bytes_;  // NOLINT(*-c-arrays): the size is a run-time value
    std::size_t capacity_ = 0;
};

}  // namespace counterfoil::detail
