// error: (ignoring return value|unused-result)
// Whether a transition was refused can't be overlooked.
#include <counterfoil/settle.hpp>

bool give_back(const std::optional<counterfoil::Receipt>& found,
               const counterfoil::Permit& permit) {
#ifdef OFFENDING
    counterfoil::release(found, permit);
#endif
    return std::holds_alternative<counterfoil::settled::Released>(
        counterfoil::release(found, permit));
}
