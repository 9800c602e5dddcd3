#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <counterfoil/policy.hpp>
#include <counterfoil/span_text.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/values.hpp"

namespace counterfoil {
namespace {

using namespace std::chrono_literals;
using Kind = PolicyFaultKind;

constexpr ServiceBounds no_bounds{Span{0}, Span{0}};

/// A fault without its sentence.
using Told = std::pair<Kind, std::string>;

std::vector<Told> faults_of(std::string_view text, const ServiceBounds& bounds = no_bounds) {
    const auto book = parse_policy_book(text, bounds);
    std::vector<Told> all;
    if (book) return all;
    for (const auto& fault : book.error()) {
        EXPECT_FALSE(fault.detail.empty());
        all.emplace_back(fault.kind, fault.pointer);
    }
    return all;
}

const PolicyFigures& figures_of(const PolicyBook& book, std::string_view operation) {
    return book.policy_for(*parse_operation(operation)).figures();
}

PolicyBook book_of(std::string_view text) {
    auto book = parse_policy_book(text, no_bounds);
    if (!book) ADD_FAILURE() << book.error().front();
    return book ? *std::move(book) : PolicyBook{*validate({}, no_bounds)};
}

std::string default_with(std::string_view members) {
    return R"({"default": {)" + std::string{members} + "}}";
}

constexpr std::string_view every_member = R"({
    "default": {
        "lease": "2s",
        "max_skew": "3ms",
        "replay_window": "4m",
        "tombstone_window": "5h",
        "abandon_after": "6us",
        "max_attempts": 7,
        "on_lapse": "unknown",
        "old_keys": "refuse",
        "scheme": "hmac-exact-json;omit=/trace_id;secret=k",
        "key_rules": {"min_length": 8, "max_length": 9, "allowed": ["20", "30-39", "7f-FF"]},
        "answers": {"1xx": "keep", "404": "keep", "400": null, "5xx": "release", "599": "unknown"},
        "kept_fields": ["Retry-After"],
        "max_body_bytes": 10,
        "max_depth": 11,
        "max_note_bytes": 12,
        "conflict_detail": {"secret": "c", "depth": 13, "max_fields": 14}
    },
    "operations": {
        "charge": {"lease": "1d", "replay_window": "2d", "tombstone_window": "3d"},
        "POST /orders": {}
    }
})";

PolicyFigures figures_of_every_member() {
    PolicyFigures figures;
    figures.lease = 2s;
    figures.max_skew = 3ms;
    figures.replay_window = 4min;
    figures.tombstone_window = 5h;
    figures.abandon_after = 6us;
    figures.max_attempts = 7;
    figures.on_lapse = OnLapse::unknown;
    figures.old_keys = OldKeys::refuse;
    figures.scheme = *parse_scheme("hmac-exact-json;omit=/trace_id;secret=k");
    figures.key_rules = {8, 9, {}};
    figures.key_rules.allowed.set(0x20);
    for (std::size_t byte = 0x30; byte <= 0x39; ++byte) figures.key_rules.allowed.set(byte);
    for (std::size_t byte = 0x7F; byte <= 0xFF; ++byte) figures.key_rules.allowed.set(byte);
    figures.answers.set_class(1, Disposition::keep)
        .set_class(5, Disposition::release)
        .set_status(404, Disposition::keep)
        .set_status(599, Disposition::unknown)
        .clear_status(400);
    figures.answer_limits = {10, {"Retry-After"}};
    figures.max_depth = 11;
    figures.max_note_bytes = 12;
    figures.conflict_detail = FieldDigestRules{"c", 13, 14};
    return figures;
}

TEST(PolicyFile, says_every_figure) {
    const auto book = book_of(every_member);
    EXPECT_EQ(book.fallback().figures(), figures_of_every_member());
    EXPECT_EQ(figures_of(book, "POST /orders"), figures_of_every_member());
    auto charge = figures_of_every_member();
    charge.lease = 24h;
    charge.replay_window = 48h;
    charge.tombstone_window = 72h;
    EXPECT_EQ(figures_of(book, "charge"), charge);
    EXPECT_EQ(book.operations().size(), 2U);
}

TEST(PolicyFile, is_written_with_each_run_of_bytes_once) {
    const auto text = to_json(book_of(every_member));
    EXPECT_NE(text.find(R"("allowed":["20","30-39","7f-ff"])"), std::string::npos) << text;
}

