#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <counterfoil/scheme.hpp>

// Any bytes are read or refused with a place within them; what is read is written back as it was.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view name{reinterpret_cast<const char*>(data), size};
    const auto scheme = counterfoil::parse_scheme(name);
    if (!scheme) {
        if (scheme.error().at > size) std::abort();
        return 0;
    }
    const auto written = counterfoil::name_of(*scheme);
    if (written.text != name) std::abort();
    if (counterfoil::parse_scheme(written.text) != scheme) std::abort();
    return 0;
}
