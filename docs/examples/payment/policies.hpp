#pragma once

#include <filesystem>

#include <counterfoil/instant.hpp>
#include <counterfoil/policy.hpp>

namespace payments {

/// Reads a policy file, for clients that go on retrying for a day and handlers that take 20 seconds
/// at most.
///
/// Errors: std::runtime_error, which names every fault.
[[nodiscard]] counterfoil::PolicyBook policies_from(const std::filesystem::path& file);

/// The same with leases of this length, for handlers that take no longer than that.
///
/// Errors: std::runtime_error, which names every fault.
[[nodiscard]] counterfoil::PolicyBook with_leases(const counterfoil::PolicyBook& book,
                                                  counterfoil::Span lease);

}  // namespace payments
