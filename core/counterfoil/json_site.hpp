#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counterfoil/instant.hpp"
#include "counterfoil/policy.hpp"

namespace boost::json {
class array;
class object;
class value;
}  // namespace boost::json

namespace counterfoil::detail {

/// A place in a policy file, and where to tell what is wrong there.
class JsonSite {
public:
    JsonSite(std::string pointer, std::vector<PolicyFault>& faults);

    /// The place of a member or an element of what stands here.
    [[nodiscard]] JsonSite at(std::string_view name) const;
    [[nodiscard]] JsonSite at(std::size_t place) const;

    [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }

    void tell(PolicyFaultKind kind, std::string detail) const;

private:
    std::string pointer_;
    std::vector<PolicyFault>* faults_;
};

/// The text as JSON writes it, in quotes and on one line.
[[nodiscard]] std::string quoted(std::string_view text);

// Each of these gives what it reads at a place, or nothing once it has told why.
[[nodiscard]] std::optional<std::string_view> text_at(const boost::json::value& value,
                                                      const JsonSite& site);
[[nodiscard]] const boost::json::array* list_at(const boost::json::value& value,
                                                const JsonSite& site);
[[nodiscard]] const boost::json::object* object_at(const boost::json::value& value,
                                                   const JsonSite& site);

// Each of these sets `out` to what it reads at a place, or leaves it and tells why.
void read(const boost::json::value& value, const JsonSite& site, std::string& out);
void read(const boost::json::value& value, const JsonSite& site, std::vector<std::string>& out);
void read(const boost::json::value& value, const JsonSite& site, Span& out);
/// Only a number that is written as an integer is one: to the parser, 5.0 and 5e0 are doubles, and
/// a large double is no longer what the file says.
void read(const boost::json::value& value, const JsonSite& site, std::int64_t& out);
void read(const boost::json::value& value, const JsonSite& site, std::size_t& out);

}  // namespace counterfoil::detail
