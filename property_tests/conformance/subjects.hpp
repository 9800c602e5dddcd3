#pragma once

#include <memory>

#include <counterfoil/testing/conformance.hpp>

namespace counterfoil::conformance {

/// memory::Store, which has nothing to open again.
std::unique_ptr<testing::Subject> memory_subject();

/// sqlite::Store on a file of its own, which goes with it.
std::unique_ptr<testing::Subject> sqlite_subject();

}  // namespace counterfoil::conformance
