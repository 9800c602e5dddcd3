#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include <CLI/CLI.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/receipt.hpp>
#include <counterfoil/settle.hpp>
#include <counterfoil/sqlite/store.hpp>

#include "cli/inputs.hpp"
#include "cli/program.hpp"

namespace counterfoil::cli {

/// The scope and the fence that `show` printed: what an operator may end.
struct PermitOptions {
    ScopeOptions scope;
    std::int64_t fence{};

    void add_to(CLI::App& command);

    /// Errors: Failure wrong_use.
    [[nodiscard]] Permit permit() const { return {scope.scope(), Fence{fence}}; }
};

/// The default policy for every operation.
[[nodiscard]] PolicyBook default_book();

/// Why nothing was written, for a person.
///
/// Errors: always: Failure not_found where there is no receipt, else finding.
[[noreturn]] void refuse(const refusal::Lost& why, const Permit& permit);
[[noreturn]] void refuse(const refusal::Fenced& why, const Permit& permit);
[[noreturn]] void refuse(const refusal::AlreadyCompleted& why, const Permit& permit);
[[noreturn]] void refuse(const refusal::StillHeld& why, const Permit& permit);
[[noreturn]] void refuse(const refusal::Unattributed& why, const Permit& permit);

/// Errors: Failure, where a transition was refused.
template <class Transition>
void expect_written(const Transition& transition, const Permit& permit) {
    std::visit(
        [&](const auto& came_to) {
            if constexpr (!requires { came_to.write; }) refuse(came_to, permit);
        },
        transition);
}

/// Says what was done.
void tell(Context& context, const Permit& permit, std::string_view word, std::string_view sentence);

}  // namespace counterfoil::cli
