#pragma once

// refused: sample.hpp:4: may not include <boost/json.hpp>
#include <boost/json.hpp>
