#include "generators/values.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <counterfoil/overloaded.hpp>
#include <counterfoil/span_text.hpp>
#include <counterfoil/words.hpp>

namespace counterfoil {
namespace {

constexpr ServiceBounds no_bounds{Span{0}, Span{0}};

std::string text_of(const Body& body) {
    return std::visit(
        overloaded{
            [](const body::None&) { return std::string{"no body"}; },
            [](const body::Bytes& kept) { return '"' + gen::visible(kept.bytes) + '"'; },
            [](const body::Omitted& omitted) {
                return "body omitted: " + std::string{word(omitted.reason)};
            },
        },
        body);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Scope& scope) {
    return out << '(' << scope.tenant << ", " << scope.operation << ", " << scope.key << ')';
}

std::ostream& operator<<(std::ostream& out, NameFault fault) {
    return out << word(fault);
}

std::ostream& operator<<(std::ostream& out, const NameError& error) {
    return out << error.fault << " at " << error.at << " of " << error.length;
}

std::ostream& operator<<(std::ostream& out, const KeyRules& rules) {
    return out << rules.min_length << " to " << rules.max_length << " of " << rules.allowed;
}

std::ostream& operator<<(std::ostream& out, Disposition disposition) {
    return out << word(disposition);
}

std::ostream& operator<<(std::ostream& out, const Dispositions& answers) {
    for (int hundreds = 1; hundreds <= 5; ++hundreds) {
        out << hundreds << "xx " << answers.class_default(hundreds) << ' ';
    }
    for (const auto& [status, disposition] : answers.exceptions()) {
        out << status << ' ' << disposition << ' ';
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const Answer& answer) {
    out << answer.status;
    for (const auto& [name, value] : answer.fields) {
        out << ", " << gen::visible(name) << ": " << gen::visible(value);
    }
    out << ", " << text_of(answer.body);
    if (answer.reference) out << ", reference " << gen::visible(*answer.reference);
    return out;
}

std::ostream& operator<<(std::ostream& out, const AnswerLimits& limits) {
    out << limits.max_body_bytes << " bytes";
    for (const auto& name : limits.kept_fields) out << ", " << gen::visible(name);
    return out;
}

std::ostream& operator<<(std::ostream& out, const PolicyFigures& figures) {
    out << "lease " << to_text(figures.lease) << ", max_skew " << to_text(figures.max_skew)
        << ", replay_window " << to_text(figures.replay_window) << ", tombstone_window "
        << to_text(figures.tombstone_window) << ", abandon_after " << to_text(figures.abandon_after)
        << ", max_attempts " << figures.max_attempts << ", "
        << (figures.on_lapse == OnLapse::take_over ? "take_over" : "unknown") << ", old keys "
        << (figures.old_keys == OldKeys::create ? "create" : "refuse") << ", " << figures.scheme
        << ", keys " << figures.key_rules << ", answers " << figures.answers << ", "
        << figures.answer_limits << ", max_depth " << figures.max_depth << ", max_note_bytes "
        << figures.max_note_bytes;
    if (figures.conflict_detail) {
        out << ", conflict_detail " << gen::visible(figures.conflict_detail->secret) << ' '
            << figures.conflict_detail->depth << ' ' << figures.conflict_detail->max_fields;
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const Policy& policy) {
    return out << policy.figures();
}

std::ostream& operator<<(std::ostream& out, const PolicyBook& book) {
    out << "\n  default: " << book.fallback();
    for (const auto& [operation, policy] : book.operations()) {
        out << "\n  " << operation << ": " << policy;
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, PolicyFaultKind kind) {
    return out << word(kind);
}

std::ostream& operator<<(std::ostream& out, const PolicyFault& fault) {
    return out << fault.kind << " at \"" << gen::visible(fault.pointer)
               << "\": " << gen::visible(fault.detail);
}

std::ostream& operator<<(std::ostream& out, const std::vector<PolicyFault>& faults) {
    for (const auto& fault : faults) out << "\n  " << fault;
    return out;
}

namespace gen {
namespace {

template <class Enum>
rc::Gen<Enum> either(Enum one, Enum other) {
    return rc::gen::element(one, other);
}

// A figure of a few microseconds, from `least` on.
std::int64_t few(std::int64_t least) {
    return least + *rc::gen::inRange<std::int64_t>(0, 4);
}

Policy valid(PolicyFigures figures) {
    auto policy = validate(std::move(figures), no_bounds);
    RC_ASSERT(policy.has_value());
    return *std::move(policy);
}

std::int64_t any_length_from(std::int64_t least) {
    const auto most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t day = 86'400'000'000;
    const auto figure = *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 5),
                                        rc::gen::element(day, day / 24, day / 1'440),
                                        rc::gen::inRange<std::int64_t>(0, most));
    return least > most - figure ? most : least + figure;
}

std::size_t any_limit() {
    return *rc::gen::oneOf(rc::gen::inRange<std::size_t>(1, 5),
                           rc::gen::just(std::numeric_limits<std::size_t>::max()),
                           rc::gen::map(rc::gen::arbitrary<std::size_t>(),
                                        [](std::size_t n) { return n == 0 ? 1 : n; }));
}

KeyRules any_key_rules() {
    KeyRules rules;
    rules.min_length = any_limit();
    rules.max_length = std::max(rules.min_length, any_limit());
    for (const auto byte : *rc::gen::container<std::vector<std::uint8_t>>(
             rc::gen::element<std::uint8_t>(0, 1, '\t', ' ', '!', '"', 'A', '~', 127, 128, 255))) {
        rules.allowed.flip(byte);
    }
    return rules;
}

std::optional<FieldDigestRules> any_conflict_detail() {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    return FieldDigestRules{
        .secret = *rc::gen::element<std::string>("k", "2026-q4", "\"\\\n", "\xC3\xA9", "/~ "),
        .depth = *rc::gen::inRange<std::size_t>(0, 4),
        .max_fields = any_limit()};
}

PolicyFigures any_figures() {
    PolicyFigures made;
    made.lease = Span{any_length_from(1)};
    // The lease lies below the replay window, so it can't be the longest there is.
    if (made.lease == Span::max()) made.lease -= Span{1};
    made.replay_window = Span{any_length_from(made.lease.count() + 1)};
    made.tombstone_window = Span{any_length_from(made.replay_window.count())};
    made.max_skew = Span{any_length_from(0)};
    made.abandon_after = Span{any_length_from(0)};
    made.max_attempts =
        *rc::gen::inRange<std::int64_t>(1, std::numeric_limits<std::int64_t>::max());
    made.on_lapse = *either(OnLapse::take_over, OnLapse::unknown);
    made.old_keys = *either(OldKeys::create, OldKeys::refuse);
    made.scheme = *scheme();
    made.key_rules = any_key_rules();
    made.answers = *dispositions();
    made.answer_limits.max_body_bytes = any_limit();
    made.answer_limits.kept_fields = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("X-Request-Cost", "etag", "Retry-After", "!#$%&'*+-.^_`|~"));
    made.max_depth = any_limit();
    made.max_note_bytes = any_limit();
    made.conflict_detail = any_conflict_detail();
    return made;
}

// The same but for one figure that no other has to fit.
PolicyFigures almost(PolicyFigures figures) {
    switch (*rc::gen::inRange(0, 6)) {
        case 0: figures.max_skew = Span{any_length_from(0)}; break;
        case 1: figures.scheme = *scheme(); break;
        case 2: figures.answers.set_status(*rc::gen::inRange(100, 600), *disposition()); break;
        case 3: figures.answer_limits.kept_fields.clear(); break;
        case 4: figures.conflict_detail = any_conflict_detail(); break;
        default: break;
    }
    return figures;
}

Operation any_operation() {
    const auto text = *rc::gen::element<std::string>("a", "b", "a/b~c", "POST /orders", "\"~1");
    return *parse_operation(text);
}

}  // namespace

rc::Gen<Tenant> tenant() {
    return rc::gen::element(*parse_tenant("a"), *parse_tenant("ab"));
}

rc::Gen<Operation> operation() {
    return rc::gen::element(*parse_operation("bc"), *parse_operation("c"));
}

rc::Gen<Key> key() {
    return rc::gen::element(*parse_key("k"), *parse_key("kk"),
                            *parse_key("00000000-0000-7000-8000-000000000000"));
}

rc::Gen<Scope> scope() {
    return rc::gen::apply(
        [](Tenant whose, Operation what, Key which) {
            return Scope{std::move(whose), std::move(what), std::move(which)};
        },
        tenant(), operation(), key());
}

rc::Gen<std::string> almost_name() {
    return rc::gen::exec([] {
        auto text = *rc::gen::oneOf(
            rc::gen::container<std::string>(rc::gen::elementOf(std::string{"!~azAZ09-_"})),
            rc::gen::apply([](std::size_t length, char c) { return std::string(length, c); },
                           rc::gen::element<std::size_t>(0, 1, 2, 3, 127, 128, 254, 255, 256),
                           rc::gen::element('x', ' ', '\t', '~')));
        const auto oddities = *rc::gen::element(0, 0, 1, 2);
        for (int i = 0; i < oddities; ++i) {
            const auto odd =
                *rc::gen::oneOf(rc::gen::elementOf(std::string{" \t\n\"\0\x1F\x7F\x80\xFF", 9}),
                                rc::gen::arbitrary<char>());
            text.insert(*rc::gen::inRange<std::size_t>(0, text.size() + 1), 1, odd);
        }
        return text;
    });
}

std::string in_random_case(std::string text) {
    for (char& c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter && *rc::gen::arbitrary<bool>()) c = static_cast<char>(c ^ ' ');
    }
    return text;
}

rc::Gen<Disposition> disposition() {
    return rc::gen::element(Disposition::keep, Disposition::release, Disposition::unknown);
}

rc::Gen<Dispositions> dispositions() {
    return rc::gen::exec([] {
        Dispositions made;
        const auto changes = *rc::gen::inRange(0, 4);
        for (int i = 0; i < changes; ++i) {
            const auto status = *rc::gen::element(100, 200, 201, 402, 404, 422, 500, 503, 599);
            switch (*rc::gen::inRange(0, 3)) {
                case 0: made.set_class(status / 100, *disposition()); break;
                case 1: made.set_status(status, *disposition()); break;
                default: made.clear_status(status); break;
            }
        }
        return made;
    });
}

rc::Gen<Answer> answer() {
    const auto name =
        rc::gen::element<std::string>("Content-Type", "content-encoding", "ETAG", "Location",
                                      "X-Request-Cost", "x-request-cost", "Set-Cookie", "DATE");
    const auto field = rc::gen::apply(
        [](std::string named, std::string value) {
            return Field{std::move(named), std::move(value)};
        },
        name, rc::gen::element<std::string>("", "1", "gzip"));
    const auto body = rc::gen::oneOf(
        rc::gen::just(Body{body::None{}}),
        rc::gen::map(rc::gen::inRange<std::size_t>(0, 6),
                     [](std::size_t size) { return Body{body::Bytes{std::string(size, 'x')}}; }),
        rc::gen::map(rc::gen::element(Omission::too_large, Omission::streamed, Omission::secret),
                     [](Omission reason) { return Body{body::Omitted{reason}}; }));
    return rc::gen::apply(
        [](int status, std::vector<Field> fields, Body kept, int reference) {
            Answer made{status, std::move(fields), std::move(kept), std::nullopt};
            if (reference > 0) made.reference = "order-" + std::to_string(reference);
            return made;
        },
        rc::gen::element(200, 201, 303, 402, 404, 422, 500, 503),
        rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 4),
                        [field](std::size_t count) {
                            return rc::gen::container<std::vector<Field>>(count, field);
                        }),
        body, rc::gen::inRange(0, 3));
}

rc::Gen<AnswerLimits> answer_limits() {
    return rc::gen::apply(
        [](std::size_t max_body_bytes, std::vector<std::string> kept_fields) {
            return AnswerLimits{max_body_bytes, std::move(kept_fields)};
        },
        rc::gen::inRange<std::size_t>(1, 5),
        rc::gen::element(std::vector<std::string>{}, std::vector<std::string>{"X-Request-Cost"}));
}

rc::Gen<Policy> policy() {
    return rc::gen::exec([] {
        PolicyFigures made;
        made.lease = Span{few(1)};
        made.replay_window = Span{few(made.lease.count() + 1)};
        made.tombstone_window = Span{few(made.replay_window.count())};
        made.max_skew = Span{*rc::gen::inRange<std::int64_t>(0, 3)};
        made.abandon_after = Span{few(0)};
        made.max_attempts = *rc::gen::inRange<std::int64_t>(1, 4);
        made.on_lapse = *either(OnLapse::take_over, OnLapse::unknown);
        made.old_keys = *either(OldKeys::create, OldKeys::refuse);
        made.answers = *dispositions();
        made.answer_limits = *answer_limits();
        return valid(std::move(made));
    });
}

rc::Gen<Policy> varied_policy() {
    return rc::gen::exec([] { return valid(any_figures()); });
}

rc::Gen<PolicyBook> policy_book() {
    return rc::gen::exec([] {
        PolicyBook book{*varied_policy()};
        const auto operations = *rc::gen::inRange(0, 4);
        for (int i = 0; i < operations; ++i) {
            const bool similar = *rc::gen::arbitrary<bool>();
            book.set(any_operation(),
                     valid(similar ? almost(book.fallback().figures()) : any_figures()));
        }
        return book;
    });
}

}  // namespace gen
}  // namespace counterfoil
