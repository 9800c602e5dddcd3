#include "counterfoil/json_reader.hpp"

#include <algorithm>
#include <cstring>

#include "counterfoil/number_text.hpp"
#include "counterfoil/string_text.hpp"
#include "counterfoil/text_blocks.hpp"

// One pass over the text, with a frame for each open container instead of recursion. The canonical
// text is written as the text is read; each value is followed by a comma, and the closing bracket
// takes the place of the last one. An object whose members came unsorted is put in order when it
// closes.
//
// Room: what is still to be read never needs more room than it has bytes, but for numbers (`1e20`)
// and for the comma that a large unsorted object keeps; each of these makes room anew. So there is
// no check where a byte is written.
//
// Speed: what nearly every text goes through is inlined into one loop, so that the cursor stays in
// registers; the rest is kept out of it on purpose, and takes the cursor by value.

namespace counterfoil::detail {

namespace {

static_assert(Workspace::slack >= 2 * block_slack);

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

template <class Text, bool selecting>
class Reader {
public:
    Reader(std::string_view text, const ReadOptions& options, Workspace& workspace)
        : begin_(text.data()),
          end_(text.data() + text.size()),
          options_(options),
          plain_digits_(options.numbers == Numbers::exact ? 21 : 15),
          space_(workspace) {}

    std::optional<JsonError> read(const FieldSelection& selection);

private:
    [[gnu::noinline]] bool fail(JsonFault fault, const char* at) {
        error_ = {fault, static_cast<std::size_t>(at - begin_)};
        return false;
    }

    // For a byte that can't stand where it does, or isn't there.
    bool fail_at(const char* at) {
        return fail(at == end_ ? JsonFault::unexpected_end : JsonFault::syntax, at);
    }

    [[nodiscard]] bool at(const char* in, char byte) const { return in != end_ && *in == byte; }

    // Goes to the next byte that isn't white space, if there is one.
    [[gnu::always_inline]] bool to_token(Cursor& c) {
        if (c.in != end_ && static_cast<unsigned char>(*c.in) > ' ') [[likely]]
            return true;
        c.in = Text::skip_space(c.in, end_);
        return c.in != end_ || fail(JsonFault::unexpected_end, end_);
    }

    [[nodiscard]] std::size_t offset(const char* out) const {
        return static_cast<std::size_t>(out - space_.text.data());
    }

    [[nodiscard]] FieldMatcher::Mark mark(const char* out) const {
        return {offset(out), space_.large.objects()};
    }

    bool document(Cursor& c);
    bool value(Cursor& c);
    bool open(Cursor& c, char closer);
    bool close(Cursor& c);
    void ended(Cursor& c);
    bool name(Cursor& c);
    void note_member(const Member& member);
    bool string(Cursor& c, bool& special);
    bool literal(Cursor& c, std::string_view word);
    bool number(Cursor& c);
    Cursor read_special_bytes(Cursor c);
    Cursor any_number(Cursor c);
    Cursor close_unsorted(Cursor c);
    Cursor make_room(Cursor c, std::size_t more);

