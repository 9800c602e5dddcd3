#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace counterfoil::detail {

/// A stack of plain values that keeps its memory, and whose push is cheap enough to be inlined.
template <class Element>
class Stack {
    static_assert(std::is_trivially_copyable_v<Element>);

public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] Element* data() noexcept { return elements_.get(); }

    [[nodiscard]] const Element* data() const noexcept { return elements_.get(); }

    [[nodiscard]] Element& back() noexcept { return elements_[size_ - 1]; }

    [[nodiscard]] Element& operator[](std::size_t i) noexcept { return elements_[i]; }

    [[nodiscard]] const Element& operator[](std::size_t i) const noexcept { return elements_[i]; }

    [[nodiscard]] Element* begin() noexcept { return elements_.get(); }

    [[nodiscard]] Element* end() noexcept { return elements_.get() + size_; }

    void push(const Element& element) {
        if (size_ == capacity_) [[unlikely]]
            grow();
        elements_[size_++] = element;
    }

    void pop() noexcept { --size_; }

    /// Requires: size is not above size().
    void shrink_to(std::size_t size) noexcept { size_ = size; }

    /// Gives all memory back if it is more than `retained_bytes`.
    void release(std::size_t retained_bytes) noexcept {
        if (capacity_ * sizeof(Element) <= retained_bytes) return;
        elements_.reset();
        size_ = capacity_ = 0;
    }

private:
    [[gnu::noinline]] void grow() {
        const std::size_t capacity = capacity_ == 0 ? 32 : 2 * capacity_;
        auto elements = std::make_unique_for_overwrite<Element[]>(capacity);  // NOLINT(*-c-arrays)
        std::copy(begin(), end(), elements.get());
        elements_ = std::move(elements);
        capacity_ = capacity;
    }

    std::unique_ptr<Element[]> elements_;  // NOLINT(*-c-arrays): the size is a run-time value
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace counterfoil::detail