TEST(PolicyFile, leaves_out_what_it_likes) {
    for (const auto* text : {"{}", R"({"default": {}})", R"({"operations": {}})"}) {
        EXPECT_EQ(book_of(text), PolicyBook{*validate({}, no_bounds)}) << text;
    }
}

TEST(PolicyFile, is_inherited_entry_by_entry_and_lists_whole_wherever_the_default_stands) {
    const auto book = book_of(R"({
        "operations": {"o": {
            "answers": {"404": "unknown", "402": null},
            "key_rules": {"max_length": 36},
            "kept_fields": ["B"],
            "conflict_detail": {"depth": 5}
        }, "p": {"conflict_detail": null, "key_rules": {"allowed": ["41"]}}},
        "default": {
            "answers": {"402": "release", "410": "release", "2xx": "unknown"},
            "key_rules": {"min_length": 4},
            "kept_fields": ["A"],
            "conflict_detail": {"secret": "k", "max_fields": 3}
        }
    })");
    const auto& own = figures_of(book, "o");
    EXPECT_EQ(own.answers, Dispositions{}
                               .set_class(2, Disposition::unknown)
                               .set_status(410, Disposition::release)
                               .set_status(404, Disposition::unknown));
    EXPECT_EQ(own.key_rules, (KeyRules{4, 36, visible_ascii()}));
    EXPECT_EQ(own.answer_limits.kept_fields, std::vector<std::string>{"B"});
    EXPECT_EQ(own.conflict_detail, (FieldDigestRules{"k", 5, 3}));
    const auto& other = figures_of(book, "p");
    EXPECT_EQ(other.conflict_detail, std::nullopt);
    EXPECT_EQ(other.key_rules, (KeyRules{4, 255, std::bitset<256>{}.set('A')}));
}

TEST(PolicyFile, is_told_its_unknown_names_at_every_level) {
    EXPECT_EQ(faults_of(R"({
        "defaults": {},
        "default": {"leas": "1s", "key_rules": {"a/b~c": 1}, "answers": {"0xx": "keep"},
                    "conflict_detail": {"secret": "k", "dept": 1}},
        "operations": {"a/b": {"Lease": "1s", "answers": {"600": "keep", "4XX": "keep", "": "x"}}}
    })"),
              (std::vector<Told>{
                  {Kind::unknown_name, "/defaults"},
                  {Kind::unknown_name, "/default/leas"},
                  {Kind::unknown_name, "/default/key_rules/a~1b~0c"},
                  {Kind::unknown_name, "/default/answers/0xx"},
                  {Kind::unknown_name, "/default/conflict_detail/dept"},
                  {Kind::unknown_name, "/operations/a~1b/Lease"},
                  {Kind::unknown_name, "/operations/a~1b/answers/600"},
                  {Kind::unknown_name, "/operations/a~1b/answers/4XX"},
                  {Kind::unknown_name, "/operations/a~1b/answers/"},
              }));
}

TEST(PolicyFile, is_told_every_value_of_another_type) {
    const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> members{
        {R"("lease")", {"1", "null", "true", "[]", "{}"}},
        {R"("max_skew")", {"0"}},
        {R"("replay_window")", {"1"}},
        {R"("tombstone_window")", {"1"}},
        {R"("abandon_after")", {"1"}},
        {R"("max_attempts")", {R"("5")", "null", "true", "[]", "{}"}},
        {R"("on_lapse")", {"1", "null", "true", "[]", "{}"}},
        {R"("old_keys")", {"false"}},
        {R"("scheme")", {"{}", "null"}},
        {R"("key_rules")", {"[]", "null", R"("21-7e")"}},
        {R"("answers")", {"[]", "null", R"("keep")"}},
        {R"("kept_fields")", {R"("ETag")", "null", "{}"}},
        {R"("max_body_bytes")", {R"("64k")", "null"}},
        {R"("max_depth")", {R"("1")"}},
        {R"("max_note_bytes")", {R"("1")"}},
        {R"("conflict_detail")", {"true", "[]", R"("k")"}},
    };
    for (const auto& [name, values] : members) {
        const auto pointer = "/default/" + std::string{name.substr(1, name.size() - 2)};
        for (const auto value : values) {
            const auto text = default_with(std::string{name} + ": " + std::string{value});
            EXPECT_EQ(faults_of(text), (std::vector<Told>{{Kind::wrong_type, pointer}})) << text;
        }
    }
}

