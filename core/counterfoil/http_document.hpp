#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/intent.hpp"
#include "counterfoil/sha256.hpp"

namespace counterfoil::detail {

/// A part of an HTTP intent that is not UTF-8, and its first byte that isn't.
struct PartError {
    std::string_view part;
    std::size_t at{};
};

/// Writes the parts of an HTTP intent as one JSON document (intent.hpp says which), in some
/// spelling: whoever canonicalizes it puts that right.
///
/// A JSON body is written as it is. The document is what it should be only if that body, by itself,
/// is one valid JSON value; else it could run into the members beside it.
class HttpDocument {
public:
    /// The first part at fault, if there is one; else text() is the document.
    [[nodiscard]] std::optional<PartError> write(const intent::Http& http, Sha256& hash);

    [[nodiscard]] std::string_view text() const noexcept { return text_; }

private:
    using Pairs = decltype(intent::Http::query);

    [[nodiscard]] bool write_member(std::string_view name, std::string_view text);
    [[nodiscard]] bool write_lists(std::string_view part, const Pairs& pairs);
    [[nodiscard]] bool write_string(std::string_view text);
    void begin_member(std::string_view name);

    std::string text_;
    std::vector<std::size_t> by_name_;
    std::size_t invalid_at_{};
};

/// The levels that the document has above those of the body, and has at least.
constexpr std::size_t http_document_wrapping = 1;
constexpr std::size_t http_document_depth = 3;

}  // namespace counterfoil::detail
