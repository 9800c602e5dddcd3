#pragma once

// refused: sample.hpp:4: may not include <counterfoil/sqlite/store.hpp>
#include <counterfoil/sqlite/store.hpp>
