#include "policies.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace payments {

namespace {

namespace cf = counterfoil;

constexpr cf::Span clients_retry_for = std::chrono::hours{24};
constexpr cf::Span longest_handler = std::chrono::seconds{20};

[[noreturn]] void refuse(const std::vector<cf::PolicyFault>& faults) {
    std::string text;
    for (const cf::PolicyFault& fault : faults) {
        text += (text.empty() ? "" : "; ") + fault.pointer + ": " + fault.detail;
    }
    throw std::runtime_error{text};
}

cf::Policy with_lease(const cf::Policy& policy, cf::Span lease) {
    cf::PolicyFigures figures = policy.figures();
    figures.lease = lease;
    const auto changed =
        cf::validate(figures, {.client_retry_window = clients_retry_for, .handler_budget = lease});
    if (!changed) refuse(changed.error());
    return *changed;
}

}  // namespace

cf::PolicyBook policies_from(const std::filesystem::path& file) {
    std::ifstream written{file, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{written}, {}};
    if (!written) throw std::runtime_error{file.string() + " can't be read"};
    const auto book = cf::parse_policy_book(
        text, {.client_retry_window = clients_retry_for, .handler_budget = longest_handler});
    if (!book) refuse(book.error());
    return *book;
}

cf::PolicyBook with_leases(const cf::PolicyBook& book, cf::Span lease) {
    cf::PolicyBook changed{with_lease(book.fallback(), lease)};
    for (const auto& [operation, policy] : book.operations()) {
        changed.set(operation, with_lease(policy, lease));
    }
    return changed;
}

}  // namespace payments
