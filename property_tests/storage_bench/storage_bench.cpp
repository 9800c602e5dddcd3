// What the SQLite store costs beside the same work against the raw C API, in pairs: the variants
// take turns of a second on files of their own, and the median of their ratios is told.
//
//   storage_bench FOLDER [SECTION...]
//   storage_bench --list
//
// Prints Markdown, or the names of the sections. FOLDER is on the disk that is meant; what is put
// there is taken away again.

#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sections.hpp"

namespace storage_bench {

namespace fs = std::filesystem;

Scratch::Scratch(const fs::path& parent) : path_{parent / "storage_bench.tmp"} {
    fs::remove_all(path_);
    fs::create_directories(path_);
}

Scratch::~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace storage_bench

int main(int count, char** arguments) {
    using namespace storage_bench;
    const std::vector<std::pair<std::string, std::function<void(const Scratch&)>>> sections{
        {"create_full", create_full},
        {"create_off", create_off},
        {"claims_full", claims_full},
        {"claims_off", claims_off},
        {"attempts", attempts},
        {"replay_10k", [](const Scratch& scratch) { replay_at(scratch, 10'000); }},
        {"replay_1m", [](const Scratch& scratch) { replay_at(scratch, 1'000'000); }},
        {"threads", threads},
        {"growth", growth},
        {"purge", purge},
        {"held_reader", held_reader},
    };
    if (count < 2) {
        std::cerr << "usage: storage_bench FOLDER [SECTION...]\n       storage_bench --list\n";
        return 2;
    }
    if (std::string_view{arguments[1]} == "--list") {
        for (const auto& [name, run] : sections) std::cout << name << '\n';
        return 0;
    }
    std::cout << "\n## SQLite\n\nThe variants take turns of a second; the ratio is the median of "
                 "those of the same round.\n";
    const std::vector<std::string> wanted{arguments + 2, arguments + count};
    try {
        for (const auto& [name, run] : sections) {
            if (wanted.empty() || std::count(wanted.begin(), wanted.end(), name) != 0) {
                run(Scratch{arguments[1]});
            }
        }
    } catch (const std::exception& error) {
        std::cerr << "storage_bench: " << error.what() << '\n';
        return 1;
    }
}
