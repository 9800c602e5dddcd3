// A line of pointers, kept apart by spaces, and a document behind it: whatever is selected is
// canonical JSON or nothing, the document is refused for the same fault as without a selection, and
// selecting by both kinds leaves no more than there was.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/canonical_json.hpp>
#include <counterfoil/field_selection.hpp>

namespace {

using namespace counterfoil;

void require(bool holds) {
    if (!holds) std::abort();
}

std::vector<std::string> words(std::string_view line) {
    std::vector<std::string> words{""};
    for (const char byte : line) {
        if (byte == ' ') {
            words.emplace_back();
        } else {
            words.back() += byte;
        }
    }
    return words;
}

Result<std::string, JsonError> canonical(std::string_view text, const FieldSelection& selection,
                                         detail::Blocks blocks = detail::Blocks::fastest) {
    Canonicalizer json{Numbers::exact, 16, blocks};
    const auto result = json.canonicalize(text, selection);
    if (!result) return result.error();
    return std::string{*result};
}

void check(std::string_view text, const Result<FieldSelection, PointerError>& selection,
           const std::vector<std::string>& pointers) {
    if (!selection) {
        require(selection.error().pointer < pointers.size());
        require(selection.error().at <= pointers[selection.error().pointer].size());
        return;
    }
    const auto whole = canonical(text, {});
    const auto selected = canonical(text, *selection);
    require(selected == canonical(text, *selection, detail::Blocks::portable));
    require(selected.has_value() == whole.has_value());
    if (!selected) {
        require(selected == whole);
        return;
    }
    require(selected->size() <= whole->size());
    if (!selected->empty()) require(canonical(*selected, {}) == selected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input{reinterpret_cast<const char*>(data), size};
    const std::size_t line = std::min(input.find('\n'), input.size());
    const std::string_view text = input.substr(std::min(line + 1, input.size()));
    const auto pointers = words(input.substr(0, line));
    check(text, FieldSelection::only(pointers), pointers);
    check(text, FieldSelection::omit(pointers), pointers);
    return 0;
}
