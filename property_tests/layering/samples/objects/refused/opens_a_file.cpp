// refused: may not call fopen$
#include <cstdio>

namespace counterfoil {

std::FILE* receipts() {
    return std::fopen("receipts", "r");
}

}  // namespace counterfoil
