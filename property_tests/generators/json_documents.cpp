#include "generators/json_documents.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <random>
#include <set>
#include <utility>

#include <counterfoil/overloaded.hpp>

namespace counterfoil {

std::ostream& operator<<(std::ostream& out, JsonFault fault) {
    switch (fault) {
        case JsonFault::syntax: return out << "syntax";
        case JsonFault::unexpected_end: return out << "unexpected_end";
        case JsonFault::trailing_text: return out << "trailing_text";
        case JsonFault::byte_order_mark: return out << "byte_order_mark";
        case JsonFault::invalid_utf8: return out << "invalid_utf8";
        case JsonFault::lone_surrogate: return out << "lone_surrogate";
        case JsonFault::duplicate_name: return out << "duplicate_name";
        case JsonFault::too_deep: return out << "too_deep";
        case JsonFault::number_out_of_range: return out << "number_out_of_range";
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const JsonError& error) {
    return out << error.fault << " at " << error.at;
}

std::ostream& operator<<(std::ostream& out, PointerFault fault) {
    switch (fault) {
        case PointerFault::missing_slash: return out << "missing_slash";
        case PointerFault::bad_escape: return out << "bad_escape";
        case PointerFault::invalid_utf8: return out << "invalid_utf8";
        case PointerFault::selects_nothing: return out << "selects_nothing";
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const PointerError& error) {
    return out << error.fault << " at " << error.at << " of pointer " << error.pointer;
}

std::ostream& operator<<(std::ostream& out, const FieldSelection& selection) {
    switch (selection.kind()) {
        case FieldSelection::Kind::everything: return out << "everything";
        case FieldSelection::Kind::only: out << "only"; break;
        case FieldSelection::Kind::omit: out << "omit"; break;
    }
    for (const auto& pointer : selection.pointers()) out << " \"" << pointer << '"';
    return out;
}

namespace testing {

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) {
    return static_cast<std::size_t>(random() % limit);
}

bool one_in(Random& random, std::size_t times) {
    return below(random, times) == 0;
}

std::u32string decoded(std::string_view utf8) {
    std::u32string code_points;
    for (std::size_t at = 0; at < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[at]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        char32_t code_point = size == 1 ? lead : lead & (0xFFU >> (size + 1));
        for (std::size_t i = 1; i < size; ++i) {
            code_point = (code_point << 6U) | (static_cast<unsigned char>(utf8[at + i]) & 0x3FU);
        }
        code_points += code_point;
        at += size;
    }
    return code_points;
}

std::u16string code_units(std::string_view utf8) {
    std::u16string units;
    for (const char32_t code_point : decoded(utf8)) {
        if (code_point < 0x10000) {
            units += static_cast<char16_t>(code_point);
        } else {
            units += static_cast<char16_t>(0xD800 + ((code_point - 0x10000) >> 10U));
            units += static_cast<char16_t>(0xDC00 + ((code_point - 0x10000) & 0x3FFU));
        }
    }
    return units;
}

std::string hex_digits(unsigned value, std::size_t count, bool upper) {
    const std::string_view digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    std::string text;
    for (std::size_t i = count; i-- > 0;) text += digits[(value >> (4 * i)) % 16];
    return text;
}

std::string reference_string(std::string_view text) {
    std::string out = "\"";
    for (const char byte : text) {
        static const std::string letters = "b\bt\tn\nf\fr\r\"\"\\\\";
        std::size_t letter = 1;
        while (letter < letters.size() && letters[letter] != byte) letter += 2;
        if (letter < letters.size()) {
            out += '\\';
            out += letters[letter - 1];
        } else if (static_cast<unsigned char>(byte) < 0x20) {
            out += "\\u" + hex_digits(static_cast<unsigned char>(byte), 4, false);
        } else {
            out += byte;
        }
    }
    return out + '"';
}

// Writes a document in one of its many spellings.
class Speller {
public:
    Speller(std::uint64_t seed, bool numbers) : random_(seed), numbers_(numbers) {}

    std::string document(const Json& json) { return space() + spelt(json) + space(); }

    std::string number(const Number& number) {
        std::string digits = number.digits.empty() ? "0" : number.digits;
        std::int64_t exponent = number.digits.empty()
                                    ? static_cast<std::int64_t>(below(random_, 50)) - 25
                                    : number.exponent;
        digits += std::string(below(random_, 3), '0');
        // Move the point a little, and what is out of sight into the exponent.
        std::string leading;
        const std::size_t whole = 1 + below(random_, digits.size());
        std::string token = number.negative ? "-" : "";
        if (number.digits.empty() && one_in(random_, 2)) token = "-";
        if (one_in(random_, 4)) {
            const std::size_t zeros = below(random_, 9);
            token += "0." + std::string(zeros, '0') + digits;
            exponent += static_cast<std::int64_t>(zeros) + 1;
        } else if (digits[0] == '0') {
            token += "0";
            if (digits.size() > 1) token += '.' + digits.substr(1);
        } else {
            token += digits.substr(0, whole);
            if (whole < digits.size()) token += '.' + digits.substr(whole);
            exponent -= static_cast<std::int64_t>(whole) - 1;
        }
        if (exponent != 0 || one_in(random_, 3)) {
            token += one_in(random_, 2) ? 'e' : 'E';
            if (exponent < 0) {
                token += '-';
            } else if (one_in(random_, 2)) {
                token += '+';
            }
            token += std::string(below(random_, 3), '0') + std::to_string(std::abs(exponent));
        }
        return token;
    }

private:
    std::string spelt(const Json& json) {
        return std::visit(overloaded{
                              [](std::nullptr_t) -> std::string { return "null"; },
                              [](bool value) -> std::string { return value ? "true" : "false"; },
                              [&](const Number& value) {
                                  return numbers_ ? number(value) : reference_text(value);
                              },
                              [&](const std::string& value) { return string(value); },
                              [&](const Json::Array& value) {
                                  std::string text = "[" + space();
                                  for (const Json& element : value) {
                                      if (&element != &value.front()) text += ',' + space();
                                      text += spelt(element) + space();
                                  }
                                  return text + ']';
                              },
                              [&](const Json::Object& value) {
                                  Json::Object members = value;
                                  std::shuffle(members.begin(), members.end(), random_);
                                  std::string text = "{" + space();
                                  for (const Member& member : members) {
                                      if (&member != &members.front()) text += ',' + space();
                                      text += string(member.name) + space() + ':' + space() +
                                              spelt(member.value) + space();
                                  }
                                  return text + '}';
                              },
                          },
                          json.value);
    }

    std::string string(const std::string& text) {
        std::string out = "\"";
        const bool may_escape = one_in(random_, 2);
        std::size_t at = 0;
        for (const char32_t code_point : decoded(text)) {
            const std::size_t size = code_point < 0x80      ? 1
                                     : code_point < 0x800   ? 2
                                     : code_point < 0x10000 ? 3
                                                            : 4;
            const std::string raw = text.substr(at, size);
            at += size;
            if (may_escape && one_in(random_, 3)) {
                for (const char16_t unit : code_units(raw)) {
                    out += "\\u" + hex_digits(unit, 4, one_in(random_, 2));
                }
            } else if (may_escape && raw == "/" && one_in(random_, 2)) {
                out += "\\/";
            } else {
                const std::string quoted = reference_string(raw);
                out += quoted.substr(1, quoted.size() - 2);
            }
        }
        return out + '"';
    }

    std::string space() {
        std::string text;
        while (one_in(random_, 5))
            text += std::string(1 + below(random_, 20), " \t\r\n"[below(random_, 4)]);
        return text;
    }

    Random random_;
    bool numbers_;
};

void collect_leaves(Json& json, std::vector<Json*>& leaves, std::vector<Json*>& objects) {
    if (auto* array = std::get_if<Json::Array>(&json.value)) {
        if (array->empty()) leaves.push_back(&json);
        for (Json& element : *array) collect_leaves(element, leaves, objects);
    } else if (auto* object = std::get_if<Json::Object>(&json.value)) {
        (object->empty() ? leaves : objects).push_back(&json);
        for (Member& member : *object) collect_leaves(member.value, leaves, objects);
    } else {
        leaves.push_back(&json);
    }
}

void change_leaf(Json& leaf, Random& random) {
    std::visit(overloaded{
                   [&](std::nullptr_t) { leaf.value = one_in(random, 2); },
                   [&](bool value) { leaf.value = !value; },
                   [&](const Number& value) {
                       Number changed = value;
                       if (changed.digits.empty()) {
                           changed = {one_in(random, 2), "1", 0};
                       } else if (one_in(random, 3)) {
                           changed.negative = !changed.negative;
                       } else {
                           changed.digits += std::to_string(1 + below(random, 9));
                       }
                       leaf.value = changed;
                   },
                   [&](const std::string& value) {
                       leaf.value = one_in(random, 2) ? value + "a" : "\n" + value;
                   },
                   [&](const Json::Array&) { leaf.value = Json::Object{}; },
                   [&](const Json::Object&) { leaf.value = Json::Array{}; },
               },
               Json{leaf}.value);
}

}  // namespace

std::string reference_text(const Number& number) {
    if (number.digits.empty()) return "0";
    const std::string sign = number.negative ? "-" : "";
    const std::string& digits = number.digits;
    const auto count = static_cast<std::int64_t>(digits.size());
    const std::int64_t exponent = number.exponent;
    if (exponent >= 21 || exponent < -6) {
        const std::string rest = count > 1 ? '.' + digits.substr(1) : "";
        return sign + digits[0] + rest + (exponent < 0 ? "e-" : "e+") +
               std::to_string(std::abs(exponent));
    }
    if (exponent < 0) {
        return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    }
    if (count <= exponent + 1) {
        return sign + digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
    }
    const auto whole = static_cast<std::size_t>(exponent + 1);
    return sign + digits.substr(0, whole) + '.' + digits.substr(whole);
}

std::string reference_text(const Json& json) {
    return std::visit(overloaded{
                          [](std::nullptr_t) -> std::string { return "null"; },
                          [](bool value) -> std::string { return value ? "true" : "false"; },
                          [](const Number& value) { return reference_text(value); },
                          [](const std::string& value) { return reference_string(value); },
                          [](const Json::Array& value) {
                              std::string text;
                              for (const Json& element : value)
                                  text += ',' + reference_text(element);
                              return '[' + (text.empty() ? text : text.substr(1)) + ']';
                          },
                          [](const Json::Object& value) {
                              std::vector<std::pair<std::u16string, const Member*>> members;
                              for (const Member& member : value) {
                                  members.emplace_back(code_units(member.name), &member);
                              }
                              std::sort(members.begin(), members.end());
                              std::string text;
                              for (const auto& [units, member] : members) {
                                  text += ',' + reference_string(member->name) + ':' +
                                          reference_text(member->value);
                              }
                              return '{' + (text.empty() ? text : text.substr(1)) + '}';
                          },
                      },
                      json.value);
}

std::string respelt(const Json& json, std::uint64_t seed) {
    return Speller{seed, true}.document(json);
}

std::string respelt_but_for_numbers(const Json& json, std::uint64_t seed) {
    return Speller{seed, false}.document(json);
}

std::string respelt(const Number& number, std::uint64_t seed) {
    return Speller{seed, true}.number(number);
}

std::string mutated(std::string text, std::uint64_t seed) {
    Random random{seed};
    static const std::string interesting =
        "{}[]:,\"\\/ \t\n\r0123456789-+.eEutrfalsn\x1F\x7F\x80\xBF\xC2\xE0\xED\xEE\xEF\xF0\xF4\xFF";
    for (std::size_t changes = one_in(random, 4) ? 3 : 1; changes != 0; --changes) {
        const std::size_t at = below(random, text.size() + 1);
        const char byte = one_in(random, 8) ? static_cast<char>(random() & 0xFFU)
                                            : interesting[below(random, interesting.size())];
        // What must not pass for characters: overlong, surrogates, too high; and half escapes.
        static const std::vector<std::string> sequences{
            "\xC0\x80",         "\xE0\x80\x80",     "\xED\xA0\x80",
            "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\\ud800",
            "\\udc00",          "\\ud83d\\ude00",   "\\u00",
            "\xE2\x82\xAC"};
        switch (below(random, 5)) {
            case 0: text.insert(at, 1, byte); break;
            case 3: {
                // Behind a quote, where it is likely to be in a string.
                const std::size_t quote = text.find('"', at);
                text.insert(quote == std::string::npos ? at : quote + 1,
                            sequences[below(random, sequences.size())]);
                break;
            }
            case 1:
                if (at < text.size()) text[at] = byte;
                break;
            case 2: text.erase(at, 1 + below(random, 3)); break;
            default: text.insert(at, text.substr(at, 1 + below(random, 20))); break;
        }
    }
    return text;
}

Json with_one_change(Json json, std::uint64_t seed) {
    Random random{seed};
    std::vector<Json*> leaves;
    std::vector<Json*> objects;
    collect_leaves(json, leaves, objects);
    if (!objects.empty() && one_in(random, 3)) {
        auto& members = std::get<Json::Object>(objects[below(random, objects.size())]->value);
        // Longer than any other, so that it stays unlike them.
        std::size_t longest = 0;
        for (const Member& member : members) longest = std::max(longest, member.name.size());
        members[below(random, members.size())].name += std::string(longest + 1, 'a');
    } else {
        change_leaf(*leaves[below(random, leaves.size())], random);
    }
    return json;
}

namespace {

std::string long_text(Random& random) {
    std::string text(below(random, one_in(random, 3) ? 1'500 : 12), 'x');
    if (!text.empty() && one_in(random, 4)) text[below(random, text.size())] = '\n';
    return text;
}

Json large(Random& random, std::size_t depth) {
    if (depth == 0 || one_in(random, 4)) return Json{long_text(random)};
    if (one_in(random, 4)) {
        Json::Array array;
        for (std::size_t i = below(random, 5); i != 0; --i) {
            array.push_back(large(random, depth - 1));
        }
        return Json{array};
    }
    const std::size_t wide = one_in(random, 8) ? 400 : 6;
    const std::string prefix(one_in(random, 2) ? 0 : below(random, 20), 'p');
    Json::Object object;
    for (std::size_t i = below(random, wide); i != 0; --i) {
        const std::string name = (one_in(random, 9) ? "\n" : "") + prefix +
                                 std::string(1, static_cast<char>('a' + i % 3));
        object.push_back({name + (i < 3 ? "" : std::to_string(i)),
                          wide > 6 ? Json{i % 2 == 0} : large(random, depth - 1)});
    }
    return Json{object};
}

}  // namespace

Json large_document(std::uint64_t seed) {
    Random random{seed};
    return large(random, 5);
}

std::ostream& operator<<(std::ostream& out, const Json& json) {
    return out << reference_text(json);
}

std::ostream& operator<<(std::ostream& out, const Number& number) {
    return out << reference_text(number);
}

std::ostream& operator<<(std::ostream& out, const Bytes& bytes) {
    for (const char byte : bytes.text) {
        if (byte >= ' ' && byte <= '~' && byte != '\\') {
            out << byte;
        } else {
            out << "\\x" << hex_digits(static_cast<unsigned char>(byte), 2, false);
        }
    }
    return out;
}

}  // namespace testing

namespace gen {

namespace {

using testing::Json;
using testing::Number;

// Digits that begin and end with another than 0.
rc::Gen<std::string> significant_digits(int most) {
    return rc::gen::mapcat(rc::gen::inRange(1, most + 1), [](int count) {
        return rc::gen::map(
            rc::gen::container<std::string>(static_cast<std::size_t>(count),
                                            rc::gen::element('0', '0', '1', '5', '9', '9', '3')),
            [](std::string digits) {
                if (digits.front() == '0') digits.front() = '1';
                if (digits.back() == '0') digits.back() = '2';
                return digits;
            });
    });
}

rc::Gen<Number> number_of(const rc::Gen<std::string>& digits,
                          const rc::Gen<std::int64_t>& exponents) {
    const auto any = rc::gen::construct<Number>(rc::gen::arbitrary<bool>(), digits, exponents);
    return rc::gen::weightedOneOf<Number>({{9, any}, {1, rc::gen::just(Number{})}});
}

Json object_of(std::vector<std::pair<std::string, Json>> members) {
    Json::Object object;
    std::set<std::string> names;
    for (auto& [name, value] : members) {
        if (names.insert(name).second) object.push_back({name, std::move(value)});
    }
    return Json{std::move(object)};
}

rc::Gen<Json> scalar(const rc::Gen<Number>& numbers, const rc::Gen<std::string>& texts) {
    return rc::gen::oneOf(
        rc::gen::just(Json{nullptr}),
        rc::gen::map(rc::gen::arbitrary<bool>(), [](bool value) { return Json{value}; }),
        rc::gen::map(numbers, [](Number value) { return Json{std::move(value)}; }),
        rc::gen::map(texts, [](std::string value) { return Json{std::move(value)}; }));
}

rc::Gen<Json> tree(int depth, bool may_be_scalar, const rc::Gen<Json>& scalars,
                   const rc::Gen<std::string>& names) {
    if (depth == 0) return scalars;
    const auto inner = tree(depth - 1, true, scalars, names);
    const auto sizes = rc::gen::inRange<std::size_t>(0, 6);
    const auto array = rc::gen::mapcat(sizes, [inner](std::size_t size) {
        return rc::gen::map(rc::gen::container<Json::Array>(size, inner),
                            [](Json::Array elements) { return Json{std::move(elements)}; });
    });
    const auto object = rc::gen::mapcat(sizes, [inner, names](std::size_t size) {
        return rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, Json>>>(
                                size, rc::gen::pair(names, inner)),
                            object_of);
    });
    return may_be_scalar ? rc::gen::oneOf(scalars, array, object, object)
                         : rc::gen::oneOf(array, object, object);
}

}  // namespace

rc::Gen<Number> safe_number() {
    return number_of(significant_digits(15), rc::gen::inRange<std::int64_t>(-280, 280));
}

rc::Gen<Number> number() {
    return number_of(significant_digits(60),
                     rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-10, 30),
                                    rc::gen::inRange<std::int64_t>(-400, 400),
                                    rc::gen::inRange<std::int64_t>(-999'999'999, 1'000'000'000),
                                    rc::gen::element<std::int64_t>(-999'999'999, 999'999'999)));
}

rc::Gen<std::string> text() {
    // The last ones are where the orders of UTF-8 and UTF-16 differ, or a sequence gets longer.
    const auto characters = rc::gen::element<std::string>(
        "a", "b", "a", "b", "0", "/", "\"", "\\", std::string(1, '\0'), "\x01", "\b", "\t", "\n",
        "\f", "\r", "\x1F", " ", "\x7F", "\xC2\x80", "\xC3\xA9", "e\xCC\x81", "\xDF\xBF",
        "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBD", "\xEF\xBF\xBF",
        "\xF0\x90\x80\x80", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF");
    const auto sizes =
        rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 4), rc::gen::inRange<std::size_t>(0, 40));
    const auto mixed = rc::gen::mapcat(sizes, [characters](std::size_t size) {
        return rc::gen::map(rc::gen::container<std::vector<std::string>>(size, characters),
                            [](const std::vector<std::string>& parts) {
                                std::string whole;
                                for (const auto& part : parts) whole += part;
                                return whole;
                            });
    });
    // Common prefixes of about a word, as names have.
    const auto alike = rc::gen::map(rc::gen::inRange(0, 60), [](int i) {
        return "shipping_" + std::string(static_cast<std::size_t>(i % 6), 'x') + std::to_string(i);
    });
    return rc::gen::oneOf(mixed, alike);
}

rc::Gen<Json> json(const rc::Gen<Number>& numbers) {
    return tree(3, true, scalar(numbers, text()), text());
}

rc::Gen<Json> json() {
    return json(number());
}

rc::Gen<Json> container() {
    return tree(3, false, scalar(number(), text()), text());
}

rc::Gen<Json> small_names_json() {
    const auto names = rc::gen::weightedOneOf<std::string>(
        {{6, rc::gen::element<std::string>("a", "b", "c")},
         {1, rc::gen::element<std::string>("", "*", "0", "1", "01", "-", "a/b", "m~n", "\xC3\xA9",
                                           "\n")}});
    return tree(3, false, scalar(safe_number(), rc::gen::element<std::string>("x", "y")), names);
}

rc::Gen<std::vector<std::string>> pointers() {
    const auto tokens = rc::gen::weightedOneOf<std::string>(
        {{8, rc::gen::element<std::string>("/a", "/b", "/c", "/*", "/0", "/1")},
         {1, rc::gen::element<std::string>("/", "/2", "/01", "/-", "/a~1b", "/m~0n", "/\xC3\xA9",
                                           "/\n")}});
    const auto pointer =
        rc::gen::mapcat(rc::gen::element<std::size_t>(1, 1, 2, 2, 3), [tokens](auto size) {
            return rc::gen::map(rc::gen::container<std::vector<std::string>>(size, tokens),
                                [](const std::vector<std::string>& parts) {
                                    std::string whole;
                                    for (const auto& part : parts) whole += part;
                                    return whole;
                                });
        });
    return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 5), [pointer](std::size_t size) {
        return rc::gen::container<std::vector<std::string>>(size, pointer);
    });
}

}  // namespace gen

}  // namespace counterfoil
