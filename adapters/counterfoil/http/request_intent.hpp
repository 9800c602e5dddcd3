#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/http/request.hpp"
#include "counterfoil/http/routes.hpp"
#include "counterfoil/intent.hpp"
#include "counterfoil/result.hpp"
#include "counterfoil/scheme.hpp"

namespace counterfoil::http {

enum class IntentFault {
    differing_content_types,  ///< two Content-Type lines that say different things
    malformed_content_type,   ///< no media type, at `at`
    unsupported_charset,      ///< JSON in another charset than UTF-8
    unsupported_coding,       ///< a content coding that nobody has taken off
};

/// Why a request can't be told from another.
struct IntentError {
    IntentFault fault{};
    std::size_t at{};

    friend bool operator==(const IntentError&, const IntentError&) = default;
};

[[nodiscard]] std::string describe(const IntentError& error);

/// Writes a path or query so that the same one is always written alike: an octet that needs no
/// percent-encoding has none (`%7e` is `~`), and the digits of the others are in upper case. A text
/// with a percent sign that begins no such octet stays as it is. No two texts that mean different
/// things become one.
///
/// Source: RFC 3986 sections 6.2.2.1 and 6.2.2.2.
[[nodiscard]] std::string normalized(std::string_view text);

/// What a request wants, made of the parts that its route binds.
///
///   - method as it is; path and query as normalized() writes them, the query split at `&` and the
///     first `=`, sorted by name; a name without `=` is one with an empty value;
///   - the fields that the route lists, by name in lower case, each with its lines in their order,
///     without spaces round them;
///   - a body as JSON where its content type is application/json or ends in +json, and byte by byte
///     where it is anything else or nothing is said;
///   - under the form `raw`, which has no document, the bytes of the body and nothing else.
///
/// Errors: the first of IntentFault that holds. A body that is no JSON is found out by whoever
///         makes the fingerprint.
/// Source: RFC 9110 sections 8.3, 8.4; RFC 8259 section 11; RFC 6839 section 3.1.
class RequestIntent {
public:
    [[nodiscard]] static Result<RequestIntent, IntentError> from(const Request& request,
                                                                 const Binding& binding,
                                                                 Form form = Form::exact_json);

    /// Borrows from this object and from the request.
    [[nodiscard]] const Intent& intent() const noexcept { return intent_; }

    RequestIntent(RequestIntent&&) noexcept = default;
    RequestIntent& operator=(RequestIntent&&) noexcept = default;
    RequestIntent(const RequestIntent&) = delete;
    RequestIntent& operator=(const RequestIntent&) = delete;
    ~RequestIntent() = default;

private:
    RequestIntent() = default;

    /// A copy that lasts as long as this object.
    std::string_view keep(std::string_view text);
    void bind_query(std::string_view query, intent::Http& http);
    void bind_fields(const Request& request, const std::vector<std::string>& names,
                     intent::Http& http);

    // A vector's elements stay where they are when it is moved; a short string's don't.
    std::vector<std::vector<char>> texts_;
    Intent intent_;
};

}  // namespace counterfoil::http
