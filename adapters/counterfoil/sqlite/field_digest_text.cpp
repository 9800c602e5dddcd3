#include "counterfoil/sqlite/field_digest_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include <boost/json.hpp>

#include "counterfoil/sha256.hpp"

namespace counterfoil::sqlite {

namespace {

namespace json = boost::json;

using Short = std::array<std::uint8_t, 16>;

// A short digest is written as the first half of a whole one.
constexpr std::size_t short_hex_digits = 2 * std::tuple_size_v<Short>;

std::string hex_of(const Short& bytes) {
    Digest whole;
    std::copy(bytes.begin(), bytes.end(), whole.bytes.begin());
    return to_hex(whole).substr(0, short_hex_digits);
}

std::optional<Short> short_from_hex(std::string_view text) {
    if (text.size() != short_hex_digits) return std::nullopt;
    const std::optional<Digest> whole =
        digest_from_hex(std::string{text} + std::string(short_hex_digits, '0'));
    if (!whole) return std::nullopt;
    Short bytes{};
    std::copy_n(whole->bytes.begin(), bytes.size(), bytes.begin());
    return bytes;
}

std::optional<FieldDigest> read_field(const json::value& value) {
    const json::array* pair = value.if_array();
    if (pair == nullptr || pair->size() != 2) return std::nullopt;
    const json::string* pointer = pair->front().if_string();
    const json::string* hex = pair->back().if_string();
    if (pointer == nullptr || hex == nullptr) return std::nullopt;
    const std::optional<Short> digest = short_from_hex(*hex);
    if (!digest) return std::nullopt;
    return FieldDigest{std::string{*pointer}, *digest};
}

/// The members of the object, one by one; what is not as it was written makes it not ok.
class Members {
public:
    explicit Members(const json::object& object) : object_{object} {}

    std::size_t size(std::string_view name) {
        const json::value* value = object_.if_contains(name);
        json::error_code error;
        const auto number =
            value != nullptr ? value->to_number<std::size_t>(error) : std::size_t{0};
        if (value == nullptr || error) ok_ = false;
        return ok_ ? number : 0;
    }

    std::string text(std::string_view name) {
        const json::value* value = object_.if_contains(name);
        const json::string* text = value != nullptr ? value->if_string() : nullptr;
        if (text == nullptr) ok_ = false;
        return text != nullptr ? std::string{*text} : std::string{};
    }

    std::vector<FieldDigest> fields(std::string_view name) {
        std::vector<FieldDigest> fields;
        const json::value* value = object_.if_contains(name);
        const json::array* list = value != nullptr ? value->if_array() : nullptr;
        if (list == nullptr) {
            ok_ = false;
            return fields;
        }
        for (const json::value& entry : *list) {
            if (std::optional<FieldDigest> field = read_field(entry)) {
                fields.push_back(*std::move(field));
            } else {
                ok_ = false;
            }
        }
        return fields;
    }

    [[nodiscard]] bool ok() const { return ok_; }

private:
    const json::object& object_;
    bool ok_{true};
};

}  // namespace

std::string to_text(const FieldDigests& digests) {
    json::array fields;
    for (const FieldDigest& field : digests.fields) {
        fields.push_back(json::array{field.pointer, hex_of(field.digest)});
    }
    return json::serialize(json::object{{"secret", digests.rules.secret},
                                        {"depth", digests.rules.depth},
                                        {"max_fields", digests.rules.max_fields},
                                        {"left_out", digests.left_out},
                                        {"fields", std::move(fields)}});
}

std::optional<FieldDigests> field_digests_from_text(std::string_view text) {
    json::error_code error;
    const json::value document = json::parse(text, error);
    if (error || !document.is_object()) return std::nullopt;
    Members members{document.get_object()};
    FieldDigests digests{.rules = {.secret = members.text("secret"),
                                   .depth = members.size("depth"),
                                   .max_fields = members.size("max_fields")},
                         .fields = members.fields("fields"),
                         .left_out = members.size("left_out")};
    // What reads the same but is spelt otherwise was not written here.
    if (!members.ok() || to_text(digests) != text) return std::nullopt;
    return digests;
}

}  // namespace counterfoil::sqlite
