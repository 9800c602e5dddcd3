// Runs the whole kit on a store over a map, and on one that loses its last write.
#include <iostream>

#include <counterfoil/testing/conformance.hpp>
#include <counterfoil/testing/map_store.hpp>

namespace kit = counterfoil::testing;

int main() {
    const kit::Tally sound = kit::run_all(*kit::map_store(), std::cout);
    const kit::Tally broken =
        kit::run_all(*kit::map_store(kit::Defect::commit_loses_the_last_write), std::cout);
    return sound.is_good() && sound.passed == kit::rules().size() && broken.failed > 0 ? 0 : 1;
}
