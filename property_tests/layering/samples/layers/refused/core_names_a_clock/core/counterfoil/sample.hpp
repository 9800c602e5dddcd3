#pragma once

// refused: sample.hpp:4:.* it names a clock
using Clock = std::chrono::steady_clock;
