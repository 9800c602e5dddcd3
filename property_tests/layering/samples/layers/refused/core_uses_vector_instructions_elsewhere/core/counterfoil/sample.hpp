#pragma once

// refused: sample.hpp:4: may not include <emmintrin.h>
#include <emmintrin.h>
