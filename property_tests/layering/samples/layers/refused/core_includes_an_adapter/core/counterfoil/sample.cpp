// refused: sample.cpp:2: may not include <counterfoil/sqlite/store.hpp>
#include <counterfoil/sqlite/store.hpp>
