#include <string>

#include <counterfoil/describe.hpp>
#include <counterfoil/receipt.hpp>
#include <gtest/gtest.h>

namespace counterfoil {
namespace {

TEST(Checkpoint, keeps_its_note_in_canonical_form) {
    const auto reached = parse_checkpoint("charged", R"( { "b" : 1.0, "a" : null } )", 64);
    ASSERT_TRUE(reached.has_value());
    EXPECT_EQ(reached->name(), "charged");
    EXPECT_EQ(reached->note(), R"({"a":null,"b":1})");
}

TEST(Checkpoint, has_a_limit_that_counts_canonical_bytes) {
    EXPECT_TRUE(parse_checkpoint("s", "   [1]   ", 3).has_value());
    EXPECT_EQ(parse_checkpoint("s", "[10]", 3).error(),
              (CheckpointError{CheckpointFault::note_too_long, 3}));
}

TEST(Checkpoint, says_what_is_wrong_and_where) {
    EXPECT_EQ(parse_checkpoint("", "null", 64).error(),
              (CheckpointError{CheckpointFault::bad_name, 0}));
    EXPECT_EQ(parse_checkpoint("a\nb", "null", 64).error(),
              (CheckpointError{CheckpointFault::bad_name, 1}));
    EXPECT_EQ(parse_checkpoint("s", R"({"a":1,"a":2})", 64).error().fault,
              CheckpointFault::note_not_json);
    EXPECT_EQ(parse_checkpoint("s", "", 64).error(),
              (CheckpointError{CheckpointFault::note_not_json, 0}));
    EXPECT_EQ(describe(parse_checkpoint("s", "[1,]", 64).error()),
              "the note is not JSON at byte 3");
}

}  // namespace
}  // namespace counterfoil
