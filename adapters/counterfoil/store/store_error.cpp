#include "counterfoil/store/store_error.hpp"

namespace counterfoil {

std::string_view word(StoreFault fault) {
    switch (fault) {
        case StoreFault::busy: return "busy";
        case StoreFault::unavailable: return "unavailable";
        case StoreFault::corrupt: return "corrupt";
        case StoreFault::refused: return "refused";
    }
    return "";
}

}  // namespace counterfoil
