#pragma once

// refused: sample.hpp:4:.* it imports a module
import clocks;