TEST(PolicyFile, is_told_every_entry_of_another_type) {
    EXPECT_EQ(faults_of(default_with(R"(
                  "key_rules": {"min_length": "1", "max_length": null, "allowed": "20"},
                  "answers": {"4xx": 1, "2xx": null, "404": true},
                  "kept_fields": ["ETag", 1, null],
                  "conflict_detail": {"secret": 1, "depth": "2", "max_fields": {}})")),
              (std::vector<Told>{
                  {Kind::wrong_type, "/default/key_rules/min_length"},
                  {Kind::wrong_type, "/default/key_rules/max_length"},
                  {Kind::wrong_type, "/default/key_rules/allowed"},
                  {Kind::wrong_type, "/default/answers/4xx"},
                  {Kind::wrong_type, "/default/answers/2xx"},
                  {Kind::wrong_type, "/default/answers/404"},
                  {Kind::wrong_type, "/default/kept_fields/1"},
                  {Kind::wrong_type, "/default/kept_fields/2"},
                  {Kind::wrong_type, "/default/conflict_detail/secret"},
                  {Kind::wrong_type, "/default/conflict_detail/depth"},
                  {Kind::wrong_type, "/default/conflict_detail/max_fields"},
              }));
}

TEST(PolicyFile, is_told_every_section_of_another_type) {
    for (const auto* text : {"null", "1", "[]", R"("default")"}) {
        EXPECT_EQ(faults_of(text), (std::vector<Told>{{Kind::wrong_type, ""}})) << text;
    }
    EXPECT_EQ(
        faults_of(R"({"default": null, "operations": []})"),
        (std::vector<Told>{{Kind::wrong_type, "/default"}, {Kind::wrong_type, "/operations"}}));
    EXPECT_EQ(faults_of(R"({"operations": {"a": null, "b": {"lease": 1}}})"),
              (std::vector<Told>{{Kind::wrong_type, "/operations/a"},
                                 {Kind::wrong_type, "/operations/b/lease"}}));
}

TEST(PolicyFile, is_told_every_text_that_is_no_span) {
    for (const auto* span : {"", "s", "5", "5 s", " 5s", "5s ", "-1s", "+1s", "1.5s", "1e3s", "5S",
                             "5sec", "1h30m", "0x5s", "9223372036854775808us", "106751992d",
                             "9223372036854775808d", "99999999999999999999999s"}) {
        const auto text = default_with(R"("max_skew": ")" + std::string{span} + '"');
        EXPECT_EQ(faults_of(text), (std::vector<Told>{{Kind::bad_value, "/default/max_skew"}}))
            << text;
    }
}

TEST(PolicyFile, is_told_every_number_that_is_no_integer) {
    for (const auto* number : {"5.0", "5e0", "5.5", "-1", "18446744073709551616"}) {
        const auto text = default_with(R"("max_depth": )" + std::string{number});
        EXPECT_EQ(faults_of(text), (std::vector<Told>{{Kind::bad_value, "/default/max_depth"}}))
            << text;
    }
}

TEST(PolicyFile, is_told_every_bad_value) {
    EXPECT_EQ(faults_of(R"({
        "default": {"max_attempts": 9223372036854775808, "on_lapse": "takeover",
                    "old_keys": "Create", "scheme": "sha256", "answers": {"4xx": "drop"},
                    "key_rules": {"allowed": ["", "2", "2g", "-1", "7e-21", "21-7", "20,30", "0x20"]}},
        "operations": {"": {}, " a": {}}
    })"),
              (std::vector<Told>{
                  {Kind::bad_value, "/default/max_attempts"},
                  {Kind::bad_value, "/default/on_lapse"},
                  {Kind::bad_value, "/default/old_keys"},
                  {Kind::bad_value, "/default/scheme"},
                  {Kind::bad_value, "/default/answers/4xx"},
                  {Kind::bad_value, "/default/key_rules/allowed/0"},
                  {Kind::bad_value, "/default/key_rules/allowed/1"},
                  {Kind::bad_value, "/default/key_rules/allowed/2"},
                  {Kind::bad_value, "/default/key_rules/allowed/3"},
                  {Kind::bad_value, "/default/key_rules/allowed/4"},
                  {Kind::bad_value, "/default/key_rules/allowed/5"},
                  {Kind::bad_value, "/default/key_rules/allowed/6"},
                  {Kind::bad_value, "/default/key_rules/allowed/7"},
                  {Kind::bad_value, "/operations/"},
                  {Kind::bad_value, "/operations/ a"},
              }));
    EXPECT_EQ(faults_of(default_with(R"("conflict_detail": {})")),
              (std::vector<Told>{{Kind::bad_value, "/default/conflict_detail/secret"}}));
}

