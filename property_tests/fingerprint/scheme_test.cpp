#include <array>
#include <string>
#include <vector>

#include <counterfoil/scheme.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/schemes.hpp"

namespace counterfoil {
namespace {

FieldSelection only(const std::vector<std::string>& pointers) {
    return *FieldSelection::only(pointers);
}

FieldSelection omit(const std::vector<std::string>& pointers) {
    return *FieldSelection::omit(pointers);
}

TEST(SchemeName, is_written_in_one_way) {
    const auto name = [](const Scheme& scheme) { return name_of(scheme).text; };
    EXPECT_EQ(name({}), "exact-json");
    EXPECT_EQ(name({Form::rfc8785, {}, {}}), "rfc8785");
    EXPECT_EQ(name({Form::raw, {}, {}}), "raw");
    EXPECT_EQ(name({Form::raw, {}, "2026-q4"}), "hmac-raw;secret=2026-q4");
    EXPECT_EQ(name({Form::exact_json, omit({"/trace_id"}), {}}), "exact-json;omit=/trace_id");
    EXPECT_EQ(name({Form::rfc8785, only({"/b", "/a/*"}), "k,1"}),
              "hmac-rfc8785;only=/a/*,/b;secret=k%2C1");
    EXPECT_EQ(name({Form::exact_json, only({""}), {}}), "exact-json;only=");
    EXPECT_EQ(name({Form::exact_json, only({"", "/\xC3\xA9 %=;"}), {}}),
              "exact-json;only=,/%C3%A9%20%25%3D%3B");
}

RC_GTEST_PROP(SchemeName, reads_back_as_the_scheme_that_it_names, ()) {
    const auto scheme = *gen::scheme();
    RC_CLASSIFY(scheme.secret.has_value(), "keyed");
    RC_CLASSIFY(scheme.fields != FieldSelection{}, "selects");
    const auto read = parse_scheme(name_of(scheme).text);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == scheme);
}

RC_GTEST_PROP(SchemeName, is_the_only_name_of_the_scheme_that_it_reads_as, ()) {
    const auto name = *gen::almost_scheme_name();
    const auto read = parse_scheme(name);
    RC_CLASSIFY(read.has_value(), "a name");
    if (read) {
        RC_ASSERT(name_of(*read).text == name);
    } else {
        RC_ASSERT(read.error().at <= name.size());
    }
}

RC_GTEST_PROP(SchemeName, is_all_printable_ascii, ()) {
    for (const char c : name_of(*gen::scheme()).text) RC_ASSERT(c > ' ' && c <= '~');
}

RC_GTEST_PROP(SchemeName, is_read_whatever_its_bytes, (const std::string& bytes)) {
    const auto read = parse_scheme(bytes);
    if (read) RC_ASSERT(name_of(*read).text == bytes);
}

// A value that is no scheme has a name that says what is wrong with it.
TEST(SchemeName, of_what_is_no_scheme_is_refused) {
    const auto fault = [](const Scheme& scheme) {
        const auto read = parse_scheme(name_of(scheme).text);
        return read ? std::nullopt : std::optional{read.error().fault};
    };
    EXPECT_EQ(fault({Form::raw, omit({"/a"}), {}}), SchemeFault::selection_of_bytes);
    EXPECT_EQ(fault({Form::raw, {}, ""}), SchemeFault::secret_missing);
}

struct Refusal {
    std::string name;
    SchemeFault fault;
    std::size_t at;
};

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
    return out << gen::visible(refusal.name) << ": " << refusal.fault << " at " << refusal.at;
}

class RefusedSchemeName : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedSchemeName, says_what_is_wrong_and_where) {
    const auto& [name, fault, at] = GetParam();
    const auto read = parse_scheme(name);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error(), (SchemeError{fault, at}));
}

// Each mends what is wrong with the one before it, from left to right.
INSTANTIATE_TEST_SUITE_P(
    Ladder, RefusedSchemeName,
    testing::Values(Refusal{"raW;only=%zz,/b,/a;x;secret=", SchemeFault::unknown_form, 0},
                    Refusal{"raw;only=%zz,/b,/a;x;secret=", SchemeFault::selection_of_bytes, 4},
                    Refusal{"rfc8785;only=%zz,/b,/a;x;secret=", SchemeFault::bad_text, 13},
                    Refusal{"rfc8785;only=c,/b,/a;x;secret=", SchemeFault::not_normal, 15},
                    Refusal{"rfc8785;only=/a,b;x;secret=", SchemeFault::bad_pointer, 16},
                    Refusal{"rfc8785;only=/a,/b;x;secret=", SchemeFault::unknown_option, 19},
                    Refusal{"rfc8785;only=/a,/b;secret=", SchemeFault::secret_unused, 19},
                    Refusal{"hmac-rfc8785;only=/a,/b;secret=", SchemeFault::secret_missing, 31},
                    Refusal{"hmac-rfc8785;only=/a,/b;secret=k;omit=/c",
                            SchemeFault::option_out_of_order, 33},
                    Refusal{"hmac-rfc8785;only=/a,/b;secret=k;", SchemeFault::unknown_option, 33}));

