#include <string>
#include <string_view>

#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/json_documents.hpp"

namespace counterfoil {
namespace {

using testing::Number;

using Outcome = Result<std::string, JsonError>;

Outcome canonical(std::string_view token, Numbers numbers) {
    static Canonicalizer exact{Numbers::exact};
    static Canonicalizer ieee754{Numbers::ieee754};
    const auto result = (numbers == Numbers::exact ? exact : ieee754).canonicalize(token);
    if (!result) return result.error();
    return std::string{*result};
}

RC_GTEST_PROP(CanonicalNumber, exact_keeps_every_digit_of_every_spelling, (std::uint64_t seed)) {
    const Number number = *gen::number();
    const std::string token = testing::respelt(number, seed);
    RC_LOG() << token;
    RC_ASSERT(canonical(token, Numbers::exact) == Outcome{testing::reference_text(number)});
}

RC_GTEST_PROP(CanonicalNumber, exact_is_ieee754_where_a_double_loses_nothing,
              (std::uint64_t seed)) {
    const Number number = *gen::safe_number();
    const std::string token = testing::respelt(number, seed);
    RC_ASSERT(canonical(token, Numbers::ieee754) == canonical(token, Numbers::exact));
}

// The 17 digits that tell any double from its neighbours are the most that a double can keep.
RC_GTEST_PROP(CanonicalNumber, exact_tells_apart_what_ieee754_makes_equal, (std::uint64_t seed)) {
    Number number = *gen::number();
    number.exponent %= 300;
    if (number.digits.empty()) number.digits = "1";
    number.digits.insert(1, 18, '3');
    Number neighbour = number;
    neighbour.digits.back() = number.digits.back() == '9' ? '1' : '9';
    const std::string token = testing::respelt(number, seed);
    const std::string other = testing::respelt(neighbour, seed);
    RC_ASSERT(canonical(token, Numbers::exact) != canonical(other, Numbers::exact));
    RC_ASSERT(canonical(token, Numbers::exact) != canonical(token, Numbers::ieee754));
    RC_CLASSIFY(canonical(token, Numbers::ieee754) == canonical(other, Numbers::ieee754),
                "equal as doubles");
}

RC_GTEST_PROP(CanonicalNumber, what_ieee754_writes_is_exact_and_rounds_to_itself,
              (std::uint64_t seed)) {
    const std::string token = testing::respelt(*gen::number(), seed);
    const auto rounded = canonical(token, Numbers::ieee754);
    if (!rounded) {
        RC_ASSERT(rounded.error() == (JsonError{JsonFault::number_out_of_range, 0}));
        return;
    }
    RC_ASSERT(canonical(*rounded, Numbers::ieee754) == rounded);
    RC_ASSERT(canonical(*rounded, Numbers::exact) == rounded);
}

RC_GTEST_PROP(CanonicalNumber, ieee754_refuses_above_the_doubles_and_is_zero_below,
              (std::uint64_t seed)) {
    Number number = *gen::number();
    if (number.digits.empty()) number.digits = "1";
    number.exponent = *rc::gen::inRange<std::int64_t>(309, 1'000'000'000);
    RC_ASSERT(canonical(testing::respelt(number, seed), Numbers::ieee754) ==
              Outcome(JsonError{JsonFault::number_out_of_range, 0}));
    number.exponent = -*rc::gen::inRange<std::int64_t>(325, 1'000'000'000);
    RC_ASSERT(canonical(testing::respelt(number, seed), Numbers::ieee754) ==
              Outcome(std::string{"0"}));
}

RC_GTEST_PROP(CanonicalNumber, exact_refuses_exponents_beyond_nine_digits, (std::uint64_t seed)) {
    Number number = *gen::number();
    if (number.digits.empty()) number.digits = "1";
    const auto beyond =
        *rc::gen::oneOf(rc::gen::just<std::int64_t>(1'000'000'000),
                        rc::gen::inRange<std::int64_t>(1'000'000'000, 9'000'000'000'000'000'000));
    for (const std::int64_t exponent : {beyond, -beyond}) {
        number.exponent = exponent;
        RC_ASSERT(canonical(testing::respelt(number, seed), Numbers::exact) ==
                  Outcome(JsonError{JsonFault::number_out_of_range, 0}));
    }
}

}  // namespace
}  // namespace counterfoil
