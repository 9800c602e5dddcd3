#include "cli/permit.hpp"

#include <ostream>
#include <string>

#include <boost/json.hpp>

#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

Failure refused(const std::string& why) {
    return {Exit::finding, why + "; nothing was written"};
}

}  // namespace

void PermitOptions::add_to(CLI::App& command) {
    scope.add_to(command);
    command.add_option("--fence", fence, "The fence that `show` prints")
        ->required()
        ->type_name("N");
}

PolicyBook default_book() {
    return PolicyOption{}.book();
}

void refuse(const refusal::Lost& /*why*/, const Permit& permit) {
    throw Failure{Exit::not_found, "there is no receipt of " + describe(permit.scope)};
}

void refuse(const refusal::Fenced& why, const Permit& permit) {
    throw refused("the receipt of " + describe(permit.scope) + " has changed hands: its fence is " +
                  std::to_string(why.newest.number));
}

void refuse(const refusal::AlreadyCompleted& why, const Permit& permit) {
    throw refused("the receipt of " + describe(permit.scope) + " was completed with " +
                  std::to_string(why.ended.status) + " at " + to_rfc3339(why.ended.completed_at));
}

void refuse(const refusal::StillHeld& why, const Permit& permit) {
    throw refused("the receipt of " + describe(permit.scope) +
                  " is being worked on: its holder may write until " + to_rfc3339(why.until));
}

void refuse(const refusal::Unattributed& /*why*/, const Permit& /*permit*/) {
    throw Failure{Exit::wrong_use, "--by and --evidence must say something"};
}

void tell(Context& context, const Permit& permit, std::string_view word,
          std::string_view sentence) {
    if (context.json) {
        context.out << json_line({{"tenant", json_text(permit.scope.tenant.text())},
                                  {"operation", json_text(permit.scope.operation.text())},
                                  {"key", json_text(permit.scope.key.text())},
                                  {"fence", permit.fence.number},
                                  {"done", word}})
                    << '\n';
    } else {
        context.out << word << ": " << describe(permit.scope) << "; " << sentence << '\n';
    }
}

}  // namespace counterfoil::cli
