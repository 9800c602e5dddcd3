#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/result.hpp"

namespace counterfoil {

enum class PointerFault {
    missing_slash,    ///< not empty, and doesn't begin with `/`
    bad_escape,       ///< `~` without 0 or 1 behind it
    invalid_utf8,     ///< no member name could ever match it
    selects_nothing,  ///< nothing of any document would be left
};

/// What is wrong with one of the pointers of a selection.
struct PointerError {
    std::size_t pointer = 0;  ///< which one, counted from 0 as given
    PointerFault fault{};
    std::size_t at = 0;  ///< the first byte that is wrong

    friend bool operator==(const PointerError&, const PointerError&) = default;
};

/// Which parts of a JSON document count, told by JSON Pointers in which the token `*` stands for
/// any member or element.
///
/// Compiled once, applied while a document is read (canonical_json.hpp). Made without pointers, it
/// selects everything.
///
/// `only` keeps each value that a pointer names, whole, and of what encloses it just the
/// containers. A container in which nothing is selected vanishes too, so the result depends on the
/// selected values and their places and on nothing else. Where nothing is selected in all of the
/// document, its canonical text has zero bytes, which no JSON document has.
///
/// `omit` leaves out each value that a pointer names, with all that is in it. Its container stays,
/// empty if need be.
///
/// In both:
///   - what is left of an array keeps its order and closes up;
///   - a pointer that matches nothing changes nothing, as does one below a selected value;
///   - a token is a member name in an object, and an index in an array if it is written as one
///     (digits without leading zeros); `-` names no element;
///   - a member whose name is `*` is matched by that token like any other; RFC 6901 has no escape
///     for it, so it can't be named alone;
///   - the whole document must be valid JSON without duplicate names, what is left out included.
///
/// Source: RFC 6901 for the pointers; the wildcard is ours.
class FieldSelection {
public:
    enum class Kind { everything, only, omit };

    /// Selects everything.
    FieldSelection() = default;

    /// Keeps what the pointers name. No pointer at all is refused, as it would keep nothing.
    ///
    /// Errors: PointerError for the first pointer at fault.
    [[nodiscard]] static Result<FieldSelection, PointerError> only(
        std::span<const std::string> pointers);

    /// Leaves out what the pointers name. The pointer `""` is refused, as it would leave nothing;
    /// no pointer at all selects everything.
    ///
    /// Errors: PointerError for the first pointer at fault.
    [[nodiscard]] static Result<FieldSelection, PointerError> omit(
        std::span<const std::string> pointers);

    [[nodiscard]] Kind kind() const noexcept { return kind_; }

    /// The pointers as they were given, sorted by bytes, each once.
    [[nodiscard]] const std::vector<std::string>& pointers() const noexcept { return pointers_; }

    /// Equal if of one kind and with the same pointers in any order.
    friend bool operator==(const FieldSelection& a, const FieldSelection& b) {
        return a.kind_ == b.kind_ && a.pointers_ == b.pointers_;
    }

    // The pointers as a tree, for the reader of a document. The root is node 0.
    struct Edge {
        std::string token;
        std::uint32_t node;
    };

    struct Node {
        std::vector<Edge> edges{};  // sorted by token
        std::uint32_t any = 0;      // the node below `*`; 0, the root, for none
        bool ends = false;          // a pointer ends here
    };

    [[nodiscard]] const std::vector<Node>& tree() const noexcept { return tree_; }

private:
    static Result<FieldSelection, PointerError> compile(Kind kind,
                                                        std::span<const std::string> pointers);

    Kind kind_ = Kind::everything;
    std::vector<std::string> pointers_;
    std::vector<Node> tree_;
};

}  // namespace counterfoil
