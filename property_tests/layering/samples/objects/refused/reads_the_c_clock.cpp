// refused: may not call time$
#include <ctime>

namespace counterfoil {

auto seconds() {
    return std::time(nullptr);
}

}  // namespace counterfoil
