// refused: sample.cpp:2: may not include <sqlite3.h>
#include <sqlite3.h>
