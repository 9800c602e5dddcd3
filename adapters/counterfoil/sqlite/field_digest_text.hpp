#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "counterfoil/field_digests.hpp"

namespace counterfoil::sqlite {

// How field digests are stored: JSON with the digests in lower-case hexadecimal, in the order of
// their pointers. *Stored; never changed.*
//
//   {"secret":"s1","depth":2,"max_fields":64,"left_out":0,"fields":[["/amount","00ff…"],…]}

[[nodiscard]] std::string to_text(const FieldDigests& digests);

/// Returns: nothing where the text is not what to_text() writes.
[[nodiscard]] std::optional<FieldDigests> field_digests_from_text(std::string_view text);

}  // namespace counterfoil::sqlite
