#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/fingerprint.hpp>
#include <gtest/gtest.h>

#include "generators/intents.hpp"

// Runs the examples of docs/fingerprint.md: each fenced block there is of a kind known here, or
// plain text.
namespace counterfoil {
namespace {

struct Block {
    std::string kind;
    std::string argument;
    std::vector<std::string> lines;
    int line_number{};
};

Block begin_block(const std::string& fence, int line_number) {
    const auto space = std::min(fence.find(' '), fence.size());
    const auto argument = std::min(space + 1, fence.size());
    return {fence.substr(3, space - 3), fence.substr(argument), {}, line_number};
}

std::vector<Block> blocks() {
    std::ifstream in{COUNTERFOIL_DOCS "/fingerprint.md"};
    EXPECT_TRUE(in.is_open());
    std::vector<Block> found;
    bool inside = false;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const bool fence = line.rfind("```", 0) == 0;
        if (fence && !inside) found.push_back(begin_block(line, number));
        if (!fence && inside) found.back().lines.push_back(line);
        inside = inside != fence;
    }
    EXPECT_FALSE(inside);
    return found;
}

/// The two sides of a line.
std::pair<std::string, std::string> sides(const std::string& line, std::string_view separator) {
    const auto at = line.find(separator);
    EXPECT_NE(at, std::string::npos) << line;
    if (at == std::string::npos) return {line, {}};
    return {line.substr(0, at), line.substr(at + separator.size())};
}

/// The text with `<C3>` as the byte of that value.
std::string bytes_of(const std::string& text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<' && i + 3 < text.size() && text[i + 3] == '>' &&
            digits.find(text[i + 1]) != std::string_view::npos &&
            digits.find(text[i + 2]) != std::string_view::npos) {
            bytes += static_cast<char>(digits.find(text[i + 1]) * 16 + digits.find(text[i + 2]));
            i += 3;
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

Secrets secrets() {
    return {{"2026-q4", "not a secret"}, {"detail", "another"}};
}

std::string told(const FingerprintError& error) {
    constexpr std::array<std::string_view, 9> names{
        "syntax",         "unexpected_end", "trailing_text", "byte_order_mark",    "invalid_utf8",
        "lone_surrogate", "duplicate_name", "too_deep",      "number_out_of_range"};
    std::ostringstream out;
    if (error.json) {
        out << names.at(static_cast<std::size_t>(error.json->fault)) << " at " << error.json->at;
    } else {
        out << error.fault;
    }
    return out.str();
}

Scheme scheme_of(const std::string& name) {
    const auto scheme = parse_scheme(name);
    EXPECT_TRUE(scheme.has_value()) << name;
    return scheme ? *scheme : Scheme{};
}

std::string canonical(const Scheme& scheme, const Intent& intent) {
    Fingerprinter fingerprinter{secrets()};
    const auto bytes = fingerprinter.canonical_bytes(scheme, intent);
    if (!bytes) return told(bytes.error());
    return bytes->empty() ? "(no bytes)" : std::string{*bytes};
}

Result<Fingerprint, FingerprintError> fingerprint(const std::string& scheme, const Intent& intent) {
    return Fingerprinter{secrets()}.fingerprint(SchemeName{scheme}, intent);
}

void check_canonical(const Block& block) {
    for (const auto& line : block.lines) {
        const auto [text, expected] = sides(line, "  ->  ");
        const auto bytes = bytes_of(text);
        EXPECT_EQ(canonical(scheme_of(block.argument), intent::Json{bytes}), expected) << line;
    }
}

void check_different(const Block& block) {
    for (const auto& line : block.lines) {
        const auto [one, other] = sides(line, "  |  ");
        const auto of_one = fingerprint(block.argument, intent::Json{bytes_of(one)});
        const auto of_other = fingerprint(block.argument, intent::Json{bytes_of(other)});
        EXPECT_TRUE(of_one && of_other && *of_one != *of_other) << line;
    }
}

void check_digest(const Block& block) {
    for (const auto& line : block.lines) {
        const auto [scheme, rest] = sides(line, "  ");
        const auto [text, expected] = sides(rest, "  ->  ");
        EXPECT_EQ(to_hex(fingerprint(scheme, intent::Json{text})->digest), expected) << line;
    }
}

void check_names(const Block& block) {
    for (const auto& line : block.lines) {
        const auto [name, expected] = sides(line, "  ->  ");
        const auto scheme = parse_scheme(name);
        std::ostringstream out;
        if (scheme) {
            out << "fine";
        } else {
            out << scheme.error();
        }
        EXPECT_EQ(out.str(), expected) << line;
    }
}

void set_part(intent::Http& http, std::string_view name, std::string_view text) {
    if (name == "actor") http.actor = text;
    if (name == "method") http.method = text;
    if (name == "path") http.path = text;
    if (name == "body") http.body = intent::Json{text};
    if (name == "bytes") http.body = intent::Bytes{text};
    if (name == "query" || name == "field") {
        const auto equals = text.find('=');
        auto& pairs = name == "query" ? http.query : http.fields;
        pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
}

void check_http(const Block& block) {
    // The intent borrows from here.
    std::vector<std::pair<std::string, std::string>> parts;
    for (const auto& line : block.lines) {
        const auto name = line.substr(0, line.find(' '));
        parts.emplace_back(name, bytes_of(line.substr(line.find_first_not_of(' ', name.size()))));
    }
    ASSERT_EQ(parts.back().first, "->");
    intent::Http http;
    for (const auto& [name, text] : parts) set_part(http, name, text);
    EXPECT_EQ(canonical(scheme_of(block.argument), http), parts.back().second);
}

void check_fields(const Block& block) {
    const auto arguments = sides(block.argument, " ");
    const auto scheme = scheme_of(arguments.first);
    ASSERT_EQ(block.lines.size(), 3U);
    const FieldDigestRules rules{"detail", std::stoul(arguments.second), 64};
    Fingerprinter fingerprinter{secrets()};
    const auto digests = [&](const std::string& text) {
        return *fingerprinter.field_digests(scheme, intent::Json{text}, rules);
    };
    std::string told = "-> ";
    for (const auto& pointer : differing_fields(digests(block.lines[0]), digests(block.lines[1]))) {
        told += " " + pointer;
    }
    EXPECT_EQ(told, block.lines[2]);
}

TEST(FingerprintPage, is_true) {
    const std::map<std::string, std::function<void(const Block&)>> checks{
        {"canonical", check_canonical}, {"refused", check_canonical},
        {"different", check_different}, {"digest", check_digest},
        {"names", check_names},         {"http", check_http},
        {"fields", check_fields},       {"text", [](const Block&) {}},
    };
    std::map<std::string, std::size_t> checked;
    for (const auto& block : blocks()) {
        SCOPED_TRACE(block.line_number);
        const auto check = checks.find(block.kind);
        ASSERT_NE(check, checks.end()) << "a block of an unknown kind: " << block.kind;
        check->second(block);
        checked[block.kind] += block.lines.size();
    }
    for (const auto& [kind, check] : checks) EXPECT_GT(checked[kind], 0U) << kind;
}

}  // namespace
}  // namespace counterfoil
