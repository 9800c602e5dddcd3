#include "counterfoil/http_document.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>

#include "counterfoil/overloaded.hpp"
#include "counterfoil/utf8.hpp"

namespace counterfoil::detail {

std::optional<PartError> HttpDocument::write(const intent::Http& http, Sha256& hash) {
    text_ = '{';
    if (http.actor && !write_member("actor", *http.actor)) return PartError{"actor", invalid_at_};
    std::visit(overloaded{
                   [](std::monostate) {},
                   [&](const intent::Json& json) {
                       begin_member("body");
                       text_ += json.text;
                   },
                   [&](const intent::Bytes& raw) {
                       hash.update(raw.bytes);
                       begin_member("body_sha256");
                       text_ += '"';
                       text_ += to_hex(hash.finish());
                       text_ += '"';
                   },
               },
               http.body);
    if (http.method && !write_member("method", *http.method)) {
        return PartError{"method", invalid_at_};
    }
    if (http.path && !write_member("path", *http.path)) return PartError{"path", invalid_at_};
    if (!write_lists("query", http.query)) return PartError{"query", invalid_at_};
    if (!write_lists("fields", http.fields)) return PartError{"fields", invalid_at_};
    text_ += '}';
    return std::nullopt;
}

bool HttpDocument::write_member(std::string_view name, std::string_view text) {
    begin_member(name);
    return write_string(text);
}

bool HttpDocument::write_lists(std::string_view part, const Pairs& pairs) {
    if (pairs.empty()) return true;
    by_name_.resize(pairs.size());
    std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
    std::sort(by_name_.begin(), by_name_.end(), [&](std::size_t one, std::size_t other) {
        return std::pair{pairs[one].first, one} < std::pair{pairs[other].first, other};
    });

    begin_member(part);
    text_ += '{';
    for (std::size_t i = 0; i < by_name_.size(); ++i) {
        const auto& [name, value] = pairs[by_name_[i]];
        const bool same_name = i > 0 && pairs[by_name_[i - 1]].first == name;
        if (i > 0) text_ += same_name ? "," : "],";
        if (!same_name) {
            if (!write_string(name)) return false;
            text_ += ":[";
        }
        if (!write_string(value)) return false;
    }
    text_ += "]}";
    return true;
}

bool HttpDocument::write_string(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    text_ += '"';
    for (std::size_t at = 0; at < text.size();) {
        const auto rest = text.substr(at);
        const auto size = utf8_sequence(rest.data(), std::to_address(rest.end()));
        if (size == 0) {
            invalid_at_ = at;
            return false;
        }
        const auto byte = static_cast<std::uint8_t>(rest.front());
        if (byte < 0x20) {
            text_ += "\\u00";
            text_ += digits[byte >> 4U];
            text_ += digits[byte & 15U];
        } else {
            if (byte == '"' || byte == '\\') text_ += '\\';
            text_ += rest.substr(0, size);
        }
        at += size;
    }
    text_ += '"';
    return true;
}

void HttpDocument::begin_member(std::string_view name) {
    if (text_.size() > 1) text_ += ',';
    text_ += '"';
    text_ += name;
    text_ += "\":";
}

}  // namespace counterfoil::detail
