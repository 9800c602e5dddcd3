#pragma once

// refused: sample.hpp:4: may not include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Database.h>
