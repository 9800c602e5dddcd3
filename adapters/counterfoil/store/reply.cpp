#include "counterfoil/store/reply.hpp"

#include <type_traits>

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

const Answer* answer_of(const Reply& reply) {
    if (const auto* performed = std::get_if<reply::Performed>(&reply)) return &performed->answer;
    if (const auto* replay = std::get_if<verdict::Replay>(&reply)) return &replay->answer;
    return nullptr;
}

std::string_view word(const Reply& reply) {
    return std::visit(
        overloaded{
            [](const reply::Performed& performed) -> std::string_view {
                return performed.why.rule == Rule::lease_lapsed ? "take_over" : "create";
            },
            [](const reply::NotAdmitted&) -> std::string_view { return "not_admitted"; },
            [](const reply::Unreadable&) -> std::string_view { return "unreadable"; },
            [](const auto& verdict) { return word(verdict); },
        },
        reply);
}

const Why* why(const Reply& reply) {
    return std::visit(overloaded{
                          [](const reply::NotAdmitted&) -> const Why* { return nullptr; },
                          [](const reply::Unreadable&) -> const Why* { return nullptr; },
                          [](const auto& decided) -> const Why* { return &decided.why; },
                      },
                      reply);
}

}  // namespace counterfoil
