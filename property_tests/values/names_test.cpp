#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <counterfoil/names.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/values.hpp"

namespace counterfoil {
namespace {

using namespace std::string_literals;

NameError error(NameFault fault, std::size_t at, std::size_t length) {
    return {fault, at, length};
}

/// What each kind of name says to a text that is none.
std::array<NameError, 3> refusals(std::string_view text) {
    return {parse_tenant(text).error(), parse_operation(text).error(), parse_key(text).error()};
}

/// What each kind of name makes of a text that is one.
std::array<std::string, 3> texts(std::string_view text) {
    return {parse_tenant(text)->text(), parse_operation(text)->text(), parse_key(text)->text()};
}

TEST(Names, every_kind_refuses_what_is_empty_blank_long_or_forbidden) {
    const auto long_one = std::string(256, 'x');
    const std::array<std::pair<std::string, NameError>, 9> refused{{
        {"", error(NameFault::empty, 0, 0)},
        {" ", error(NameFault::blank, 0, 1)},
        {"\t \t", error(NameFault::blank, 0, 3)},
        {std::string(300, ' '), error(NameFault::blank, 0, 300)},
        {long_one, error(NameFault::too_long, 255, 256)},
        {"a\0b"s, error(NameFault::forbidden_byte, 1, 3)},
        {"a\n", error(NameFault::forbidden_byte, 1, 2)},
        {"\x7F", error(NameFault::forbidden_byte, 0, 1)},
        {"caf\xC3\xA9", error(NameFault::forbidden_byte, 3, 5)},
    }};
    for (const auto& [text, told] : refused) {
        EXPECT_EQ(refusals(text), (std::array{told, told, told})) << gen::visible(text);
    }
}

TEST(Names, every_kind_takes_up_to_255_visible_bytes) {
    for (const auto& text : {"x"s, std::string(128, '~'), std::string(255, '!'), "a\"b"s}) {
        EXPECT_EQ(texts(text), (std::array{text, text, text}));
    }
}

TEST(Names, spaces_stand_inside_a_tenant_or_operation_and_in_no_key) {
    EXPECT_EQ(parse_operation("POST /orders")->text(), "POST /orders");
    EXPECT_EQ(parse_tenant("a  b")->text(), "a  b");
    EXPECT_EQ(parse_tenant(" a").error(), error(NameFault::forbidden_byte, 0, 2));
    EXPECT_EQ(parse_tenant("a  ").error(), error(NameFault::forbidden_byte, 2, 3));
    EXPECT_EQ(parse_key("a b").error(), error(NameFault::forbidden_byte, 1, 3));
}

// Each rung mends the fault that the rung before it is told of.
TEST(Names, the_first_fault_is_told) {
    KeyRules rules;
    rules.min_length = 3;
    rules.max_length = 4;
    EXPECT_EQ(parse_key("", rules).error(), error(NameFault::empty, 0, 0));
    EXPECT_EQ(parse_key("     ", rules).error(), error(NameFault::blank, 0, 5));
    EXPECT_EQ(parse_key(" a", rules).error(), error(NameFault::too_short, 3, 2));
    EXPECT_EQ(parse_key(" abcd", rules).error(), error(NameFault::too_long, 4, 5));
    EXPECT_EQ(parse_key("ab \n", rules).error(), error(NameFault::forbidden_byte, 2, 4));
    EXPECT_EQ(parse_key("ab-\n", rules).error(), error(NameFault::forbidden_byte, 3, 4));
    EXPECT_EQ(parse_key("ab-c", rules)->text(), "ab-c");
}

TEST(Names, the_widest_rules_let_in_any_byte_and_length) {
    std::string every_byte(1'000, 'x');
    for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
    EXPECT_EQ(parse_key(every_byte, KeyRules::widest())->text(), every_byte);
}

TEST(Names, visible_ascii_is_the_bytes_21_to_7e) {
    const auto bytes = visible_ascii();
    EXPECT_EQ(bytes.count(), 94U);
    EXPECT_FALSE(bytes[0x20]);
    EXPECT_TRUE(bytes[0x21]);
    EXPECT_TRUE(bytes[0x7E]);
    EXPECT_FALSE(bytes[0x7F]);
}

/// The rules of a key told once more: a set of bytes, and counting.
bool oracle_accepts(std::string_view text, const KeyRules& rules) {
    std::array<std::size_t, 256> count{};
    for (const char c : text) count.at(static_cast<std::uint8_t>(c)) += 1;
    std::size_t forbidden = 0;
    for (std::size_t byte = 0; byte < count.size(); ++byte) {
        if (!rules.allowed.test(byte)) forbidden += count.at(byte);
    }
    const auto blanks = count.at(' ') + count.at('\t');
    return forbidden == 0 && blanks < text.size() && text.size() >= rules.min_length &&
           text.size() <= rules.max_length;
}

KeyRules some_rules() {
    KeyRules rules;
    rules.min_length = *rc::gen::inRange<std::size_t>(0, 4);
    rules.max_length = *rc::gen::element<std::size_t>(0, 1, 3, 128, 255, 1'000);
    for (const char byte : *rc::gen::container<std::string>(rc::gen::elementOf(" \t\n!~\xFF"s))) {
        rules.allowed.flip(static_cast<std::uint8_t>(byte));
    }
    return rules;
}

RC_GTEST_PROP(NamesLaws, a_key_is_accepted_exactly_when_its_bytes_and_length_are, ()) {
    const auto text = *gen::almost_name();
    const auto rules = *rc::gen::oneOf(rc::gen::just(KeyRules{}), rc::gen::exec(some_rules));
    const auto key = parse_key(text, rules);
    RC_CLASSIFY(key.has_value(), "a key");
    RC_ASSERT(key.has_value() == oracle_accepts(text, rules));
    if (key) {
        RC_ASSERT(key->text() == text);
    } else {
        RC_ASSERT(key.error().length == text.size());
    }
}

RC_GTEST_PROP(NamesLaws, what_any_rules_let_in_the_widest_let_in, ()) {
    const auto text = *gen::almost_name();
    if (const auto key = parse_key(text, *rc::gen::exec(some_rules))) {
        RC_ASSERT(parse_key(text, KeyRules::widest()) == key);
    }
}

RC_GTEST_PROP(NamesLaws, a_blank_key_is_refused_whatever_the_rules, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::element(' ', '\t'));
    const auto rules =
        *rc::gen::oneOf(rc::gen::just(KeyRules::widest()), rc::gen::exec(some_rules));
    const auto fault = text.empty() ? NameFault::empty : NameFault::blank;
    RC_ASSERT(parse_key(text, rules).error().fault == fault);
}

RC_GTEST_PROP(NamesLaws, a_forbidden_byte_is_the_first_one, ()) {
    const auto text = *gen::almost_name();
    const auto tenant = parse_tenant(text);
    if (tenant || tenant.error().fault != NameFault::forbidden_byte) return;
    const auto at = tenant.error().at;
    RC_ASSERT(at < text.size());
    // Whatever is wrong behind it, the text before it is a tenant when no space ends it.
    const auto before = text.substr(0, at) + 'x';
    RC_ASSERT(parse_tenant(before).has_value());
    RC_ASSERT(!parse_tenant(text.substr(0, at + 1)).has_value());
}

RC_GTEST_PROP(NamesLaws, an_operation_is_named_by_the_rules_of_a_tenant, ()) {
    const auto text = *gen::almost_name();
    const auto tenant = parse_tenant(text);
    const auto operation = parse_operation(text);
    RC_ASSERT(tenant.has_value() == operation.has_value());
    if (!tenant) RC_ASSERT(tenant.error() == operation.error());
}

std::optional<Instant> birth_of(std::string_view text) {
    return birth(*parse_key(text));
}

Instant at_ms(std::int64_t ms) {
    return Instant{Span{ms * 1'000}};
}

TEST(Birth, is_told_as_the_specifications_tell_it) {
    // RFC 9562, appendix A.6.
    EXPECT_EQ(to_rfc3339(*birth_of("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")),
              "2022-02-22T19:22:22.000000Z");
    EXPECT_EQ(birth_of("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), at_ms(1'645'557'742'000));
    // The example of the ULID specification, and its largest value.
    EXPECT_EQ(birth_of("01ARZ3NDEKTSV4RRFFQ69G5FAV"), at_ms(1'469'922'850'259));
    EXPECT_EQ(birth_of("01arz3ndektsv4rrffq69g5fav"), at_ms(1'469'922'850'259));
    EXPECT_EQ(birth_of("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"), at_ms((std::int64_t{1} << 48U) - 1));
    EXPECT_EQ(birth_of("00000000000000000000000000"), at_ms(0));
}

TEST(Birth, is_told_by_nothing_that_only_looks_alike) {
    for (const auto* text : {
             "017F22E2-79B0-4CC3-98C4-DC0C0C07398F",   // version 4
             "017F22E2-79B0-8CC3-98C4-DC0C0C07398F",   // version 8
             "017F22E2-79B0-7CC3-78C4-DC0C0C07398F",   // variants 0xxx, 110x, 111x
             "017F22E2-79B0-7CC3-C8C4-DC0C0C07398F",   //
             "017F22E2-79B0-7CC3-E8C4-DC0C0C07398F",   //
             "017F22E2-79B0-7CC3-98C4-DC0C0C07398",    // 35 characters
             "017F22E2-79B0-7CC3-98C4-DC0C0C07398F0",  // 37
             "017F22E279B07CC398C4DC0C0C07398F",       // no hyphens
             "017F22E2079B0-7CC3-98C4-DC0C0C07398F",   // a hyphen short
             "017F22E-279B0-7CC3-98C4-DC0C0C07398F",   // a hyphen early
             "017F22E2-79B0-7CC3-98C4-DC0C0C07398G",   // not hexadecimal
             "G17F22E2-79B0-7CC3-98C4-DC0C0C07398F",   //
             "{17F22E2-79B0-7CC3-98C4-DC0C0C07398}",   // wrapped
             "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",             // more than 128 bits
             "01ARZ3NDEKTSV4RRFFQ69G5FA",              // 25 characters
             "01ARZ3NDEKTSV4RRFFQ69G5FAVV",            // 27
             "01ARZ3NDEKTSV4RRFFQ69G5FAI",             // no digits of base 32
             "01ARZ3NDEKTSV4RRFFQ69G5FAL",             //
             "01ARZ3NDEKTSV4RRFFQ69G5FAO",             //
             "01ARZ3NDEKTSV4RRFFQ69G5FAU",             //
             "01ARZ3NDEKTSV4-RFFQ69G5FAV",             //
             "order-17",
         }) {
        EXPECT_EQ(birth_of(text), std::nullopt) << text;
    }
}

constexpr std::string_view crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

std::string ulid_of(std::int64_t ms, const std::string& rest) {
    std::string text(10, '0');
    for (std::size_t i = 10; i-- > 0; ms >>= 5U) {
        text[i] = crockford[static_cast<std::size_t>(ms & 31)];
    }
    return text + rest;
}

std::string uuid_of(std::int64_t ms, std::uint64_t random) {
    std::array<char, 64> text{};
    const auto time = static_cast<unsigned long long>(ms);
    std::snprintf(text.data(), text.size(), "%08llx-%04llx-7%03x-%04x-%012llx", time >> 16U,
                  time & 0xFFFFU, static_cast<unsigned>(random & 0xFFFU),
                  static_cast<unsigned>(0x8000U | (random >> 12U & 0x3FFFU)),
                  static_cast<unsigned long long>(random >> 26U & 0xFFFFFFFFFFFFU));
    return text.data();
}

RC_GTEST_PROP(BirthLaws, a_time_written_into_a_key_is_read_back, ()) {
    const auto last = (std::int64_t{1} << 48U) - 1;
    const auto ms = *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, last + 1),
                                    rc::gen::inRange<std::int64_t>(0, 70'000),
                                    rc::gen::inRange<std::int64_t>(last - 70'000, last + 1));
    const auto uuid = uuid_of(ms, *rc::gen::arbitrary<std::uint64_t>());
    const auto ulid = ulid_of(
        ms, *rc::gen::container<std::string>(16, rc::gen::elementOf(std::string{crockford})));
    RC_ASSERT(birth_of(gen::in_random_case(uuid)) == at_ms(ms));
    RC_ASSERT(birth_of(gen::in_random_case(ulid)) == at_ms(ms));
}

RC_GTEST_PROP(BirthLaws, one_byte_that_is_no_digit_makes_a_key_tell_nothing, ()) {
    auto text =
        *rc::gen::element("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"s, "01ARZ3NDEKTSV4RRFFQ69G5FAV"s);
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    text[at] = *rc::gen::element('!', '/', ':', '@', '`', 'I', 'l', 'O', 'u', '~');
    RC_ASSERT(birth_of(text) == std::nullopt);
}

}  // namespace
}  // namespace counterfoil