TEST(PolicyFile, that_is_no_json_is_told_where) {
    const std::vector<std::pair<std::string, std::string>> unreadable{
        {"", "it ends too early at byte 0"},
        {"{", "it ends too early at byte 1"},
        {"{'default': 1}", "it is not JSON at byte 1"},
        {"{}{}", "there is text behind the document at byte 2"},
        {"\xEF\xBB\xBF{}", "it begins with a byte order mark at byte 0"},
        {"{\"\xFF\": 1}", "it is not UTF-8 at byte 2"},
        {R"({"\ud800": 1})", "half of a surrogate pair stands alone at byte 2"},
        {R"({"default": 1e400})", "a number is out of range at byte 12"},
        {R"({"default": {}, "default": {}})",
         "a member name stands twice in one object at byte 16"},
        {R"({"default": {"lease": "1s", "\u006cease": "2s"}})",
         "a member name stands twice in one object at byte 28"},
        {R"({"operations": {"a": {}, "a": {}}})",
         "a member name stands twice in one object at byte 25"},
        {std::string(33, '['), "it nests too deep at byte 32"},
    };
    for (const auto& [text, detail] : unreadable) {
        const auto book = parse_policy_book(text, no_bounds);
        ASSERT_FALSE(book.has_value()) << text;
        EXPECT_EQ(book.error(), (std::vector<PolicyFault>{{Kind::not_json, "", detail}})) << text;
    }
}

TEST(PolicyFile, cut_anywhere_is_no_json) {
    for (std::size_t size = 0; size < every_member.size(); ++size) {
        EXPECT_EQ(faults_of(every_member.substr(0, size)),
                  (std::vector<Told>{{Kind::not_json, ""}}))
            << size;
    }
}

TEST(PolicyFile, that_does_not_fit_is_told_where_a_figure_stands) {
    const ServiceBounds bounds{Span{1h}, Span{1min}};
    // Nothing stands anywhere: the default's own figures do not fit the service.
    EXPECT_EQ(faults_of("{}", bounds),
              (std::vector<Told>{{Kind::lease_below_handler_budget, "/default/lease"}}));
    // Of two figures, the one that the file gives.
    EXPECT_EQ(faults_of(default_with(R"("replay_window": "1s")")),
              (std::vector<Told>{{Kind::lease_not_below_replay_window, "/default/replay_window"}}));
    EXPECT_EQ(faults_of(default_with(R"("lease": "1s", "replay_window": "1s")")),
              (std::vector<Told>{{Kind::lease_not_below_replay_window, "/default/lease"}}));
    // An operation answers for what it says, and not for what it inherits.
    EXPECT_EQ(faults_of(R"({
        "default": {"lease": "0s", "kept_fields": ["date"], "max_depth": 0},
        "operations": {"a/b": {"max_attempts": 0}, "c": {"lease": "1d"}, "d": {}}
    })"),
              (std::vector<Told>{
                  {Kind::lease_not_positive, "/default/lease"},
                  {Kind::zero_limit, "/default/max_depth"},
                  {Kind::field_never_kept, "/default/kept_fields/0"},
                  {Kind::no_attempts, "/operations/a~1b/max_attempts"},
                  {Kind::lease_not_below_replay_window, "/operations/c/lease"},
              }));
    EXPECT_EQ(faults_of(R"({"operations": {"a": {"replay_window": "10s"}}})"),
              (std::vector<Told>{
                  {Kind::lease_not_below_replay_window, "/operations/a/replay_window"},
              }));
    EXPECT_EQ(faults_of("{\"operations\": {\"a\": {}}}", {Span{-1}, Span{-1}}),
              (std::vector<Told>{{Kind::negative_span, ""}, {Kind::negative_span, ""}}));
}

