// refused: sample.cpp:2: may not include "cli/rendering.hpp"
#include "cli/rendering.hpp"
