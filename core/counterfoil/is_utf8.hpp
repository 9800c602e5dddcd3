#pragma once

#include <string_view>

namespace counterfoil::detail {

/// Whether a text is a row of well-formed sequences (utf8_sequence).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace counterfoil::detail
