#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace boost::json {
class value;
}

namespace counterfoil {

namespace intent {

/// A JSON document as text. The bytes are borrowed.
struct Json {
    std::string_view text;
};

/// A JSON document that somebody has parsed already. Borrowed. Its bytes are those of the text it
/// was made from, except where the parser lost digits; prefer the text.
struct JsonValue {
    const boost::json::value* value;
};

/// Bytes of no known form. An absent body and an empty one are both zero bytes.
struct Bytes {
    std::string_view bytes;
};

/// An HTTP request, part by part; only what is set is bound. Borrowed throughout.
///
/// The parts become one JSON document that can't be mistaken for another's:
///
///   {"actor":…,"body":…,"fields":{name:[value,…],…},"method":…,"path":…,
///    "query":{name:[value,…],…}}
///
///   - a part that is not set has no member, nor has a query or a list of fields without names;
///   - a JSON body stands there as the value that it is; any other is `"body_sha256"`, its digest
///     in lower-case hexadecimal; an absent body has neither, an empty one is zero bytes;
///   - names of the query and of header fields sort, the values of one name keep their order. They
///     are bound as they are given: who undoes `%41` and `+`, or writes `etag` for `ETag`, does it
///     before.
///
/// What is not the body must be UTF-8. A field selection begins at this document: `/body/amount`,
/// `/query/page`.
struct Http {
    std::optional<std::string_view> actor{};
    std::optional<std::string_view> method{};
    std::optional<std::string_view> path{};
    std::vector<std::pair<std::string_view, std::string_view>> query;
    std::variant<std::monostate, Json, Bytes> body;
    std::vector<std::pair<std::string_view, std::string_view>> fields{};
};

}  // namespace intent

/// What a client wants, apart from its key.
using Intent = std::variant<intent::Json, intent::JsonValue, intent::Bytes, intent::Http>;

}  // namespace counterfoil
