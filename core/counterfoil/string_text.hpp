#pragma once

#include "counterfoil/canonical_json.hpp"
#include "counterfoil/text_blocks.hpp"

namespace counterfoil::detail {

/// How far a part of a string was read; or what is wrong with it, and where.
struct StringStep {
    Cursor cursor;  ///< a null `out` says that reading has failed, with `in` where
    JsonFault fault{};
};

/// Reads what doesn't stand for itself in a string, an escape or a character beyond ASCII, and the
/// others that follow it; writes them as RFC 8785 has it.
///
/// Requires: there is a byte at the cursor, and it is neither plain nor a quote.
[[nodiscard]] StringStep read_special(Cursor c, const char* end) noexcept;

/// Undoes the escapes of canonical text, and knows only those; returns the end of what it writes.
[[nodiscard]] char* unescape(const char* in, const char* end, char* out) noexcept;

}  // namespace counterfoil::detail
