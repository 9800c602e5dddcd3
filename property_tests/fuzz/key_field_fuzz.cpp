#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/http/key_field.hpp>

namespace {

using counterfoil::http::KeySyntax;
using counterfoil::http::parse_key_field;

void require(bool holds) {
    if (!holds) std::abort();
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        lines.push_back(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
    }
    return lines;
}

/// A key that may be written as a string of RFC 9651, which has printable ASCII only.
std::string as_string(std::string_view key) {
    std::string text{'"'};
    for (const char c : key) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

}  // namespace

// Any lines hold a key by the rules or a fault inside of them; a key is the same in quotes, once or
// twice; and whoever takes strings only takes nothing that the other doesn't, nor another key.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto lines = lines_of({reinterpret_cast<const char*>(data), size});
    const auto either = parse_key_field(lines);
    const auto only = parse_key_field(lines, {}, KeySyntax::string_only);
    for (const auto* const read : {&either, &only}) {
        if (*read) {
            require(counterfoil::parse_key((*read)->text()).has_value());
            const auto text = as_string((*read)->text());
            require(*parse_key_field({text, text}) == **read);
            require(*parse_key_field({text}, {}, KeySyntax::string_only) == **read);
        } else {
            require(read->error().at <= size);
            require(!describe(read->error()).empty());
        }
    }
    if (only) require(either && *either == *only);
    return 0;
}
