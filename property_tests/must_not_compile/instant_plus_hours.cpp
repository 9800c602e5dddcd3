// A coarser unit overflows on its way to microseconds before the addition can saturate.
// error: use of deleted function|selected deleted operator
#include <chrono>

#include <counterfoil/instant.hpp>

int main() {
    const counterfoil::Instant at{};
    const counterfoil::Instant good = at + counterfoil::Span{std::chrono::hours{1}};
#ifdef OFFENDING
    const counterfoil::Instant bad = at + std::chrono::hours{1};
#endif
    return good == at ? 1 : 0;
}
