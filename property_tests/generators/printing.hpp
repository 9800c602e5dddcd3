#pragma once

#include <concepts>
#include <ostream>
#include <string>

#include <counterfoil/describe.hpp>

namespace counterfoil {

inline std::ostream& operator<<(std::ostream& out, const Digest& digest) {
    return out << to_hex(digest);
}

/// Every value that has a description prints as it, so that no counterexample is `<???>`.
template <class Value>

requires requires(const Value& value) {
    { describe(value) } -> std::same_as<std::string>;
}

std::ostream& operator<<(std::ostream& out, const Value& value) {
    return out << describe(value);
}

}  // namespace counterfoil
