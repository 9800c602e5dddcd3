#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <counterfoil/canonical_json.hpp>
#include <counterfoil/field_selection.hpp>
#include <rapidcheck.h>

#include "generators/printing.hpp"

// JSON documents as values, a reference for their canonical text that is written for plainness and
// shares no code with the core, and ways to spell one document differently.

namespace counterfoil {

// Printed in counterexamples.
std::ostream& operator<<(std::ostream& out, JsonFault fault);
std::ostream& operator<<(std::ostream& out, const JsonError& error);
std::ostream& operator<<(std::ostream& out, PointerFault fault);
std::ostream& operator<<(std::ostream& out, const PointerError& error);
std::ostream& operator<<(std::ostream& out, const FieldSelection& selection);

namespace testing {

/// d.ddd times ten to the power of `exponent`; no digits for zero, else neither end is 0.
struct Number {
    bool negative = false;
    std::string digits;
    std::int64_t exponent = 0;

    friend bool operator==(const Number&, const Number&) = default;
};

struct Member;

struct Json {
    using Array = std::vector<Json>;
    using Object = std::vector<Member>;

    std::variant<std::nullptr_t, bool, Number, std::string, Array, Object> value;
};

struct Member {
    std::string name;
    Json value;
};

std::ostream& operator<<(std::ostream& out, const Json& json);
std::ostream& operator<<(std::ostream& out, const Number& number);

/// The canonical text as RFC 8785 has it, numbers exact.
std::string reference_text(const Json& json);
std::string reference_text(const Number& number);

/// The document as text, members shuffled, with white space, escapes and number forms at random.
std::string respelt(const Json& json, std::uint64_t seed);

/// As respelt, but numbers keep their canonical form.
std::string respelt_but_for_numbers(const Json& json, std::uint64_t seed);

/// A number as some token with the same value.
std::string respelt(const Number& number, std::uint64_t seed);

/// The text with up to a few bytes changed, dropped, doubled or put in.
std::string mutated(std::string text, std::uint64_t seed);

/// The document with one leaf or name changed, chosen by the seed.
Json with_one_change(Json json, std::uint64_t seed);

/// A document of some kilobytes: long texts, many members, names with common beginnings.
Json large_document(std::uint64_t seed);

/// Whatever bytes, printed as hexadecimal digits where they aren't plain ASCII.
struct Bytes {
    std::string text;
};

std::ostream& operator<<(std::ostream& out, const Bytes& bytes);

}  // namespace testing

namespace gen {

/// Numbers of up to 15 digits that a double holds exactly enough.
rc::Gen<testing::Number> safe_number();

/// Numbers of up to 60 digits, with exponents up to the limit of +-999,999,999.
rc::Gen<testing::Number> number();

/// Text of few different characters: quotes, escapes, controls, and those where orders differ.
rc::Gen<std::string> text();

/// Documents whose numbers come from `numbers`, at most three levels deep.
rc::Gen<testing::Json> json(const rc::Gen<testing::Number>& numbers);
rc::Gen<testing::Json> json();

/// The same, but never a scalar.
rc::Gen<testing::Json> container();

/// Documents with members of few names, such as pointers() name too.
rc::Gen<testing::Json> small_names_json();

/// Pointers of few tokens, wildcards and array indexes among them; none is empty.
rc::Gen<std::vector<std::string>> pointers();

}  // namespace gen

}  // namespace counterfoil
