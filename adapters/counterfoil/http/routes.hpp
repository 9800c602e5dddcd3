#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/names.hpp"

namespace counterfoil::http {

enum class KeyNeed {
    required,  ///< a request without a key is refused
    optional,  ///< one without a key runs without a receipt
    ignored,   ///< a key makes no difference, and the answer says so
};

/// How a body is bound.
enum class BodyKind {
    by_content_type,  ///< as JSON where the content type says so, else byte by byte
    bytes,            ///< byte by byte, whatever the content type says
};

/// What of a request, beside its key, makes it the same request.
struct Binding {
    bool actor{true};
    bool method{true};
    bool path{true};
    bool query{true};
    BodyKind body{};
    /// Names of header fields, without regard to case. Keep out what changes from one attempt to
    /// the next: Date, traceparent, User-Agent.
    std::vector<std::string> fields{};

    friend bool operator==(const Binding&, const Binding&) = default;
};

/// Which requests are one operation, and whether they need a key.
struct Route {
    /// Nothing stands for every method that is not idempotent by definition: POST, PATCH and what
    /// nobody has registered.
    std::optional<std::string> method{};
    /// Segments behind slashes. `{name}` stands for any one segment that is not empty, and `**` at
    /// the end for whatever follows, nothing as well.
    std::string path;
    Operation operation;
    KeyNeed key{};
    Binding binding{};
};

/// Whether doing it twice is meant to be no different from doing it once: GET, HEAD, OPTIONS,
/// TRACE, PUT and DELETE.
///
/// Source: RFC 9110 section 9.2.2.
[[nodiscard]] bool is_idempotent(std::string_view method);

/// Whether a route's method and path match those of a request. Paths are compared as normalized()
/// (request_intent.hpp) writes them, so that `%7e` and `~` are one.
[[nodiscard]] bool matches(const Route& route, std::string_view method, std::string_view path);

}  // namespace counterfoil::http
