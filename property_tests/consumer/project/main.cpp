#include <counterfoil/instant.hpp>

int main() {
    const counterfoil::Instant epoch{};
    return counterfoil::to_rfc3339(epoch) == "1970-01-01T00:00:00.000000Z" ? 0 : 1;
}
