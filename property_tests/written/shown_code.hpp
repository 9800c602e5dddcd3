#pragma once

#include <optional>
#include <string>

namespace counterfoil::written {

// What the docs show of the examples' code, as fenced blocks; nothing where they have it no more.
// `docs` is the folder of the docs.
std::optional<std::string> a_payment(const std::string& docs);
std::optional<std::string> a_ruling(const std::string& docs);
std::optional<std::string> a_long_run(const std::string& docs);
std::optional<std::string> a_gatekeeper(const std::string& docs);
std::optional<std::string> a_request_over_http(const std::string& docs);

}  // namespace counterfoil::written
