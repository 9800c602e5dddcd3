// The core's clock has no now(): time is an argument.
// error: 'now' is not a member|no member named 'now'
#include <counterfoil/instant.hpp>

int main() {
    const counterfoil::Instant good{counterfoil::Span{1}};
#ifdef OFFENDING
    const counterfoil::Instant bad = counterfoil::Instant::clock::now();
#endif
    return good == counterfoil::Instant{} ? 1 : 0;
}
