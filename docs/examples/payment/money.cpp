#include "money.hpp"

#include <algorithm>

#include <boost/json.hpp>

namespace payments {

namespace {

namespace json = boost::json;

constexpr std::size_t most_digits = 12;

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool is_amount(std::string_view text) {
    constexpr std::size_t fraction = 3;  // the point and two digits
    if (text.size() <= fraction || text.size() > most_digits + 1) return false;
    const std::string_view whole = text.substr(0, text.size() - fraction);
    const std::string_view cents = text.substr(whole.size() + 1);
    const bool is_written_so = text[whole.size()] == '.' &&
                               std::all_of(whole.begin(), whole.end(), is_digit) &&
                               std::all_of(cents.begin(), cents.end(), is_digit) &&
                               (whole.size() == 1 || whole.front() != '0');
    return is_written_so && text.find_first_of("123456789") != std::string_view::npos;
}

bool is_currency(std::string_view text) {
    return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char letter) {
               return letter >= 'A' && letter <= 'Z';
           });
}

std::string_view text_in(const json::object& object, std::string_view member) {
    const json::value* value = object.if_contains(member);
    if (value == nullptr || !value->is_string()) return {};
    return value->get_string();
}

}  // namespace

std::optional<Money> parse_money(std::string_view text) {
    json::error_code fault;
    const json::value document = json::parse(text, fault);
    if (fault || !document.is_object()) return std::nullopt;
    const std::string_view amount = text_in(document.get_object(), "amount");
    const std::string_view currency = text_in(document.get_object(), "currency");
    if (!is_amount(amount) || !is_currency(currency)) return std::nullopt;
    return Money{std::string{amount}, std::string{currency}};
}

std::string to_json(const Money& money) {
    return json::serialize(json::object{{"amount", money.amount}, {"currency", money.currency}});
}

}  // namespace payments
