#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace counterfoil::kit {

/// The same JSON document in another spelling: members shuffled, white space put in and taken out,
/// characters as `\u` escapes, and `1` as `1.0` or `1e0`. It works on the text, so that no number
/// loses a digit on the way.
///
/// Requires: the text is JSON.
[[nodiscard]] std::string respelt(std::string_view json, std::mt19937_64& random);

/// The document with another value in one of its leaves, each as likely as any other.
///
/// Requires: the text is JSON and has a leaf: a scalar, or an empty object or array.
[[nodiscard]] std::string changed_in_a_leaf(std::string_view json, std::mt19937_64& random);

}  // namespace counterfoil::kit
