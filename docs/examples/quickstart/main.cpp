#include <chrono>
#include <cstdio>

#include <counterfoil/instant.hpp>

int main() {
    using namespace std::chrono_literals;

    const counterfoil::Instant received{counterfoil::Span{20'000 * 24h}};
    std::puts(counterfoil::to_rfc3339(received + counterfoil::Span{30s}).c_str());
    return 0;
}
