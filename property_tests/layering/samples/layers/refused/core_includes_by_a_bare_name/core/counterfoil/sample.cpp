// refused: sample.cpp:2: may not include "instant.hpp"
#include "instant.hpp"
