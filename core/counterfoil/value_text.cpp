#include "counterfoil/value_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

namespace counterfoil::detail {

namespace {

namespace json = boost::json;

void write_string(std::string_view text, std::string& out) {
    constexpr std::string_view hex = "0123456789abcdef";
    out += '"';
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += byte;
        } else if (value < 0x20) {
            out += "\\u00";
            out += hex[value >> 4U];
            out += hex[value & 0xFU];
        } else {
            out += byte;
        }
    }
    out += '"';
}

// `format` is std::chars_format::scientific for a double, the one format that is always shortest.
template <class Number, class... Format>
void write_digits(std::string& out, Number number, Format... format) {
    std::array<char, 32> digits{};
    const auto written =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, format...);
    out.append(digits.data(), written.ptr);
}

// A container that is being written, and what of it is left.
struct Open {
    const json::value* element = nullptr;
    const json::value* elements_end = nullptr;
    const json::key_value_pair* member = nullptr;
    const json::key_value_pair* members_end = nullptr;
    char closer = ']';
};

Open opened(const json::array& array) {
    Open open;
    open.element = array.data();
    open.elements_end = array.data() + array.size();
    return open;
}

Open opened(const json::object& object) {
    Open open;
    open.member = object.begin();
    open.members_end = object.end();
    open.closer = '}';
    return open;
}

// Writes what comes before the next value in the container and returns that value; null at its end.
const json::value* next_value(Open& open, std::string& out) {
    if (open.element == open.elements_end && open.member == open.members_end) return nullptr;
    if (out.back() != '[' && out.back() != '{') out += ',';
    if (open.closer == ']') return open.element++;
    write_string(open.member->key(), out);
    out += ':';
    return &(open.member++)->value();
}

std::optional<JsonFault> write_scalar(const json::value& value, std::string& out) {
    switch (value.kind()) {
        case json::kind::null: out += "null"; break;
        case json::kind::bool_: out += value.get_bool() ? "true" : "false"; break;
        case json::kind::int64: write_digits(out, value.get_int64()); break;
        case json::kind::uint64: write_digits(out, value.get_uint64()); break;
        case json::kind::double_:
            if (!std::isfinite(value.get_double())) return JsonFault::number_out_of_range;
            write_digits(out, value.get_double(), std::chars_format::scientific);
            break;
        case json::kind::string: write_string(value.get_string(), out); break;
        case json::kind::array:
        case json::kind::object: break;
    }
    return std::nullopt;
}

// Closes what has ended and returns the value to be written next; null when all is written.
const json::value* following_value(std::vector<Open>& path, std::string& out) {
    while (!path.empty()) {
        if (const json::value* const next = next_value(path.back(), out)) return next;
        out += path.back().closer;
        path.pop_back();
    }
    return nullptr;
}

}  // namespace

std::optional<JsonFault> write_value(const json::value& value, std::size_t max_depth,
                                     std::string& out) {
    std::vector<Open> path;
    for (const json::value* next = &value; next != nullptr; next = following_value(path, out)) {
        if (next->is_array() || next->is_object()) {
            if (path.size() == max_depth) return JsonFault::too_deep;
            path.push_back(next->is_array() ? opened(next->get_array())
                                            : opened(next->get_object()));
            out += next->is_array() ? '[' : '{';
        } else if (const auto fault = write_scalar(*next, out)) {
            return fault;
        }
    }
    return std::nullopt;
}

}  // namespace counterfoil::detail
