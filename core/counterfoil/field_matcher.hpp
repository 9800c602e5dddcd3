#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "counterfoil/field_selection.hpp"
#include "counterfoil/stack.hpp"

namespace counterfoil::detail {

/// Follows a document as it is read, and tells of each value whether the selection keeps it.
///
/// Whoever reads writes every value, and goes back to where a value began if it is not kept: so
/// what is left out has been checked like all else.
///
/// Call member() or element() where a value begins, open() and close() where a container does and
/// ends, leave() where a value has ended.
class FieldMatcher {
public:
    /// A place to go back to.
    struct Mark {
        std::size_t size = 0;     // of the canonical text
        std::size_t objects = 0;  // noted in the Rearrangement
    };

    /// Begins with a document, which is the value that may be opened or left first.
    void start(const FieldSelection& selection);

    void member(std::string_view name, Mark mark);
    void element(Mark mark);
    void open();
    void close();

    /// Where to go back to if the value that has ended is not kept.
    [[nodiscard]] std::optional<Mark> leave();

    void release(std::size_t retained_bytes);

private:
    // A container, and the value in it that is being read.
    struct Level {
        std::size_t active_end = 0;  // its nodes of the tree end here, those of the value begin
        std::size_t active_begin = 0;
        std::size_t elements = 0;
        Mark mark{};
        bool matching = false;  // whether its values have to be looked at one by one
        bool any_kept = false;
        bool value_matching = false;
        bool value_kept = true;
    };

    void step(std::string_view token);
    void settle(Level& level);

    const FieldSelection* selection_ = nullptr;
    Stack<Level> levels_;
    Stack<std::uint32_t> active_;
};

}  // namespace counterfoil::detail
