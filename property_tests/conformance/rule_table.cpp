#include "conformance/rule_table.hpp"

#include <algorithm>
#include <string_view>

#include <counterfoil/testing/map_store.hpp>

namespace counterfoil::conformance {

namespace {

std::string in_words(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string needs_of(const testing::Rule& rule) {
    std::string text;
    for (const testing::Ability ability : rule.needs) {
        if (!text.empty()) text += ", ";
        text += in_words(std::string{word(ability)});
    }
    return text;
}

std::string caught_by(const testing::Rule& rule) {
    std::string text;
    for (const testing::DefectRecord& record : testing::defects()) {
        const auto& by = record.caught_by;
        if (std::find(by.begin(), by.end(), rule.name) == by.end()) continue;
        if (!text.empty()) text += "; ";
        text += in_words(record.name);
    }
    return text;
}

}  // namespace

std::string rule_table() {
    std::string table = "| rule | needs | defects that it catches |\n|---|---|---|\n";
    for (const testing::Rule& rule : testing::rules()) {
        table += "| " + rule.sentence + " | " + needs_of(rule) + " | " + caught_by(rule) + " |\n";
    }
    return table;
}

}  // namespace counterfoil::conformance
