// refused: sample.cpp:2: may not include <fstream>
#include <fstream>
