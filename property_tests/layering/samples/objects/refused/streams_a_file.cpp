// refused: may not call .*(basic_ifstream|basic_filebuf|basic_ios|ios_base)
#include <fstream>

namespace counterfoil {

int first(const char* path) {
    return std::ifstream{path}.get();
}

}  // namespace counterfoil
