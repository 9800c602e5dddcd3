#include <algorithm>
#include <set>
#include <string>

#include <counterfoil/describe.hpp>
#include <counterfoil/judge.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/printing.hpp"
#include "generators/situations.hpp"

namespace counterfoil {
namespace {

bool is_one_line(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

TEST(Escaped, makes_one_line_of_anything) {
    EXPECT_EQ(escaped("plain ~!"), "plain ~!");
    EXPECT_EQ(escaped("a\\b\r\n\t"), "a\\\\b\\r\\n\\t");
    EXPECT_EQ(escaped(std::string_view{"\0\x1b[31m\x7f\xc3\xa9", 9}),
              "\\x00\\x1b[31m\\x7f\\xc3\\xa9");
}

RC_GTEST_PROP(Escaped, is_printable_and_tells_texts_apart,
              (const std::string& one, const std::string& other)) {
    RC_ASSERT(one.empty() || is_one_line(escaped(one)));
    RC_ASSERT((escaped(one) == escaped(other)) == (one == other));
}

TEST(Describe, writes_a_span_as_a_policy_file_would) {
    EXPECT_EQ(describe(Span{0}), "0s");
    EXPECT_EQ(describe(Span{1}), "1us");
    EXPECT_EQ(describe(Span{1'500'000}), "1500ms");
    EXPECT_EQ(describe(Span{std::chrono::seconds{90}}), "90s");
    EXPECT_EQ(describe(Span{std::chrono::hours{48}}), "2d");
    EXPECT_EQ(describe(Span{std::chrono::minutes{-5}}), "-5m");
    EXPECT_EQ(describe(Span::max()), "9223372036854775807us");
}

TEST(Describe, tells_a_verdict_its_rule_and_its_figures) {
    const Scope scope{parse_tenant("a").value(), parse_operation("create_order").value(),
                      parse_key("key-1").value()};
    const Request request{scope, {{"exact-json"}, {}}, std::nullopt, {}};
    const auto policy = gen::valid({});
    EXPECT_EQ(describe(judge(request, std::nullopt, Instant{}, policy)),
              "create: receipt (a, create_order, key-1) fence 1, attempt 1, created "
              "1970-01-01T00:00:00.000000Z, "
              "exact-json:0000000000000000, in_progress until 1970-01-01T00:00:30.000000Z; "
              "rule 2 (nothing_found): now 1970-01-01T00:00:00.000000Z");
    const Receipt done{scope,
                       request.fingerprint,
                       Fence{1},
                       Instant{},
                       1,
                       state::Completed{{201, {{"Location", "/1"}}, body::Bytes{"{}"}, "order 1"},
                                        Instant{},
                                        Instant{Span{5}},
                                        Instant{Span{9}}},
                       {},
                       {}};
    EXPECT_EQ(describe(judge(request, done, Instant{Span{4}}, policy)),
              "replay: 201 [Location] body 2 B, reference \"order 1\", first seen "
              "1970-01-01T00:00:00.000000Z, completed "
              "1970-01-01T00:00:00.000000Z, attempt 1, until 1970-01-01T00:00:00.000005Z; "
              "rule 6 (inside_replay_window): now 1970-01-01T00:00:00.000004Z < "
              "1970-01-01T00:00:00.000005Z");
}

RC_GTEST_PROP(Describe, is_one_line_and_holds_no_body_and_no_note, ()) {
    auto situation = *gen::situation(
        gen::receipt(), *rc::gen::element(Likeness::same, Likeness::other, Likeness::incomparable));
    auto& receipt = *situation.found;
    const auto private_note = parse_checkpoint("step", R"("s3cret")", 64).value();
    if (auto* completed = std::get_if<state::Completed>(&receipt.state))
        completed->answer.body = body::Bytes{"s3cret"};
    if (auto* held = std::get_if<state::InProgress>(&receipt.state))
        held->checkpoint = private_note;
    if (auto* unknown = std::get_if<state::Unknown>(&receipt.state))
        unknown->checkpoint = private_note;
    receipt.hold = Hold{"an\nna", "audit", Instant{}};

    const Outcome outcome{
        .answer = {200, {{"ETag", "s3cret"}}, body::Bytes{"s3cret"}, "line\nbreak"}};
    const Resolution resolution{ruling::Applied{outcome.answer, Exposure::ordinary}, "an\nna",
                                "log\x1b"};
    const auto permit = gen::permit_of(receipt);
    for (const auto& text : {
             describe(situation.request),
             describe(receipt),
             describe(situation.policy),
             describe(outcome),
             describe(resolution),
             describe(judge(situation.request, receipt, situation.now, situation.policy)),
             describe(complete(receipt, permit, outcome, situation.now, situation.policy)),
             describe(renew(receipt, permit, situation.now, situation.policy)),
             describe(checkpoint(receipt, permit, private_note, situation.now)),
             describe(release(receipt, permit)),
             describe(mark_unknown(receipt, permit, situation.now)),
             describe(resolve(receipt, permit, resolution, Instant::max(), situation.policy)),
             describe(sweep(receipt, situation.now, situation.policy)),
         }) {
        RC_ASSERT(is_one_line(text));
        RC_ASSERT(text.find("s3cret") == std::string::npos);
    }
}

// Every word of a set is one of its own, and leads back to its enumerator.
template <class Enum>
void expect_words(int first, int last) {
    std::set<std::string> words;
    for (int value = first; value <= last; ++value) {
        const auto which = static_cast<Enum>(value);
        const std::string text{word(which)};
        EXPECT_FALSE(text.empty()) << value;
        EXPECT_TRUE(words.insert(text).second) << text;
        EXPECT_EQ(from_word<Enum>(text), which) << text;
    }
    EXPECT_TRUE(word(static_cast<Enum>(last + 1)).empty()) << "a word beyond the last";
    EXPECT_EQ(from_word<Enum>(""), std::nullopt);
    EXPECT_EQ(from_word<Enum>("no such word"), std::nullopt);
}

TEST(Words, lead_both_ways) {
    expect_words<NameFault>(0, 4);
    expect_words<JsonFault>(0, 8);
    expect_words<PointerFault>(0, 3);
    expect_words<SchemeFault>(0, 8);
    expect_words<FingerprintFault>(0, 5);
    expect_words<CheckpointFault>(0, 2);
    expect_words<Omission>(0, 2);
    expect_words<Disposition>(0, 2);
    expect_words<Effect>(0, 1);
    expect_words<Exposure>(0, 1);
    expect_words<OnLapse>(0, 1);
    expect_words<OldKeys>(0, 1);
    expect_words<UnknownCause>(0, 2);
    expect_words<Timeliness>(0, 1);
    expect_words<PolicyFaultKind>(0, 13);
    expect_words<Rule>(1, 11);
}

}  // namespace
}  // namespace counterfoil
