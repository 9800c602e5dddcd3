#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace counterfoil::written {

// Parts of the docs that a program writes stand between two comments:
//
//   <!-- NAME begins; written by write_pages -->
//   <!-- NAME ends -->

/// A file's bytes; nothing if it can't be read.
std::optional<std::string> read(const std::string& path);
bool write(const std::string& path, std::string_view text);

/// The part of a page that goes by this name, without the blank lines round it.
std::optional<std::string> part(std::string_view page, std::string_view name);
/// The page with that part replaced; nothing if it has no such part.
std::optional<std::string> with_part(std::string_view page, std::string_view name,
                                     std::string_view text);

/// A file as a fenced block of this language; nothing if it can't be read.
std::optional<std::string> as_block(const std::string& path, std::string_view language);

/// Functions and types of a C++ source as one fenced block: each from the line that begins so to
/// the next line that begins with `}`. Nothing if the file can't be read, or has none that begins
/// so, or two.
std::optional<std::string> functions_as_block(const std::string& path,
                                              const std::vector<std::string>& beginnings);

}  // namespace counterfoil::written
