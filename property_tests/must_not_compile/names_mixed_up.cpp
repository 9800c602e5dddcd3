// error: (cannot convert|could not convert|no (viable|known) conversion|no matching)
// A tenant is no key: each kind of name is a type of its own.
#include <counterfoil/names.hpp>

counterfoil::Scope scope_of(const counterfoil::Tenant& tenant,
                            const counterfoil::Operation& operation, const counterfoil::Key& key) {
#ifdef OFFENDING
    return {key, operation, tenant};
#else
    return {tenant, operation, key};
#endif
}
