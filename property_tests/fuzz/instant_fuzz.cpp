#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include <counterfoil/instant.hpp>

// Every instant has a text, and texts within one sign and length sort as their instants do.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using counterfoil::Instant;
    using counterfoil::Span;

    std::int64_t us = 0;
    if (size != sizeof us) return 0;
    std::memcpy(&us, data, sizeof us);

    const Instant at{Span{us}};
    const std::string text = counterfoil::to_rfc3339(at);
    if (at == Instant::max()) return text == "never" ? 0 : (std::abort(), 0);

    if (text.size() != 27 && text.size() != 30) std::abort();
    if (text.back() != 'Z') std::abort();
    const std::string next = counterfoil::to_rfc3339(at + Span{1});
    if (next.size() == text.size() && text.front() != '-' && next <= text) std::abort();
    return 0;
}
