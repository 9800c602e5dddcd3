#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "counterfoil/result.hpp"

namespace counterfoil::http {

/// The value of a Content-Type field, of which the type and the charset are of interest here.
struct MediaType {
    std::string type;                      ///< `application/json`, in lower case
    std::optional<std::string> charset{};  ///< in lower case

    /// Whether it says that its body is JSON: application/json or any +json.
    [[nodiscard]] bool is_json() const;

    friend bool operator==(const MediaType&, const MediaType&) = default;
};

/// The first byte that can't be part of a media type.
struct MediaTypeError {
    std::size_t at{};

    friend bool operator==(const MediaTypeError&, const MediaTypeError&) = default;
};

/// Source: RFC 9110 sections 8.3.1 and 5.6.6. Of two charsets the first counts.
[[nodiscard]] Result<MediaType, MediaTypeError> parse_media_type(std::string_view text);

}  // namespace counterfoil::http
