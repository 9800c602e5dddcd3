#pragma once

// refused: sample.hpp:4: may not include <counterfoil/memory/store.hpp>
#include <counterfoil/memory/store.hpp>
