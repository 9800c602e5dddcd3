#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// How the reader gets over the long dull parts of a text: what a string holds between its special
// bytes, and white space. There is one way that every processor can, and one with 16 bytes at a
// time; both give the same, and neither reads behind the end of the text.

namespace counterfoil::detail {

/// Where the reader is in the text, and where the writer is in the canonical text.
///
/// A null `in` says that reading has failed. Two words, so that it travels in registers: a pointer
/// kept in an object would be written to memory for each byte written through it.
struct Cursor {
    const char* in = nullptr;
    char* out = nullptr;
};

/// How many bytes may be written behind the place that a Cursor's `out` is moved to.
inline constexpr std::size_t block_slack = 16;

/// Whether a byte of a string stands for itself: no quote, backslash, control, and ASCII.
[[nodiscard]] constexpr bool is_plain(unsigned char byte) noexcept {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

[[nodiscard]] constexpr bool is_space(char byte) noexcept {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

[[nodiscard]] constexpr bool is_digit(char byte) noexcept {
    return byte >= '0' && byte <= '9';
}

struct PortableBlocks {
    /// Copies bytes that stand for themselves, up to the first that doesn't or the end; tells
    /// whether that is a quote.
    [[gnu::always_inline]] static bool copy_to_quote(Cursor& c, const char* end) noexcept {
        while (c.in != end && is_plain(static_cast<unsigned char>(*c.in))) *c.out++ = *c.in++;
        return c.in != end && *c.in == '"';
    }

    /// Copies digits, up to the first byte that is none or the end.
    [[gnu::always_inline]] static void copy_digits(Cursor& c, const char* end) noexcept {
        while (c.in != end && is_digit(*c.in)) *c.out++ = *c.in++;
    }

    /// The first byte from `in` on that is no white space, or the end.
    [[nodiscard, gnu::noinline]] static const char* skip_space(const char* in,
                                                               const char* end) noexcept {
        while (in != end && is_space(*in)) ++in;
        return in;
    }
};

#ifdef __SSE2__
struct Sse2Blocks {
    static constexpr std::size_t size = 16;

    [[gnu::always_inline]] static bool copy_to_quote(Cursor& c, const char* end) noexcept {
        while (left(c.in, end) >= size) {
            const __m128i block = load(c.in);
            // Bytes from 0x80 on are negative here, so one comparison finds them and the controls.
            const __m128i special =
                _mm_or_si128(_mm_cmplt_epi8(block, _mm_set1_epi8(0x20)),
                             _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')),
                                          _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'))));
            if (copy_until(special, block, c)) return *c.in == '"';
        }
        return PortableBlocks::copy_to_quote(c, end);
    }

    [[gnu::always_inline]] static void copy_digits(Cursor& c, const char* end) noexcept {
        PortableBlocks::copy_digits(c, end);
    }

    [[nodiscard, gnu::noinline]] static const char* skip_space(const char* in,
                                                               const char* end) noexcept {
        while (left(in, end) >= size) {
            const __m128i block = load(in);
            const __m128i space =
                _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8(' ')),
                                          _mm_cmpeq_epi8(block, _mm_set1_epi8('\n'))),
                             _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\r')),
                                          _mm_cmpeq_epi8(block, _mm_set1_epi8('\t'))));
            const auto other = ~static_cast<unsigned>(_mm_movemask_epi8(space)) & 0xFFFFU;
            if (other != 0) return in + std::countr_zero(other);
            in += size;
        }
        return PortableBlocks::skip_space(in, end);
    }

private:
    // Copies the block up to its first marked byte; false if none is marked.
    [[gnu::always_inline]] static bool copy_until(__m128i marks, __m128i block,
                                                  Cursor& c) noexcept {
        std::memcpy(c.out, &block, sizeof block);
        const auto found = static_cast<unsigned>(_mm_movemask_epi8(marks));
        const auto copied = found != 0 ? static_cast<std::size_t>(std::countr_zero(found)) : size;
        c.in += copied;
        c.out += copied;
        return found != 0;
    }

    [[nodiscard]] static std::size_t left(const char* in, const char* end) noexcept {
        return static_cast<std::size_t>(end - in);
    }

    [[nodiscard]] static __m128i load(const char* in) noexcept {
        __m128i block;
        std::memcpy(&block, in, sizeof block);
        return block;
    }
};

using FastestBlocks = Sse2Blocks;
#else
using FastestBlocks = PortableBlocks;
#endif

}  // namespace counterfoil::detail
