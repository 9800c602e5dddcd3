#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "counterfoil/field_matcher.hpp"
#include "counterfoil/member_sort.hpp"
#include "counterfoil/rearrangement.hpp"
#include "counterfoil/stack.hpp"
#include "counterfoil/text_buffer.hpp"

namespace counterfoil::detail {

/// A container that is being read.
struct Frame {
    std::size_t begin = 0;         // of its content, in the canonical text
    std::size_t first_member = 0;  // of an object, among all members that are held
    std::size_t first_object = 0;  // noted in the Rearrangement since it began
    char closer = '\0';
    bool unsorted = false;
};

/// What reading needs room for, kept from one text to the next.
struct Workspace {
    /// Room behind what is in use in a buffer: for a comma, and for what blocks and words reach
    /// over.
    static constexpr std::size_t slack = 64;

    TextBuffer text;       // the canonical text as it was written
    std::size_t size = 0;  // of it
    TextBuffer scratch;    // for putting members in order
    TextBuffer names;      // those with escapes, unescaped
    std::size_t names_size = 0;
    Stack<Frame> frames;
    Stack<Member> members;
    MemberSorter sorter;
    Stack<Rearrangement::Piece> pieces;
    Rearrangement large;
    FieldMatcher matcher;

    /// Begins with a text of this size.
    void start(std::size_t text_size);

    /// Puts the members of the innermost object in order, whose content ends at `end`. True if they
    /// were moved, else their order is noted in `large`.
    ///
    /// Errors: the `quote` of the first member in the text whose name an earlier one has.
    struct Arranged {
        bool moved = false;
        std::optional<std::size_t> repeated{};
    };

    [[nodiscard]] Arranged arrange(const Frame& frame, std::size_t end);

    /// The name that is written in canonical form from `begin` to `end`; it stays where it is put
    /// until the next text, with eight readable bytes.
    ///
    /// Requires: `most` is no less than the sizes of all names of the text.
    [[nodiscard]] std::string_view keep_unescaped(const char* begin, const char* end,
                                                  std::size_t most);

    /// Gives back what is more than `retained_bytes` each, but for the canonical text.
    void release(std::size_t retained_bytes);

private:
    void move_members(const Frame& frame, std::size_t end);
    void note_large(const Frame& frame, std::size_t end);
    [[nodiscard]] std::size_t member_end(std::size_t index, std::size_t end) const;
};

}  // namespace counterfoil::detail
