#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "counterfoil/canonical_json.hpp"

namespace counterfoil::detail {

/// Appends a value as JSON text that reads back as it, digit for digit; canonical it is not.
///
/// Errors: too_deep beyond `max_depth` containers, number_out_of_range for NaN and infinity.
[[nodiscard]] std::optional<JsonFault> write_value(const boost::json::value& value,
                                                   std::size_t max_depth, std::string& out);

}  // namespace counterfoil::detail
