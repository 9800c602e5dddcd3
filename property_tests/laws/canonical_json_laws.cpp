#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <counterfoil/canonical_json.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/json_documents.hpp"

namespace counterfoil {
namespace {

using testing::Bytes;
using testing::Json;

using Outcome = Result<std::string, JsonError>;

Outcome canonical(Canonicalizer& json, std::string_view text,
                  const FieldSelection& selection = {}) {
    // On the heap and no byte longer than the text, so that a sanitizer sees every read behind it.
    const std::vector<char> exactly{text.begin(), text.end()};
    const auto result =
        json.canonicalize(std::string_view{exactly.data(), exactly.size()}, selection);
    if (!result) return result.error();
    return std::string{*result};
}

Outcome canonical(std::string_view text, Numbers numbers = Numbers::exact) {
    static Canonicalizer exact{Numbers::exact};
    static Canonicalizer ieee754{Numbers::ieee754};
    return canonical(numbers == Numbers::exact ? exact : ieee754, text);
}

RC_GTEST_PROP(CanonicalJson, is_the_reference_text_however_the_document_is_spelt,
              (std::uint64_t seed)) {
    const Json document = *gen::json();
    const std::string text = testing::respelt(document, seed);
    RC_LOG() << Bytes{text};
    RC_ASSERT(canonical(text) == Outcome{testing::reference_text(document)});
}

// Objects above some size are not put in order by moving their members, and many members are sorted
// in other ways than few.
RC_GTEST_PROP(CanonicalJson, is_the_reference_text_of_large_documents_too, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Json document = testing::large_document(seed);
    const std::string text = testing::respelt(document, seed);
    const std::string expected = testing::reference_text(document);
    RC_CLASSIFY(expected.size() > 2'048, "large");
    RC_ASSERT(canonical(text) == Outcome{expected});
    Canonicalizer json;
    Sha256 hash;
    RC_ASSERT(json.digest(text, {}, hash).value() == sha256(expected));
}

RC_GTEST_PROP(CanonicalJson, is_a_fixed_point, (std::uint64_t seed)) {
    const Json document = *gen::json(gen::safe_number());
    const std::string text = testing::respelt(document, seed);
    for (const Numbers numbers : {Numbers::exact, Numbers::ieee754}) {
        const auto once = canonical(text, numbers);
        RC_ASSERT(once.has_value());
        RC_ASSERT(canonical(*once, numbers) == once);
    }
}

RC_GTEST_PROP(CanonicalJson, changes_with_any_leaf_and_any_name, (std::uint64_t seed)) {
    const Json document = *gen::json();
    const Json other = testing::with_one_change(document, seed);
    RC_LOG() << other;
    Canonicalizer json;
    Sha256 hash;
    const auto text = canonical(testing::respelt(document, seed));
    const auto other_text = canonical(testing::respelt(other, seed));
    RC_ASSERT(text.has_value() && other_text.has_value());
    RC_ASSERT(*text != *other_text);
    RC_ASSERT(*json.digest(*text, {}, hash) != *json.digest(*other_text, {}, hash));
}

RC_GTEST_PROP(CanonicalJson, digest_is_that_of_the_canonical_bytes, (std::uint64_t seed)) {
    const std::string text = testing::respelt(*gen::json(), seed);
    Canonicalizer json;
    Sha256 hash;
    HmacSha256 hmac{"secret"};
    const auto canonical_text = canonical(text);
    RC_ASSERT(json.digest(text, {}, hash).value() == sha256(*canonical_text));
    hmac.update(*canonical_text);
    const Digest expected = hmac.finish();
    RC_ASSERT(json.digest(text, {}, hmac).value() == expected);
}

RC_GTEST_PROP(CanonicalJson, decodes_back_to_the_document, (std::uint64_t seed)) {
    const Json document = *gen::json(gen::safe_number());
    const std::string text = testing::respelt_but_for_numbers(document, seed);
    const auto canonical_text = canonical(text);
    RC_ASSERT(canonical_text.has_value());
    RC_ASSERT(boost::json::parse(*canonical_text) == boost::json::parse(text));
}

RC_GTEST_PROP(CanonicalJson, of_a_value_is_that_of_its_text, (std::uint64_t seed)) {
    const Json document = *gen::json(gen::safe_number());
    boost::json::value value = boost::json::parse(testing::respelt(document, seed));
    Canonicalizer json;
    const auto of_value = json.canonicalize(value);
    RC_ASSERT(of_value.has_value());
    const std::string bytes{*of_value};
    RC_ASSERT(canonical(boost::json::serialize(value)) == Outcome{bytes});
    Sha256 hash;
    RC_ASSERT(json.digest(value, {}, hash).value() == sha256(bytes));
}

RC_GTEST_PROP(CanonicalJson, every_truncation_of_a_container_is_an_unexpected_end,
              (std::uint64_t seed)) {
    std::string text = testing::respelt(*gen::container(), seed);
    text.erase(text.find_last_of("}]") + 1);
    Canonicalizer portable{Numbers::exact, Canonicalizer::default_max_depth,
                           detail::Blocks::portable};
    for (std::size_t size = 0; size < text.size(); ++size) {
        const std::string_view cut{text.data(), size};
        const Outcome expected{JsonError{JsonFault::unexpected_end, size}};
        RC_ASSERT(canonical(cut) == expected);
        RC_ASSERT(canonical(portable, cut) == expected);
    }
}

RC_GTEST_PROP(CanonicalJson, both_ways_of_reading_agree_and_errors_lie_in_the_text,
              (std::uint64_t seed, bool with_selection)) {
    const Bytes bytes{testing::mutated(testing::respelt(*gen::json(), seed), seed)};
    RC_LOG() << bytes;
    const auto selection =
        with_selection ? FieldSelection::omit(*gen::pointers()).value() : FieldSelection{};
    for (const Numbers numbers : {Numbers::exact, Numbers::ieee754}) {
        Canonicalizer blocks{numbers, 3};
        Canonicalizer portable{numbers, 3, detail::Blocks::portable};
        const auto outcome = canonical(blocks, bytes.text, selection);
        RC_CLASSIFY(!outcome.has_value(), "refused");
        RC_ASSERT(outcome == canonical(portable, bytes.text, selection));
        if (!outcome) RC_ASSERT(outcome.error().at <= bytes.text.size());
    }
}

// Where Boost.JSON 1.81 and we decide differently, and nowhere else: a duplicate name, which it
// drops in silence; a number's exponent, which it refuses or takes as infinity at other limits.
RC_GTEST_PROP(CanonicalJson, accepts_what_boost_json_accepts, (std::uint64_t seed)) {
    const Bytes bytes{testing::mutated(testing::respelt(*gen::json(), seed), seed)};
    RC_LOG() << bytes;
    boost::json::parse_options options;
    options.max_depth = 3;
    boost::json::error_code error;
    boost::json::parse(bytes.text, error, {}, options);
    Canonicalizer json{Numbers::exact, 3};
    const auto outcome = canonical(json, bytes.text);
    const bool beyond_comparison =
        error == boost::json::error::exponent_overflow ||
        (!outcome && (outcome.error().fault == JsonFault::duplicate_name ||
                      outcome.error().fault == JsonFault::number_out_of_range));
    RC_CLASSIFY(beyond_comparison, "beyond comparison");
    RC_CLASSIFY(!beyond_comparison && error, "refused");
    if (!beyond_comparison) RC_ASSERT(outcome.has_value() == !error);
}

}  // namespace
}  // namespace counterfoil
