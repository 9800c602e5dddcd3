// refused: may not call (puts|printf)$
#include <cstdio>

namespace counterfoil {

void report(const char* text) {
    std::puts(text);
}

}  // namespace counterfoil
