#pragma once

// refused: sample.hpp:4:.* it keeps mutable state
inline int calls = 0;
