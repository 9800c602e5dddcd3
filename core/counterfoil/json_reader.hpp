#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "counterfoil/canonical_json.hpp"
#include "counterfoil/workspace.hpp"

namespace counterfoil::detail {

struct ReadOptions {
    Numbers numbers = Numbers::exact;
    std::size_t max_depth = Canonicalizer::default_max_depth;
    Blocks blocks = Blocks::fastest;
};

/// Reads a text and leaves its canonical form in the workspace: `size` bytes of `text`, to be read
/// in the order that `large` tells.
[[nodiscard]] std::optional<JsonError> read_json(std::string_view text,
                                                 const FieldSelection& selection,
                                                 const ReadOptions& options, Workspace& workspace);

}  // namespace counterfoil::detail
