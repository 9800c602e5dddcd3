// error: no matching
// Figures that nobody has looked at are no policy.
#include <counterfoil/judge.hpp>

counterfoil::Verdict decide(const counterfoil::Request& request,
                            const counterfoil::PolicyFigures& figures,
                            const counterfoil::Policy& policy) {
    const counterfoil::Policy& used = policy;
#ifdef OFFENDING
    return counterfoil::judge(request, std::nullopt, counterfoil::Instant{}, figures);
#endif
    return counterfoil::judge(request, std::nullopt, counterfoil::Instant{},
                              figures == used.figures() ? used : policy);
}
