#include <string>

#include <gtest/gtest.h>

#include "written/page.hpp"
#include "written/shown_code.hpp"

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
    EXPECT_EQ(part(*page, "a request over HTTP"), a_request_over_http(docs));
    EXPECT_TRUE(a_request_over_http(docs));
    EXPECT_EQ(part(*page, "what it prints"),
              as_block(docs + "/examples/beast/expected.txt", "text"));
}

TEST(Claims, prints_what_its_page_says) {
    const std::string docs = COUNTERFOIL_DOCS;
    const auto page = read(docs + "/claims.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(part(*page, "the output"), as_block(docs + "/examples/claims/expected.txt", "text"));
    EXPECT_EQ(part(*page, "a payment"), a_payment(docs));
    EXPECT_EQ(part(*page, "a ruling"), a_ruling(docs));
    EXPECT_EQ(part(*page, "a long run"), a_long_run(docs));
    EXPECT_EQ(part(*page, "its output"),
              as_block(docs + "/examples/long_run/expected.txt", "text"));
    EXPECT_EQ(part(*page, "the lab"), as_block(docs + "/examples/payment/expected.txt", "text"));
    EXPECT_TRUE(a_payment(docs) && a_ruling(docs) && a_long_run(docs));
}

TEST(AdmissionPage, shows_its_program_and_what_it_prints) {
    const std::string docs = COUNTERFOIL_DOCS;
    const auto page = read(docs + "/admission.md");
    ASSERT_TRUE(page.has_value());
    EXPECT_TRUE(a_gatekeeper(docs));
    EXPECT_EQ(part(*page, "the gatekeeper"), a_gatekeeper(docs));
    EXPECT_EQ(part(*page, "the output"),
              as_block(docs + "/examples/admission/expected.txt", "text"));
}

TEST(Functions, are_found_whole_and_once) {
    const std::string docs = COUNTERFOIL_DOCS;
    const std::string payment = docs + "/examples/payment/provider_client.cpp";
    EXPECT_EQ(functions_as_block(payment, {"std::optional<ProviderCall> ProviderClient::call("}),
              "```cpp\n"
              "std::optional<ProviderCall> ProviderClient::call() const {\n"
              "    std::optional<LineSocket> provider = connect_to(socket_);\n"
              "    if (!provider) return std::nullopt;\n"
              "    return std::make_optional<ProviderCall>(*std::move(provider), patience_);\n"
              "}\n```\n");
    EXPECT_EQ(functions_as_block(payment, {"void ProviderCall::nothing("}), std::nullopt);
    EXPECT_EQ(functions_as_block(payment, {"std::optional<Provider"}), std::nullopt) << "two";
    EXPECT_EQ(functions_as_block(docs + "/none.cpp", {"int main("}), std::nullopt);
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
