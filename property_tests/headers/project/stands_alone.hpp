#pragma once

#include <string>

struct Labelled {
    std::string label;
};
