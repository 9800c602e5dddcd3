#include "counterfoil/workspace.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "counterfoil/string_text.hpp"
#include "counterfoil/text_blocks.hpp"

namespace counterfoil::detail {

namespace {

// Up to this size an unsorted object is put in order by moving its members.
constexpr std::size_t movable_size = 2'048;

// Copies blocks as long as any of the bytes is in them: short pieces by the dozen are quicker this
// way than by calls of memcpy.
char* copy_blocks(const char* in, std::size_t size, char* out) {
    static_assert(Workspace::slack >= block_slack);
    for (std::size_t at = 0; at < size; at += block_slack) {
        std::memcpy(out + at, in + at, block_slack);
    }
    return out + size;
}

}  // namespace

void Workspace::start(std::size_t text_size) {
    text.reserve(text_size + slack);
    size = 0;
    names_size = 0;
    frames.shrink_to(0);
    frames.push({});
    members.shrink_to(0);
    large.clear();
}

Workspace::Arranged Workspace::arrange(const Frame& frame, std::size_t end) {
    const std::span<const Member> own{members.data() + frame.first_member, members.end()};
    if (const auto repeated = sorter.sort(own)) return {false, repeated};
    if (end - frame.begin <= movable_size) {
        move_members(frame, end);
        return {true};
    }
    note_large(frame, end);
    return {false};
}

std::size_t Workspace::member_end(std::size_t index, std::size_t end) const {
    return index + 1 == members.size() ? end : members[index + 1].begin;
}

void Workspace::move_members(const Frame& frame, std::size_t end) {
    scratch.reserve(movable_size + slack);
    char* out = scratch.data();
    for (const std::size_t place : sorter.order()) {
        const std::size_t index = frame.first_member + place;
        const std::size_t begin = members[index].begin;
        out = copy_blocks(text.data() + begin, member_end(index, end) - begin, out);
    }
    std::memcpy(text.data() + frame.begin, scratch.data(), end - frame.begin);
}

void Workspace::note_large(const Frame& frame, std::size_t end) {
    pieces.shrink_to(0);
    for (std::size_t i = frame.first_member; i != members.size(); ++i) {
        pieces.push({members[i].begin, member_end(i, end), Rearrangement::none});
    }
    large.note({pieces.data(), pieces.size()}, sorter.order(), frame.first_object);
}

std::string_view Workspace::keep_unescaped(const char* begin, const char* end, std::size_t most) {
    // Names don't move once they are put, so the room for all that may come is taken at the first.
    if (names_size == 0) names.reserve(most + slack);
    char* const name = names.data() + names_size;
    const auto name_size = static_cast<std::size_t>(unescape(begin, end, name) - name);
    names_size += name_size;
    return {name, name_size};
}

void Workspace::release(std::size_t retained_bytes) {
    names.release(retained_bytes);
    frames.release(retained_bytes);
    members.release(retained_bytes);
    sorter.release(retained_bytes);
    pieces.release(retained_bytes);
    large.release(retained_bytes);
    matcher.release(retained_bytes);
}

}  // namespace counterfoil::detail
