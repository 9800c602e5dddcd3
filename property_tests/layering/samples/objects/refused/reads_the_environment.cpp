// refused: may not call (secure_)?getenv$
#include <cstdlib>

namespace counterfoil {

const char* home() {
    return std::getenv("HOME");
}

}  // namespace counterfoil
