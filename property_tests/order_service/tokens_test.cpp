#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <tokens.hpp>

#include "sqlite/kit.hpp"

namespace order_service {
namespace {

namespace cf = counterfoil;
namespace fs = std::filesystem;

constexpr std::string_view annas = "anna-0123456789abcdef";
constexpr std::string_view robots = "robot/0123456789+abcdef==";

std::vector<std::string> faults_of(std::string_view text) {
    const auto tokens = Tokens::parse(text);
    return tokens ? std::vector<std::string>{} : tokens.error();
}

TEST(Tokens, EachStandsForItsTenantAndUser) {
    const auto tokens = Tokens::parse(
        "# who may order\n"
        "\n"
        "anna-0123456789abcdef acme anna   # the account of Anna\n"
        "  robot/0123456789+abcdef==\tzeta\r\n");
    ASSERT_TRUE(tokens) << tokens.error().front();
    EXPECT_EQ(tokens->size(), 2U);
    ASSERT_NE(tokens->find(annas), nullptr);
    EXPECT_EQ(*tokens->find(annas), (Identity{cf::parse_tenant("acme").value(), "anna"}));
    ASSERT_NE(tokens->find(robots), nullptr);
    EXPECT_EQ(*tokens->find(robots), (Identity{cf::parse_tenant("zeta").value(), std::nullopt}));
}

TEST(Tokens, AnyOtherStandsForNobody) {
    const auto tokens = Tokens::parse("anna-0123456789abcdef acme");
    ASSERT_TRUE(tokens);
    for (const std::string_view other :
         {"", "anna-0123456789abcde", "anna-0123456789abcdef0", "Anna-0123456789abcdef", "acme"}) {
        EXPECT_EQ(tokens->find(other), nullptr) << other;
    }
}

TEST(Tokens, EveryFaultIsToldWithItsLine) {
    EXPECT_EQ(faults_of("short acme\n"
                        "anna-0123456789abcdef\n"
                        "anna-0123456789abcdef acme anna and more\n"
                        "anna-0123456789\"abcdef acme\n"
                        "================ acme\n"
                        "anna-0123456789abcdef ac\xC3\xA4me\n"
                        "anna-0123456789abcdef acme \xC3\xA4nna\n"
                        "anna-0123456789abcdef acme anna\n"
                        "# a comment\n"
                        "anna-0123456789abcdef zeta\n"),
              (std::vector<std::string>{
                  "line 1: the token has 5 characters, not 16 to 512",
                  "line 2: no tenant behind the token",
                  "line 3: more than a token, a tenant and a user",
                  "line 4: the token has a character that no bearer token has",
                  "line 5: the token has a character that no bearer token has",
                  "line 6: the tenant is no name",
                  "line 7: the user is no name",
                  "line 10: the same token as in line 8",
              }));
}

TEST(Tokens, AFileWithoutAnyLetsNobodyInAndIsRefused) {
    EXPECT_EQ(faults_of(""), std::vector<std::string>{"there is no token in it"});
    EXPECT_EQ(faults_of("# none yet\n"), std::vector<std::string>{"there is no token in it"});
}

TEST(Tokens, AFileThatOthersMayOpenIsRefused) {
    const cf::kit::Scratch scratch;
    const fs::path file = scratch.file("tokens");
    cf::kit::write_bytes(file, "anna-0123456789abcdef acme\n");
    for (const fs::perms others :
         {fs::perms::group_read, fs::perms::others_read, fs::perms::others_write}) {
        fs::permissions(file, fs::perms::owner_read | others);
        const auto tokens = Tokens::read(file);
        ASSERT_FALSE(tokens);
        EXPECT_EQ(tokens.error(), std::vector<std::string>{
                                      "others than its owner may open it; chmod 600 mends that"});
    }
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_TRUE(Tokens::read(file));
}

TEST(Tokens, WhatIsNoFileIsRefused) {
    const cf::kit::Scratch scratch;
    EXPECT_EQ(Tokens::read(scratch.file("missing")).error(),
              std::vector<std::string>{"No such file or directory"});
    EXPECT_EQ(Tokens::read(scratch.file("missing").parent_path()).error(),
              std::vector<std::string>{"it is no file"});
}

std::string bearer_of(const std::vector<std::string>& lines) {
    Incoming incoming{.method = "GET", .target = "/"};
    for (const std::string& line : lines) incoming.fields.push_back({"authorization", line});
    const auto token = bearer_token(incoming);
    return token ? std::string{*token} : "nothing";
}

TEST(BearerToken, IsWhatFollowsTheScheme) {
    EXPECT_EQ(bearer_of({"Bearer abc"}), "abc");
    EXPECT_EQ(bearer_of({"bearer   abc"}), "abc");
}

TEST(BearerToken, IsInOneLineOfThatScheme) {
    for (const std::vector<std::string>& lines :
         std::vector<std::vector<std::string>>{{},
                                               {""},
                                               {"Bearer"},
                                               {"Bearer "},
                                               {"Basic abc"},
                                               {"abc"},
                                               {"Bearer abc", "Bearer abc"}}) {
        EXPECT_EQ(bearer_of(lines), "nothing");
    }
}

}  // namespace
}  // namespace order_service
