#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/names.hpp"
#include "counterfoil/result.hpp"

namespace counterfoil::http {

/// How a key may be written in its field.
enum class KeySyntax {
    string_or_bare,  ///< `"key"`, or `key` without quotes; the same key either way
    string_only,     ///< `"key"`, as the draft of the field asks for
};

enum class KeyFieldFault {
    missing,          ///< no line, or nothing in any line
    differing_lines,  ///< two lines with two keys
    malformed,        ///< no string item, at `at`: a quote without its fellow, text behind it, …
    not_a_string,     ///< an item of another type, where only strings are taken
    not_a_key,        ///< well written, but not a key by the rules; `name` says why
};

/// Why a field holds no key. Nothing of what was sent is in it.
struct KeyFieldError {
    KeyFieldFault fault{};
    std::size_t at{};                 ///< offset into the line at fault, of malformed
    std::optional<NameError> name{};  ///< of not_a_key; its offset is into the key

    friend bool operator==(const KeyFieldError&, const KeyFieldError&) = default;
};

/// Reads the key out of the lines of its field.
///
///   - a line that begins with a quote is a structured field's item that must be a string: quotes
///     off, `\"` and `\\` unescaped; parameters must be well written, and are ignored;
///   - any other is bare: taken as it is up to the end, and may not have `"`, `,` or `;` in it,
///     since those say that it was meant for something else;
///   - spaces round a line don't count, nor tabs where a bare key is taken;
///   - lines that hold the same key count once.
///
/// Under string_only a second line is an error, at the end of the first. (RFC 9651 section 4.2
/// would join them by a comma, which can be well written only where the cut is inside of quotes,
/// and lets a reader refuse that.)
///
/// Errors: the first that holds, in the order of KeyFieldFault but for differing_lines, which is
///         told last.
/// Source: RFC 9651 sections 3.3, 4.2; draft-ietf-httpapi-idempotency-key-header-07 section 2.1.
[[nodiscard]] Result<Key, KeyFieldError> parse_key_field(const std::vector<std::string_view>& lines,
                                                         const KeyRules& rules = {},
                                                         KeySyntax syntax = {});

/// One sentence for whoever sent it: what is wrong, and where.
[[nodiscard]] std::string describe(const KeyFieldError& error);

}  // namespace counterfoil::http
