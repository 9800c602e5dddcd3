#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/answer.hpp"

namespace counterfoil::sqlite {

// How the header fields of an answer are stored. *Stored; never changed.*
//
//   fields = *(name ":" value LF)
//
// In names and values a backslash is written `\\`, LF `\n`, CR `\r`, NUL `\0`, and in names a colon
// `\:`.

[[nodiscard]] std::string to_lines(const std::vector<Field>& fields);

/// Returns: nothing where the text is not what to_lines() writes.
[[nodiscard]] std::optional<std::vector<Field>> from_lines(std::string_view lines);

}  // namespace counterfoil::sqlite
