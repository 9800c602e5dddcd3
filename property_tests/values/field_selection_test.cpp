#include <string>
#include <vector>

#include <counterfoil/canonical_json.hpp>
#include <counterfoil/field_selection.hpp>
#include <gtest/gtest.h>

#include "generators/json_documents.hpp"

namespace counterfoil {
namespace {

using Pointers = std::vector<std::string>;

std::string only(const Pointers& pointers, std::string_view text) {
    Canonicalizer json;
    return std::string{json.canonicalize(text, FieldSelection::only(pointers).value()).value()};
}

std::string omit(const Pointers& pointers, std::string_view text) {
    Canonicalizer json;
    return std::string{json.canonicalize(text, FieldSelection::omit(pointers).value()).value()};
}

TEST(FieldSelection, only_keeps_named_values_whole_in_their_containers) {
    EXPECT_EQ(only({"/a"}, R"({"b":1,"a":{"y":1,"x":[2]}})"), R"({"a":{"x":[2],"y":1}})");
    EXPECT_EQ(only({"/a/x"}, R"({"b":1,"a":{"y":1,"x":[2]}})"), R"({"a":{"x":[2]}})");
    EXPECT_EQ(only({"/items/*/sku"}, R"({"items":[{"sku":2,"n":1},{"n":1},{"sku":1}],"z":0})"),
              R"({"items":[{"sku":2},{"sku":1}]})");
    EXPECT_EQ(only({"/1"}, "[7,8,9]"), "[8]");
    EXPECT_EQ(only({""}, R"({"b":1,"a":2})"), R"({"a":2,"b":1})");
    EXPECT_EQ(only({"/a", "/a/b"}, R"({"a":{"b":1,"c":2}})"), R"({"a":{"b":1,"c":2}})");
}

TEST(FieldSelection, only_leaves_no_container_in_which_nothing_is_selected) {
    EXPECT_EQ(only({"/a/b", "/c"}, R"({"a":{"x":1},"c":[]})"), R"({"c":[]})");
    EXPECT_EQ(only({"/a/*"}, R"({"a":[],"b":1})"), "");
    for (const std::string text : {"{}", "[]", "1", R"("a")", R"({"b":{"a":1}})", R"({"a":5})"}) {
        EXPECT_EQ(only({"/a/b"}, text), "") << text;
    }
}

TEST(FieldSelection, omit_leaves_out_named_values_and_keeps_their_containers) {
    EXPECT_EQ(omit({"/a"}, R"({"b":1,"a":{"y":1}})"), R"({"b":1})");
    EXPECT_EQ(omit({"/a", "/b"}, R"({"b":1,"a":{"y":1}})"), "{}");
    EXPECT_EQ(omit({"/a/*"}, R"({"b":1,"a":{"y":1,"x":2}})"), R"({"a":{},"b":1})");
    EXPECT_EQ(omit({"/0", "/2"}, "[7,8,9]"), "[8]");
    EXPECT_EQ(omit({"/*"}, "[7,8,9]"), "[]");
    EXPECT_EQ(omit({"/a/b/c", "/x"}, R"({"a":{"b":5}})"), R"({"a":{"b":5}})");
}

TEST(FieldSelection, tokens_name_members_and_indexes_as_rfc6901_has_it) {
    EXPECT_EQ(omit({"/01", "/-", "/00"}, "[7,8,9]"), "[7,8,9]");
    EXPECT_EQ(omit({"/01", "/-"}, R"({"01":1,"-":2,"1":3})"), R"({"1":3})");
    EXPECT_EQ(omit({"/a~1b", "/m~0n", "/"}, R"({"a/b":1,"m~n":2,"":3,"a":4})"), R"({"a":4})");
    EXPECT_EQ(omit({"/*"}, R"({"*":1,"a":2})"), "{}");
    EXPECT_EQ(omit({"/\xC3\xA9"}, R"({"\u00E9":1,"e\u0301":2})"), "{\"e\xCC\x81\":2}");
    EXPECT_EQ(only({"/*/0", "/b/*"}, R"({"a":[1,2],"b":[3,4]})"), R"({"a":[1],"b":[3,4]})");
}

TEST(FieldSelection, what_is_left_out_is_checked_all_the_same) {
    struct Case {
        std::string text;
        JsonFault fault;
    };

    const std::vector<Case> cases{
        {R"({"a":{"x":1,"x":1},"b":1})", JsonFault::duplicate_name},
        {R"({"a":1,"b":1,"a":1})", JsonFault::duplicate_name},
        {R"({"b":1,"a":1,"\u0061":1})", JsonFault::duplicate_name},
        {R"({"a":01,"b":1})", JsonFault::syntax},
        {R"({"a":"\udead","b":1})", JsonFault::lone_surrogate},
        {R"({"a":1e9999999999,"b":1})", JsonFault::number_out_of_range},
    };
    Canonicalizer json;
    for (const Case& c : cases) {
        const auto omitted =
            json.canonicalize(c.text, FieldSelection::omit(Pointers{"/a"}).value());
        EXPECT_EQ(omitted.error().fault, c.fault);
        const auto kept = json.canonicalize(c.text, FieldSelection::only(Pointers{"/b"}).value());
        EXPECT_EQ(kept.error().fault, c.fault);
    }
}

TEST(FieldSelection, tells_which_pointer_is_wrong_and_where) {
    const auto error = [](const Pointers& pointers) {
        return FieldSelection::only(pointers).error();
    };
    EXPECT_EQ(error({"/a", "b"}), (PointerError{1, PointerFault::missing_slash, 0}));
    EXPECT_EQ(error({"/a~", "b"}), (PointerError{0, PointerFault::bad_escape, 2}));
    EXPECT_EQ(error({"/a/~2"}), (PointerError{0, PointerFault::bad_escape, 3}));
    EXPECT_EQ(error({"/a\xFF"}), (PointerError{0, PointerFault::invalid_utf8, 2}));
    EXPECT_EQ(error({}), (PointerError{0, PointerFault::selects_nothing, 0}));
    EXPECT_EQ(FieldSelection::omit(Pointers{"/a", ""}).error(),
              (PointerError{1, PointerFault::selects_nothing, 0}));
}

TEST(FieldSelection, is_its_kind_and_its_pointers) {
    const auto one = FieldSelection::only(Pointers{"/b", "/a", "/b"}).value();
    EXPECT_EQ(one.kind(), FieldSelection::Kind::only);
    EXPECT_EQ(one.pointers(), (Pointers{"/a", "/b"}));
    EXPECT_EQ(one, FieldSelection::only(Pointers{"/a", "/b"}).value());
    EXPECT_NE(one, FieldSelection::omit(Pointers{"/a", "/b"}).value());
    EXPECT_EQ(FieldSelection::omit(Pointers{}).value(), FieldSelection{});
    EXPECT_EQ(FieldSelection{}.kind(), FieldSelection::Kind::everything);
}

}  // namespace
}  // namespace counterfoil
