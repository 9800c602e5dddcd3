#include "counterfoil/admission.hpp"

#include <algorithm>
#include <cassert>

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

namespace {

using admission::Ground;

admission::Refused refused(Ground ground, Span retry_after) {
    return {ground, std::max(retry_after, Span{1})};
}

/// The window that `now` is in, as far as it has been used.
FallbackUse window_at(Instant now, Span length, const std::optional<FallbackUse>& used) {
    if (!used || now - used->opened >= length) return {now, 0};
    return {std::min(used->opened, now), used->reads};
}

Admission read_while_down(Instant now, const FallbackRule& rule,
                          const std::optional<FallbackUse>& used) {
    FallbackUse use = window_at(now, rule.window, used);
    if (use.reads >= rule.reads) {
        return refused(Ground::dependency_down, rule.window - (now - use.opened));
    }
    ++use.reads;
    return admission::FellOpen{use};
}

}  // namespace

Admission admit(Access access, const Budget& budget, Instant now, const FallbackRule& rule,
                const std::optional<FallbackUse>& used) {
    assert(rule.window > Span{0});
    return std::visit(overloaded{
                          [](const budget::Within&) -> Admission { return admission::Admitted{}; },
                          [](const budget::Spent& spent) -> Admission {
                              return refused(Ground::budget_spent, spent.back_in);
                          },
                          [&](const budget::Unreachable&) -> Admission {
                              if (access == Access::read) return read_while_down(now, rule, used);
                              return refused(Ground::dependency_down, rule.create_again_in);
                          },
                      },
                      budget);
}

}  // namespace counterfoil
