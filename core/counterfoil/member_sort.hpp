#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "counterfoil/member_order.hpp"
#include "counterfoil/stack.hpp"

namespace counterfoil::detail {

/// A member of an object that is being read.
struct Member {
    std::uint64_t word = 0;  // the order of the name's first bytes
    std::string_view name;   // unescaped
    std::size_t begin = 0;   // where the member begins in the canonical text
    std::size_t quote = 0;   // where its name begins in the text that is read
};

/// Whether `a` comes before `b` by name; false for equal names.
[[nodiscard]] inline bool precedes(const Member& a, const Member& b) noexcept {
    if (a.word != b.word) return a.word < b.word;
    return compare_beyond_first_word(a.name, b.name) < 0;
}

/// Finds the order of an object's members.
///
/// Objects of one shape tend to follow one another, so the last order for each small number of
/// members is kept, and tried before anything is sorted.
class MemberSorter {
public:
    MemberSorter();

    /// Sorts the members by name, to be read by order().
    ///
    /// Returns the `quote` of the first member in the text whose name an earlier one has, if there
    /// is one.
    [[nodiscard]] std::optional<std::size_t> sort(std::span<const Member> members);

    /// The indexes of the members in sorted order, until the next sort().
    [[nodiscard]] std::span<const std::size_t> order() const noexcept { return order_; }

    void release(std::size_t retained_bytes) noexcept;

private:
    static constexpr std::size_t most_kept = 16;

    // A member's place in the order.
    struct Rank {
        std::uint64_t word;
        std::size_t index;
    };

    // A run of ranks whose names have their first `depth` words in common.
    struct Run {
        std::size_t begin;
        std::size_t end;
        std::size_t depth;
    };

    void sort_ranks(std::span<const Member> members);
    void split(Run run, std::span<const Member> members);
    void sort_by_word(std::span<Rank> ranks);
    void sort_by_digits(std::span<Rank> ranks);
    [[nodiscard]] std::optional<std::size_t> repeated(std::span<const Member> members) const;

    std::array<std::array<std::size_t, most_kept>, most_kept + 1> kept_{};
    Stack<std::size_t> large_;
    Stack<Rank> ranks_;
    Stack<Rank> spare_;
    Stack<Run> runs_;
    std::span<const std::size_t> order_;
};

}  // namespace counterfoil::detail
