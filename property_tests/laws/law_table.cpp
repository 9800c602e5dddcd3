#include "laws/law_table.hpp"

#include <algorithm>
#include <string_view>

#include "laws/law.hpp"
#include "laws/mutants.hpp"

namespace counterfoil {

std::string law_table() {
    std::string table = "| law | mutants that it kills |\n|---|---|\n";
    const auto all = mutants();
    for (const auto& law : decider_laws()) {
        std::string sentence = law.sentence;
        std::replace(sentence.begin(), sentence.end(), '_', ' ');
        table += "| " + sentence + " |";
        std::string_view separator = " ";
        for (const auto& mutant : all) {
            if (mutant.killed_by != law.sentence) continue;
            table += separator;
            table += mutant.name;
            separator = "; ";
        }
        table += " |\n";
    }
    return table;
}

}  // namespace counterfoil
