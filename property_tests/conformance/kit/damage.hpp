#pragma once

#include "counterfoil/receipt.hpp"
#include "counterfoil/testing/map_store.hpp"

namespace counterfoil::testing {

/// The receipt as a store with this defect keeps it.
Receipt stored(Receipt receipt, Defect defect);

}  // namespace counterfoil::testing
