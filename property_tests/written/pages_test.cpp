#include <string>

#include <gtest/gtest.h>

#include "written/page.hpp"

namespace counterfoil::written {
namespace {

// docs/judgement.md and docs/testing.md are compared where their tables come from.
TEST(Quickstart, is_the_program_that_is_run_and_what_it_prints) {
    const std::string docs = COUNTERFOIL_DOCS;
    const auto page = read(docs + "/quickstart.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(part(*page, "the program"), as_block(docs + "/examples/quickstart/main.cpp", "cpp"));
    EXPECT_EQ(part(*page, "the output"),
              as_block(docs + "/examples/quickstart/expected.txt", "text"));
}

TEST(Embedding, prints_what_its_page_says) {
    const std::string docs = COUNTERFOIL_DOCS;
    const auto page = read(docs + "/embedding.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(part(*page, "the output"),
              as_block(docs + "/examples/embedding/expected.txt", "text"));
}

TEST(Claims, prints_what_its_page_says) {
    const std::string docs = COUNTERFOIL_DOCS;
    const auto page = read(docs + "/claims.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(part(*page, "the output"), as_block(docs + "/examples/claims/expected.txt", "text"));
}

TEST(Part, is_found_between_its_comments_and_nowhere_else) {
    const std::string page =
        "before\n<!-- x begins; written by write_pages -->\n\nold\n\n<!-- x ends -->\nbehind\n";
    EXPECT_EQ(part(page, "x"), "old\n");
    EXPECT_EQ(part(page, "y"), std::nullopt);
    EXPECT_EQ(
        with_part(page, "x", "new\n"),
        "before\n<!-- x begins; written by write_pages -->\n\nnew\n\n<!-- x ends -->\nbehind\n");
    const std::string unfilled = "<!-- x begins; written by write_pages -->\n\n<!-- x ends -->\n";
    EXPECT_EQ(part(unfilled, "x"), "");
    EXPECT_EQ(part(*with_part(unfilled, "x", "new\n"), "x"), "new\n");
}

}  // namespace
}  // namespace counterfoil::written
