#pragma once

#include <string_view>

#include <counterfoil/answer.hpp>

namespace order_service {

/// An answer of this program's own that says what is wrong, as `application/problem+json` of type
/// about:blank.
///
/// Source: RFC 9457 sections 3 and 4.2.1.
[[nodiscard]] counterfoil::Answer problem(int status, std::string_view title,
                                          std::string_view detail = {});

}  // namespace order_service
