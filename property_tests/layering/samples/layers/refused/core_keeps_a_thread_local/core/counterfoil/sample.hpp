#pragma once

// refused: sample.hpp:4:.* it keeps state
thread_local int depth = 0;
