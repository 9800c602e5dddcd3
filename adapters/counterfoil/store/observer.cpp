#include "counterfoil/store/observer.hpp"

namespace counterfoil {

std::string_view told(const Observation& observation) {
    if (!observation.reply.empty()) return observation.reply;
    return observation.fault ? word(*observation.fault) : std::string_view{"error"};
}

}  // namespace counterfoil
