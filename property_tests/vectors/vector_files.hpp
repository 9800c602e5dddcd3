#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace counterfoil::vectors {

/// The file's bytes; a file that isn't there ends the test program.
std::string read_file(const std::filesystem::path& path);

/// A file of the vectors folder.
std::string read_vector(std::string_view name);

/// The columns of the lines that are neither empty nor begin with `#`.
std::vector<std::vector<std::string>> read_tsv(std::string_view name);

/// The bytes that hexadecimal digits spell; white space between them is layout.
std::string from_hex(std::string_view digits);

/// All files of a folder with this ending, sorted by name.
std::vector<std::filesystem::path> files(const std::filesystem::path& folder,
                                         std::string_view ending);

}  // namespace counterfoil::vectors
