#include "written/page.hpp"

#include <fstream>
#include <iterator>

namespace counterfoil::written {

namespace {

struct Place {
    std::size_t from;
    std::size_t to;
};

std::optional<Place> find(std::string_view page, std::string_view name) {
    const std::string begin =
        "<!-- " + std::string{name} + " begins; written by write_pages -->\n\n";
    const std::string end = "\n<!-- " + std::string{name} + " ends -->";
    const auto from = page.find(begin);
    if (from == std::string_view::npos) return std::nullopt;
    const auto to = page.find(end, from + begin.size() - 1);
    if (to == std::string_view::npos) return std::nullopt;
    return Place{from + begin.size(), to};
}

}  // namespace

std::optional<std::string> read(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>{file}, {}};
}

bool write(const std::string& path, std::string_view text) {
    std::ofstream file{path, std::ios::binary};
    file << text;
    file.close();
    return static_cast<bool>(file);
}

std::optional<std::string> part(std::string_view page, std::string_view name) {
    const auto place = find(page, name);
    if (!place) return std::nullopt;
    if (place->to < place->from) return std::string{};  // nothing was written yet
    return std::string{page.substr(place->from, place->to - place->from)};
}

std::optional<std::string> with_part(std::string_view page, std::string_view name,
                                     std::string_view text) {
    const auto place = find(page, name);
    if (!place) return std::nullopt;
    return std::string{page.substr(0, place->from)} + std::string{text} +
           std::string{page.substr(place->to)};
}

std::optional<std::string> as_block(const std::string& path, std::string_view language) {
    const auto text = read(path);
    if (!text) return std::nullopt;
    return "```" + std::string{language} + '\n' + *text + "```\n";
}

std::optional<std::string> functions_as_block(const std::string& path,
                                              const std::vector<std::string>& beginnings) {
    const auto text = read(path);
    if (!text) return std::nullopt;
    std::string block;
    for (const std::string& beginning : beginnings) {
        const auto from = text->find('\n' + beginning);
        if (from == std::string::npos) return std::nullopt;
        if (text->find('\n' + beginning, from + 1) != std::string::npos) return std::nullopt;
        const auto last = text->find("\n}", from);
        if (last == std::string::npos) return std::nullopt;
        const auto to = text->find('\n', last + 1);
        if (to == std::string::npos) return std::nullopt;
        block += (block.empty() ? "" : "\n") + text->substr(from + 1, to - from);
    }
    return "```cpp\n" + block + "```\n";
}

}  // namespace counterfoil::written
