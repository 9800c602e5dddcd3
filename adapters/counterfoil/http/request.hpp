#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "counterfoil/names.hpp"

namespace counterfoil::http {

struct FieldView {
    std::string_view name;
    std::string_view value;
};

/// Whether a body still has the content coding that its field names.
enum class Coding {
    as_sent,  ///< nobody has touched it; a Content-Encoding other than identity is refused
    decoded,  ///< the embedder has taken the coding off; Content-Encoding is of no account
};

/// A request as any server framework has it. Borrowed throughout, but for the tenant.
struct Request {
    Tenant tenant;            ///< who was authenticated: never from the body or a plain field
    std::string_view method;  ///< in upper case, as HTTP has it
    std::string_view path;    ///< from the first slash to before `?`, as it was sent
    std::optional<std::string_view> query{};  ///< behind `?`; nothing where there was none
    std::vector<FieldView> fields{};          ///< each line by itself, in their order
    std::optional<std::string_view> body{};   ///< nothing where there was none
    Coding coding{};
    std::optional<std::string_view> actor{};  ///< who acts for the tenant, where that is bound
    std::string_view request_id{};  ///< the embedder's name for this attempt, for the Observer
};

}  // namespace counterfoil::http
