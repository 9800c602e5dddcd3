#pragma once

#include <string>
#include <vector>

namespace counterfoil::bench {

struct HostileText {
    std::string name;
    std::string text;
};

/// Texts within all limits that are meant to cost much more than their size.
std::vector<HostileText> hostile_texts();

}  // namespace counterfoil::bench
