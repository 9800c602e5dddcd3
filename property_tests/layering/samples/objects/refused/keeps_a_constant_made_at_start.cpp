// refused: may not keep counterfoil::.*prefix
#include <string>

namespace counterfoil {

const std::string& prefix() {
    static const std::string prefix = "a text too long to be stored within the string";
    return prefix;
}

}  // namespace counterfoil