INSTANTIATE_TEST_SUITE_P(
    Forms, RefusedSchemeName,
    testing::Values(Refusal{"", SchemeFault::unknown_form, 0},
                    Refusal{"hmac-", SchemeFault::unknown_form, 5},
                    Refusal{"hmac-hmac-raw;secret=k", SchemeFault::unknown_form, 5},
                    Refusal{"exact_json", SchemeFault::unknown_form, 0},
                    Refusal{"exact-json ", SchemeFault::unknown_form, 0},
                    Refusal{" exact-json", SchemeFault::unknown_form, 0},
                    Refusal{"exact-json2", SchemeFault::unknown_form, 0},
                    Refusal{std::string{"raw\0", 4}, SchemeFault::unknown_form, 0},
                    Refusal{";only=/a", SchemeFault::unknown_form, 0}));

INSTANTIATE_TEST_SUITE_P(
    Options, RefusedSchemeName,
    testing::Values(Refusal{"raw;", SchemeFault::unknown_option, 4},
                    Refusal{"raw;;", SchemeFault::unknown_option, 4},
                    Refusal{"raw;only", SchemeFault::unknown_option, 4},
                    Refusal{"raw;Only=/a", SchemeFault::unknown_option, 4},
                    Refusal{"exact-json;only=/a;only=/b", SchemeFault::option_out_of_order, 19},
                    Refusal{"exact-json;only=/a;omit=/b", SchemeFault::option_out_of_order, 19},
                    Refusal{"exact-json;omit=/a;only=/b", SchemeFault::option_out_of_order, 19},
                    Refusal{"hmac-raw;secret=a;secret=b", SchemeFault::option_out_of_order, 18},
                    Refusal{"hmac-exact-json;secret=a;only=/b", SchemeFault::option_out_of_order,
                            25},
                    Refusal{"hmac-raw", SchemeFault::secret_missing, 8},
                    Refusal{"hmac-exact-json;only=/a", SchemeFault::secret_missing, 23},
                    Refusal{"raw;secret=k", SchemeFault::secret_unused, 4},
                    Refusal{"hmac-raw;omit=/a;secret=k", SchemeFault::selection_of_bytes, 9}));

INSTANTIATE_TEST_SUITE_P(
    Texts, RefusedSchemeName,
    testing::Values(Refusal{"hmac-raw;secret=a=b", SchemeFault::bad_text, 17},
                    Refusal{"hmac-raw;secret=a,b", SchemeFault::bad_text, 17},
                    Refusal{"hmac-raw;secret=a b", SchemeFault::bad_text, 17},
                    Refusal{"hmac-raw;secret=a\x7F", SchemeFault::bad_text, 17},
                    Refusal{"hmac-raw;secret=\xC3\xA9", SchemeFault::bad_text, 16},
                    Refusal{"hmac-raw;secret=%2c", SchemeFault::bad_text, 16},
                    Refusal{"hmac-raw;secret=%41", SchemeFault::bad_text, 16},
                    Refusal{"hmac-raw;secret=%2", SchemeFault::bad_text, 16},
                    Refusal{"hmac-raw;secret=%", SchemeFault::bad_text, 16},
                    Refusal{"exact-json;only=%2,C", SchemeFault::bad_text, 16},
                    Refusal{"exact-json;only=/b,/a", SchemeFault::not_normal, 19},
                    Refusal{"exact-json;only=/a,/a", SchemeFault::not_normal, 19},
                    Refusal{"exact-json;omit=/a,", SchemeFault::not_normal, 19},
                    Refusal{"exact-json;omit=", SchemeFault::bad_pointer, 16},
                    Refusal{"exact-json;only=/~2", SchemeFault::bad_pointer, 16},
                    Refusal{"exact-json;only=/%FF", SchemeFault::bad_pointer, 16},
                    Refusal{"exact-json;only=/a,/a~", SchemeFault::bad_pointer, 19}));

}  // namespace
}  // namespace counterfoil
