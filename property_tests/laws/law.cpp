#include "laws/law.hpp"

#include <iterator>
#include <ostream>
#include <utility>

namespace counterfoil {

std::ostream& operator<<(std::ostream& out, const Law& law) {
    return out << law.sentence;
}

std::vector<Law> decider_laws() {
    std::vector<Law> all;
    for (auto family : {judge_laws(), settle_laws(), retention_laws(), value_laws()}) {
        std::move(family.begin(), family.end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace counterfoil
