#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <counterfoil/names.hpp>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

template <class Parsed>
void require_a_reason(const Parsed& parsed, std::string_view text) {
    if (parsed) {
        require(parsed->text() == text);
        return;
    }
    const auto& error = parsed.error();
    require(error.length == text.size());
    if (error.fault == counterfoil::NameFault::forbidden_byte) require(error.at < text.size());
}

}  // namespace

// Any bytes: what is a name is those bytes, what is none has a reason, and a birth is in 48 bits.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace counterfoil;
    const std::string_view text{reinterpret_cast<const char*>(data), size};

    const auto tenant = parse_tenant(text);
    const auto operation = parse_operation(text);
    const auto key = parse_key(text);
    const auto widest = parse_key(text, KeyRules::widest());
    require_a_reason(tenant, text);
    require_a_reason(operation, text);
    require_a_reason(key, text);
    require_a_reason(widest, text);
    require(tenant.has_value() == operation.has_value());
    if (key) require(tenant.has_value() && widest.has_value());

    const auto born = widest ? birth(*widest) : std::nullopt;
    if (!born) return 0;
    require(size == 36 || size == 26);
    const auto us = born->time_since_epoch().count();
    require(us >= 0 && us % 1'000 == 0 && us / 1'000 < std::int64_t{1} << 48U);
    return 0;
}
