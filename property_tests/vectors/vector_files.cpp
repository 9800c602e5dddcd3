#include "vector_files.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

namespace counterfoil::vectors {

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in{path, std::ios::binary};
    if (!in) {
        std::cerr << "can't read " << path << '\n';
        std::abort();
    }
    return {std::istreambuf_iterator<char>{in}, {}};
}

std::string read_vector(std::string_view name) {
    return read_file(std::filesystem::path{COUNTERFOIL_TEST_DATA} / name);
}

std::vector<std::vector<std::string>> read_tsv(std::string_view name) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines{read_vector(name)};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') continue;
        std::vector<std::string> columns{""};
        for (const char byte : line) {
            if (byte == '\t') {
                columns.emplace_back();
            } else {
                columns.back() += byte;
            }
        }
        rows.push_back(std::move(columns));
    }
    return rows;
}

std::string from_hex(std::string_view digits) {
    std::string compact;
    std::copy_if(digits.begin(), digits.end(), std::back_inserter(compact),
                 [](unsigned char byte) { return std::isxdigit(byte) != 0; });
    std::string bytes;
    for (std::size_t i = 0; i + 1 < compact.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(compact.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

std::vector<std::filesystem::path> files(const std::filesystem::path& folder,
                                         std::string_view ending) {
    std::vector<std::filesystem::path> found;
    for (const auto& file : std::filesystem::directory_iterator{folder}) {
        if (file.path().extension() == ending) found.push_back(file.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace counterfoil::vectors
