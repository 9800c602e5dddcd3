#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include <counterfoil/result.hpp>
#include <counterfoil/scheme.hpp>
#include <rapidcheck.h>

// Schemes and their names, drawn from few values close together, and how they print.
namespace counterfoil {

std::ostream& operator<<(std::ostream& out, Form form);
std::ostream& operator<<(std::ostream& out, const SchemeName& name);
std::ostream& operator<<(std::ostream& out, const Scheme& scheme);
std::ostream& operator<<(std::ostream& out, SchemeFault fault);
std::ostream& operator<<(std::ostream& out, const SchemeError& error);

template <class Value, class Error>
std::ostream& operator<<(std::ostream& out, const Result<Value, Error>& result) {
    if (result) return out << *result;
    return out << "error " << result.error();
}

namespace gen {

/// The text with everything but printable ASCII as `\xHH`.
std::string visible(std::string_view bytes);

/// A scheme that is one: no selection of raw bytes, no empty secret.
rc::Gen<Scheme> scheme();

/// Bytes that are a scheme's name, or were one before something was done to them.
rc::Gen<std::string> almost_scheme_name();

}  // namespace gen
}  // namespace counterfoil
