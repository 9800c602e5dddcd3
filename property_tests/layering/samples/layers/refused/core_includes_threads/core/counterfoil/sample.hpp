#pragma once

// refused: sample.hpp:4: may not include <thread>
#include <thread>