    const char* begin_;
    const char* end_;
    ReadOptions options_;
    std::ptrdiff_t plain_digits_;  // so many make the same text whatever their place
    Workspace& space_;
    JsonError error_{};
    Frame* frame_ = nullptr;  // the innermost
};

template <class Text, bool selecting>
std::optional<JsonError> Reader<Text, selecting>::read(const FieldSelection& selection) {
    const std::string_view text{begin_, static_cast<std::size_t>(end_ - begin_)};
    if (text.starts_with(byte_order_mark)) return JsonError{JsonFault::byte_order_mark, 0};
    space_.start(text.size());
    frame_ = &space_.frames.back();
    if constexpr (selecting) space_.matcher.start(selection);

    Cursor c{begin_, space_.text.data()};
    if (!document(c)) return error_;
    c.in = Text::skip_space(c.in, end_);
    if (c.in != end_) {
        return JsonError{JsonFault::trailing_text, static_cast<std::size_t>(c.in - begin_)};
    }
    // The document, too, has a comma behind it, unless nothing of it was selected.
    const std::size_t written = offset(c.out);
    space_.size = written == 0 ? 0 : written - 1;
    return std::nullopt;
}

// From the beginning of the text to behind the document.
template <class Text, bool selecting>
// NOLINTNEXTLINE(readability-function-cognitive-complexity): one loop, for the reason at the top
[[gnu::always_inline]] inline bool Reader<Text, selecting>::document(Cursor& c) {
    while (true) {
        if (frame_->closer == '}') {
            if (!name(c)) return false;
        } else if constexpr (selecting) {
            if (frame_->closer == ']') space_.matcher.element(mark(c.out));
        }
        if (!to_token(c)) return false;
        if (*c.in == '{' || *c.in == '[') {
            if (!open(c, *c.in == '{' ? '}' : ']') || !to_token(c)) return false;
            if (*c.in != frame_->closer) continue;
        } else {
            if (!value(c)) return false;
            ended(c);
        }
        // What ends here, as far as it does.
        while (true) {
            if (frame_->closer == '\0') return true;
            if (!to_token(c)) return false;
            if (*c.in == ',') break;
            if (*c.in != frame_->closer) return fail(JsonFault::syntax, c.in);
            if (!close(c)) return false;
            ended(c);
        }
        ++c.in;
    }
}

template <class Text, bool selecting>
[[gnu::always_inline]] inline bool Reader<Text, selecting>::open(Cursor& c, char closer) {
    if (space_.frames.size() > options_.max_depth) return fail(JsonFault::too_deep, c.in);
    *c.out++ = *c.in++;
    space_.frames.push(
        {offset(c.out), space_.members.size(), space_.large.objects(), closer, false});
    frame_ = &space_.frames.back();
    if constexpr (selecting) space_.matcher.open();
    return true;
}

template <class Text, bool selecting>
[[gnu::always_inline]] inline bool Reader<Text, selecting>::close(Cursor& c) {
    if (frame_->unsorted) {
        c = close_unsorted(c);
        if (c.in == nullptr) return false;
    } else {
        // The closing bracket takes the place of the last comma.
        if (c.out[-1] == ',') --c.out;
        *c.out++ = *c.in++;
    }
    space_.members.shrink_to(frame_->first_member);
    space_.frames.pop();
    frame_ = &space_.frames.back();
    if constexpr (selecting) space_.matcher.close();
    return true;
}

template <class Text, bool selecting>
[[gnu::noinline]] Cursor Reader<Text, selecting>::close_unsorted(Cursor c) {
    const auto arranged = space_.arrange(*frame_, offset(c.out));
    if (arranged.repeated) {
        fail(JsonFault::duplicate_name, begin_ + *arranged.repeated);
        return {};
    }
    // What is noted instead of moved keeps the comma of each member, the last one included.
    if (!arranged.moved) {
        c = make_room(c, 1);
    } else if (c.out[-1] == ',') {
        --c.out;
    }
    *c.out++ = *c.in++;
    return c;
}

// Behind a value: what is not selected is taken back, else a comma follows.
template <class Text, bool selecting>
[[gnu::always_inline]] inline void Reader<Text, selecting>::ended(Cursor& c) {
    if constexpr (selecting) {
        if (const auto back = space_.matcher.leave()) {
            c.out = space_.text.data() + back->size;
            space_.large.forget_from(back->objects);
            return;
        }
    }
    *c.out++ = ',';
}

// Reads a name and its colon.
template <class Text, bool selecting>
[[gnu::always_inline]] inline bool Reader<Text, selecting>::name(Cursor& c) {
    if (!to_token(c)) return false;
    if (*c.in != '"') return fail(JsonFault::syntax, c.in);
    const char* const quote = c.in;
    const char* const begin = c.out;
    bool special = false;
    if (!string(c, special)) return false;

    std::string_view name{quote + 1, static_cast<std::size_t>(c.in - quote - 2)};
    // The word that the order begins with comes from the text, which was not written just now,
    // unless the text ends too soon.
    const char* readable = end_ - quote > 8 ? quote + 1 : begin + 1;
    if (special) [[unlikely]] {
        name = space_.keep_unescaped(begin + 1, c.out - 1, static_cast<std::size_t>(end_ - begin_));
        readable = name.data();
    }
    if constexpr (selecting) space_.matcher.member(name, mark(begin));
    note_member({first_word(readable, name.size()), name, offset(begin),
                 static_cast<std::size_t>(quote - begin_)});

    if (!at(c.in, ':')) [[unlikely]] {
        if (!to_token(c)) return false;
        if (*c.in != ':') return fail(JsonFault::syntax, c.in);
    }
    ++c.in;
    *c.out++ = ':';
    return true;
}

template <class Text, bool selecting>
[[gnu::always_inline]] inline void Reader<Text, selecting>::note_member(const Member& member) {
    auto& members = space_.members;
    if (members.size() != frame_->first_member && !precedes(members.back(), member)) {
        frame_->unsorted = true;
    }
    members.push(member);
}

template <class Text, bool selecting>
[[gnu::always_inline]] inline bool Reader<Text, selecting>::value(Cursor& c) {
    switch (*c.in) {
        case '"': {
            bool special = false;
            return string(c, special);
        }
        case 't': return literal(c, "true");
        case 'f': return literal(c, "false");
        case 'n': return literal(c, "null");
        default: return number(c);
    }
}

template <class Text, bool selecting>
[[gnu::always_inline]] inline bool Reader<Text, selecting>::literal(Cursor& c,
                                                                    std::string_view word) {
    if (!std::string_view{c.in, static_cast<std::size_t>(end_ - c.in)}.starts_with(word)) {
        return fail_at(std::mismatch(c.in, end_, word.begin(), word.end()).first);
    }
    std::memcpy(c.out, word.data(), word.size());
    c.in += word.size();
    c.out += word.size();
    return true;
}

// Most numbers are in canonical form already, but for zeros at the end of a fraction: no exponent,
// no more digits than count in any case, and no zeros in front but those that a fraction may have.
template <class Text, bool selecting>
// NOLINTNEXTLINE(readability-function-cognitive-complexity): inlined like what it is called from
[[gnu::always_inline]] inline bool Reader<Text, selecting>::number(Cursor& c) {
    Cursor to = c;
    if (*to.in == '-') *to.out++ = *to.in++;
    const char* const digits = to.in;
    Text::copy_digits(to, end_);
    std::ptrdiff_t count = to.in - digits;
    bool plain = count != 0 && (*digits != '0' || (count == 1 && digits == c.in));
    if (at(to.in, '.')) {
        *to.out++ = *to.in++;
        const char* significant = to.in;
        Text::copy_digits(to, end_);
        count += to.in - significant;
        if (*digits == '0') {
            plain = to.in - digits > 1 && digits[1] == '.';
            const char* const decimals = significant;
            while (significant != to.in && *significant == '0') ++significant;
            plain = plain && significant - decimals < 6;
        }
        plain = plain && significant != to.in;
        while (to.out[-1] == '0') --to.out;
        if (to.out[-1] == '.') --to.out;
    }
    if (!plain || count > plain_digits_ || at(to.in, 'e') || at(to.in, 'E')) {
        c = any_number(c);
        return c.in != nullptr;
    }
    c = to;
    return true;
}

template <class Text, bool selecting>
[[gnu::noinline]] Cursor Reader<Text, selecting>::any_number(Cursor c) {
    const NumberEnd token_end = number_end(c.in, end_);
    if (!token_end.valid) {
        fail_at(token_end.at);
        return {};
    }
    const auto size = static_cast<std::size_t>(token_end.at - c.in);
    c = make_room(c, max_number_size(size));
    char* const out = write_number({c.in, size}, options_.numbers, c.out);
    if (out == nullptr) {
        fail(JsonFault::number_out_of_range, c.in);
        return {};
    }
    return {token_end.at, out};
}

// `special` tells whether all of it stood for itself.
template <class Text, bool selecting>
[[gnu::always_inline]] inline bool Reader<Text, selecting>::string(Cursor& c, bool& special) {
    *c.out++ = *c.in++;
    while (!Text::copy_to_quote(c, end_)) {
        special = true;
        c = read_special_bytes(c);
        if (c.in == nullptr) return false;
    }
    *c.out++ = *c.in++;
    return true;
}

template <class Text, bool selecting>
[[gnu::noinline]] Cursor Reader<Text, selecting>::read_special_bytes(Cursor c) {
    if (c.in == end_) {
        fail(JsonFault::unexpected_end, end_);
        return {};
    }
    const StringStep step = read_special(c, end_);
    if (step.cursor.out != nullptr) return step.cursor;
    fail(step.fault, step.cursor.in);
    return {};
}

// Room for `more` bytes besides what is to be read.
template <class Text, bool selecting>
Cursor Reader<Text, selecting>::make_room(Cursor c, std::size_t more) {
    const std::size_t used = offset(c.out);
    const std::size_t needed =
        used + more + static_cast<std::size_t>(end_ - c.in) + Workspace::slack;
    if (needed > space_.text.capacity()) {
        space_.text.reserve(std::max(needed, 2 * space_.text.capacity()), used);
        c.out = space_.text.data() + used;
    }
    return c;
}

template <class Text>
std::optional<JsonError> read_with(std::string_view text, const FieldSelection& selection,
                                   const ReadOptions& options, Workspace& workspace) {
    if (selection.kind() == FieldSelection::Kind::everything) {
        return Reader<Text, false>{text, options, workspace}.read(selection);
    }
    return Reader<Text, true>{text, options, workspace}.read(selection);
}

}  // namespace

std::optional<JsonError> read_json(std::string_view text, const FieldSelection& selection,
                                   const ReadOptions& options, Workspace& workspace) {
    return options.blocks == Blocks::fastest
               ? read_with<FastestBlocks>(text, selection, options, workspace)
               : read_with<PortableBlocks>(text, selection, options, workspace);
}

}  // namespace counterfoil::detail
