#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace payments {

/// A sum of money, as it was written: `12.50`, never a double. Made only by parse_money().
struct Money {
    std::string amount;    ///< digits, a point and two digits; above 0, and a JSON number as it is
    std::string currency;  ///< three capital letters

    friend bool operator==(const Money&, const Money&) = default;
};

/// Reads `{"amount": "12.50", "currency": "EUR"}`, members in any order, others ignored.
///
/// Returns: nothing for what is no such thing.
[[nodiscard]] std::optional<Money> parse_money(std::string_view text);

/// As parse_money() reads it: one text for one sum.
[[nodiscard]] std::string to_json(const Money& money);

}  // namespace payments
