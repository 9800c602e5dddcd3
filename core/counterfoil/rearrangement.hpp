#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "counterfoil/stack.hpp"

namespace counterfoil::detail {

/// Tells in which order the pieces of a text are to be read, where moving them would cost too much.
///
/// A large object whose members come unsorted stays in the text as it is, and is noted here with
/// the sorted order of its members; so a member deep inside isn't copied once for each level around
/// it. Each piece is a member with the comma behind it, and the last one is read without it.
class Rearrangement {
public:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    struct Piece {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t first_object = none;  // the first noted object in it
    };

    [[nodiscard]] std::size_t objects() const noexcept { return objects_.size(); }

    void clear() noexcept { forget_from(0); }

    /// Forgets the objects noted since there were `objects`.
    void forget_from(std::size_t objects) noexcept {
        if (objects == objects_.size()) return;
        pieces_.shrink_to(objects_[objects].first_piece);
        objects_.shrink_to(objects);
    }

    void release(std::size_t retained_bytes) {
        objects_.release(retained_bytes);
        pieces_.release(retained_bytes);
        path_.release(retained_bytes);
    }

    /// Notes an object: `pieces` are its members in the order of the text, `order` their indexes in
    /// sorted order. Objects inside it must have been noted before, those since there were `since`.
    ///
    /// Requires: the pieces follow one another without a gap, and one at least isn't empty.
    void note(std::span<Piece> pieces, std::span<const std::size_t> order, std::size_t since) {
        link(since, pieces);
        const std::size_t first_piece = pieces_.size();
        for (const std::size_t index : order) {
            // An empty piece is a member that was left out.
            if (pieces[index].begin != pieces[index].end) pieces_.push(pieces[index]);
        }
        objects_.push({pieces.front().begin, pieces.back().end, first_piece,
                       pieces_.size() - first_piece, none, since});
    }

    /// Gives the text to `read(begin, size)`, piece by piece in order.
    template <class Read>
    void visit(const char* text, std::size_t size, Read read) {
        path_.shrink_to(0);
        path_.push(Place{Piece{0, size, link(0, {})}, 0, 1});
        while (path_.size() != 0) {
            Place& place = path_.back();
            Piece& piece = place.piece;
            if (piece.first_object != none && objects_[piece.first_object].begin < piece.end) {
                const Object& object = objects_[piece.first_object];
                read(text + piece.begin, object.begin - piece.begin);
                piece.begin = object.end;
                piece.first_object = object.next;
                enter(object);
                continue;
            }
            read(text + piece.begin, piece.end - piece.begin);
            if (++place.next == place.end) {
                path_.pop();
            } else {
                piece = at(place.next, place.end);
            }
        }
    }

private:
    struct Object {
        std::size_t begin;
        std::size_t end;
        std::size_t first_piece;
        std::size_t piece_count;
        std::size_t next;   // the object behind it that has the same parent
        std::size_t since;  // its first descendant: they are noted before it, without a gap
    };

    struct Place {
        Piece piece;
        std::size_t next = 0;
        std::size_t end = 0;
    };

    [[nodiscard]] Piece at(std::size_t index, std::size_t end) const {
        Piece piece = pieces_[index];
        if (index + 1 == end) --piece.end;
        return piece;
    }

    void enter(const Object& object) {
        const std::size_t end = object.first_piece + object.piece_count;
        path_.push(Place{at(object.first_piece, end), object.first_piece, end});
    }

    // Links the topmost objects since `since` in the order of the text, tells each piece its first
    // one, and returns the first of all.
    std::size_t link(std::size_t since, std::span<Piece> pieces) {
        std::size_t next = none;
        std::size_t piece = pieces.size();
        for (std::size_t i = objects_.size(); i != since;) {
            --i;
            objects_[i].next = next;
            next = i;
            if (!pieces.empty()) {
                while (objects_[i].begin < pieces[piece - 1].begin) --piece;
                pieces[piece - 1].first_object = i;
            }
            i = objects_[i].since;
        }
        return next;
    }

    Stack<Object> objects_;
    Stack<Piece> pieces_;
    Stack<Place> path_;
};

}  // namespace counterfoil::detail