TEST(PolicyFile, is_not_told_what_a_figure_that_could_not_be_read_would_do) {
    // With the lease that is inherited instead, 1s would be too short a replay window.
    EXPECT_EQ(faults_of(default_with(R"("lease": "5", "replay_window": "1s", "max_attempts": 0)")),
              (std::vector<Told>{{Kind::bad_value, "/default/lease"},
                                 {Kind::no_attempts, "/default/max_attempts"}}));
    EXPECT_EQ(
        faults_of(R"({"default": {"lease": 5}, "operations": {"a": {"replay_window": "1s"}}})"),
        (std::vector<Told>{{Kind::wrong_type, "/default/lease"}}));
    EXPECT_EQ(faults_of(R"({"default": {"lease": 5},
                            "operations": {"a": {"lease": "2s", "replay_window": "1s"}}})"),
              (std::vector<Told>{{Kind::wrong_type, "/default/lease"},
                                 {Kind::lease_not_below_replay_window, "/operations/a/lease"}}));
    EXPECT_EQ(faults_of(R"({"default": 5, "operations": {"a": {"replay_window": "1s"}}})"),
              (std::vector<Told>{{Kind::wrong_type, "/default"}}));
    EXPECT_EQ(
        faults_of(default_with(R"("kept_fields": [1, "date", ""], "key_rules": {"allowed": [1]})")),
        (std::vector<Told>{{Kind::wrong_type, "/default/kept_fields/0"},
                           {Kind::wrong_type, "/default/key_rules/allowed/0"},
                           {Kind::bad_value, "/default/kept_fields/2"},
                           {Kind::field_never_kept, "/default/kept_fields/1"}}));
}

RC_GTEST_PROP(PolicyFileLaws, a_book_that_is_written_is_read_back, ()) {
    const auto book = *gen::policy_book();
    RC_CLASSIFY(!book.operations().empty(), "with operations");
    const auto text = to_json(book);
    const auto read = parse_policy_book(text, no_bounds);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == book);
    RC_ASSERT(to_json(*read) == text);
}

RC_GTEST_PROP(PolicyFileLaws, a_text_is_a_book_or_has_faults_and_never_both, ()) {
    auto text = to_json(*gen::policy_book());
    const auto changes = *rc::gen::inRange(1, 4);
    for (int i = 0; i < changes; ++i) {
        const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
        text[place] = *rc::gen::elementOf(std::string{"\"{}[],:0-9.ex \\\x7F\xC3"});
    }
    const auto book = parse_policy_book(text, no_bounds);
    RC_CLASSIFY(book.has_value(), "a book");
    if (book) {
        RC_ASSERT(parse_policy_book(to_json(*book), no_bounds) == book);
    } else {
        RC_ASSERT(!book.error().empty());
        for (const auto& fault : book.error()) RC_ASSERT(!fault.detail.empty());
    }
}

TEST(SpanText, is_a_whole_number_and_a_unit) {
    EXPECT_EQ(*parse_span("0us"), Span{0});
    EXPECT_EQ(*parse_span("007ms"), Span{7ms});
    EXPECT_EQ(*parse_span("30s"), Span{30s});
    EXPECT_EQ(*parse_span("15m"), Span{15min});
    EXPECT_EQ(*parse_span("24h"), Span{24h});
    EXPECT_EQ(*parse_span("30d"), Span{720h});
    EXPECT_EQ(*parse_span("9223372036854775807us"), Span::max());
    EXPECT_EQ(*parse_span("106751991d"), Span{106'751'991 * Span{24h}});
    EXPECT_EQ(parse_span("106751992d").error(), SpanFault::too_long);
    EXPECT_EQ(parse_span("9223372036854775808us").error(), SpanFault::too_long);
    EXPECT_EQ(parse_span("-1s").error(), SpanFault::malformed);
    EXPECT_EQ(parse_span("s").error(), SpanFault::malformed);
    EXPECT_EQ(to_text(Span{0}), "0s");
    EXPECT_EQ(to_text(Span{1500ms}), "1500ms");
    EXPECT_EQ(to_text(Span{-90min}), "-90m");
    EXPECT_EQ(to_text(Span{48h}), "2d");
    EXPECT_EQ(to_text(Span::max()), "9223372036854775807us");
}

RC_GTEST_PROP(SpanTextLaws, a_span_is_read_back, ()) {
    const auto unit = *rc::gen::element<std::int64_t>(1, 1'000, 1'000'000, 60'000'000,
                                                      3'600'000'000, 86'400'000'000);
    const auto most = std::numeric_limits<std::int64_t>::max() / unit;
    const auto number = *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, most),
                                        rc::gen::inRange<std::int64_t>(0, 100));
    const auto text = to_text(Span{number * unit});
    RC_ASSERT(*parse_span(text) == Span{number * unit});
    RC_ASSERT(text.size() <= to_text(Span{unit}).size() + std::to_string(number).size());
}

}  // namespace
}  // namespace counterfoil
