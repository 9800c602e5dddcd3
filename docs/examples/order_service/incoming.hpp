#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/answer.hpp>

namespace order_service {

/// A request as it came from a connection, whole.
struct Incoming {
    std::string method;
    std::string target;                        ///< as it was sent, `/orders?page=2`
    std::vector<counterfoil::Field> fields{};  ///< each line by itself; those of one name in order
    std::optional<std::string> body{};         ///< nothing where no body was announced
    std::string peer{};                        ///< who sent it, `127.0.0.1:50312`
};

/// The target up to its `?`.
[[nodiscard]] std::string_view path_of(const Incoming& incoming);

/// What is behind the target's `?`; nothing where it has none.
[[nodiscard]] std::optional<std::string_view> query_of(const Incoming& incoming);

/// Whether two texts differ at most in the case of ASCII letters, as names of fields do.
[[nodiscard]] bool same_name(std::string_view one, std::string_view other);

/// The values of all lines of a field, in their order. Borrowed.
[[nodiscard]] std::vector<std::string_view> values_of(const std::vector<counterfoil::Field>& fields,
                                                      std::string_view name);

}  // namespace order_service
