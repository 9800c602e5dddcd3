#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace counterfoil::detail {

/// A value in canonical JSON, and where it stands.
struct CanonicalField {
    std::string pointer;
    std::string_view value;
};

struct CanonicalFields {
    std::vector<CanonicalField> first;  ///< the first in byte order of their pointers, sorted
    std::size_t left_out{};             ///< how many more there were
};

/// Cuts canonical JSON into fields: what stands `depth` levels down, whatever it is, and above that
/// scalars and empty containers. No bytes at all, where nothing was selected, have no field.
///
/// Requires: `canonical` is what Canonicalizer writes.
[[nodiscard]] CanonicalFields canonical_fields(std::string_view canonical, std::size_t depth,
                                               std::size_t max_fields);

}  // namespace counterfoil::detail
