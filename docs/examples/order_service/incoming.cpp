#include "incoming.hpp"

#include <algorithm>

namespace order_service {

namespace {

constexpr char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::string_view path_of(const Incoming& incoming) {
    const std::string_view target = incoming.target;
    return target.substr(0, target.find('?'));
}

std::optional<std::string_view> query_of(const Incoming& incoming) {
    const std::string_view target = incoming.target;
    const std::size_t mark = target.find('?');
    if (mark == std::string_view::npos) return std::nullopt;
    return target.substr(mark + 1);
}

bool same_name(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, {}, lower, lower);
}

std::vector<std::string_view> values_of(const std::vector<counterfoil::Field>& fields,
                                        std::string_view name) {
    std::vector<std::string_view> values;
    for (const counterfoil::Field& field : fields) {
        if (same_name(field.name, name)) values.emplace_back(field.value);
    }
    return values;
}

}  // namespace order_service
