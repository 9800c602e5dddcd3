#include "counterfoil/is_utf8.hpp"

#include <memory>

#include "counterfoil/utf8.hpp"

namespace counterfoil::detail {

bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        const auto size = utf8_sequence(text.data(), std::to_address(text.end()));
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

}  // namespace counterfoil::detail
