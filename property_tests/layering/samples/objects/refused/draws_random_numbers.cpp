// refused: may not call rand$
#include <cstdlib>

namespace counterfoil {

int token() {
    return std::rand();
}

}  // namespace counterfoil
