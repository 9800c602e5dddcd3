#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/overloaded.hpp>
#include <counterfoil/words.hpp>

#include "cli/render.hpp"

namespace counterfoil::cli {

namespace {

namespace json = boost::json;

using Facts = std::vector<std::pair<std::string, std::string>>;

bool is_utf8(const std::string& text) {
    json::error_code error;
    static_cast<void>(json::parse(json::serialize(json::string{text}), error));
    return !error;
}

std::string hexadecimal(const std::string& bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        text += digits[value >> 4U];
        text += digits[value & 15U];
    }
    return text;
}

void add_body(json::object& object, const Body& body, Bodies bodies) {
    std::visit(
        overloaded{
            [&](const body::None&) { object["body_bytes"] = nullptr; },
            [&](const body::Bytes& kept) {
                object["body_bytes"] = kept.bytes.size();
                if (bodies == Bodies::hidden) return;
                if (is_utf8(kept.bytes)) {
                    object["body"] = kept.bytes;
                } else {
                    object["body_hex"] = hexadecimal(kept.bytes);
                }
            },
            [&](const body::Omitted& omitted) { object["body_omitted"] = word(omitted.reason); },
        },
        body);
}

void add_answer(json::object& object, const Answer& answer, Bodies bodies) {
    object["status"] = answer.status;
    json::array fields;
    for (const Field& field : answer.fields) {
        fields.push_back(json::array{json_text(field.name), json_text(field.value)});
    }
    object["fields"] = std::move(fields);
    add_body(object, answer.body, bodies);
    if (answer.reference) object["reference"] = json_text(*answer.reference);
}

void add_checkpoint(json::object& object, const std::optional<Checkpoint>& checkpoint,
                    Bodies bodies) {
    if (!checkpoint) return;
    object["checkpoint"] = json_text(checkpoint->name());
    if (bodies == Bodies::revealed) object["note"] = json_text(checkpoint->note());
}

void add_state(json::object& object, const State& state, Bodies bodies) {
    std::visit(overloaded{
                   [&](const state::InProgress& held) {
                       object["lease_end"] = to_rfc3339(held.lease_end);
                       add_checkpoint(object, held.checkpoint, bodies);
                   },
                   [&](const state::Completed& completed) {
                       object["completed_at"] = to_rfc3339(completed.completed_at);
                       object["replay_until"] = to_rfc3339(completed.replay_until);
                       object["forget_at"] = to_rfc3339(completed.forget_at);
                       add_answer(object, completed.answer, bodies);
                   },
                   [&](const state::Unknown& unknown) {
                       object["since"] = to_rfc3339(unknown.since);
                       object["cause"] = word(unknown.cause);
                       add_checkpoint(object, unknown.checkpoint, bodies);
                   },
                   [&](const state::Tombstone& tombstone) {
                       object["since"] = to_rfc3339(tombstone.since);
                       object["status"] = tombstone.ended.status;
                       object["completed_at"] = to_rfc3339(tombstone.ended.completed_at);
                       object["forget_at"] = to_rfc3339(tombstone.forget_at);
                       if (tombstone.ended.reference) {
                           object["reference"] = json_text(*tombstone.ended.reference);
                       }
                   },
               },
               state);
}

std::string body_fact(const Body& body, Bodies bodies) {
    return std::visit(overloaded{
                          [](const body::None&) -> std::string { return "none"; },
                          [&](const body::Bytes& kept) -> std::string {
                              if (bodies == Bodies::revealed) return escaped(kept.bytes);
                              return std::to_string(kept.bytes.size()) +
                                     " bytes (--reveal shows them)";
                          },
                          [](const body::Omitted& omitted) -> std::string {
                              return "not kept: " + std::string{word(omitted.reason)};
                          },
                      },
                      body);
}

void add_state_facts(Facts& facts, const State& state, Instant now, Bodies bodies) {
    const auto instant = [&](const char* name, Instant at) {
        facts.emplace_back(name, with_age(at, now));
    };
    const auto reached = [&](const std::optional<Checkpoint>& checkpoint) {
        if (!checkpoint) return;
        facts.emplace_back("checkpoint", escaped(checkpoint->name()));
        facts.emplace_back("note", bodies == Bodies::revealed
                                       ? escaped(checkpoint->note())
                                       : std::to_string(checkpoint->note().size()) +
                                             " bytes (--reveal shows them)");
    };
    const auto known_as = [&](const std::optional<std::string>& reference) {
        if (reference) facts.emplace_back("reference", escaped(*reference));
    };
    std::visit(overloaded{
                   [&](const state::InProgress& held) {
                       instant("lease_end", held.lease_end);
                       reached(held.checkpoint);
                   },
                   [&](const state::Completed& completed) {
                       instant("completed_at", completed.completed_at);
                       instant("replay_until", completed.replay_until);
                       instant("forget_at", completed.forget_at);
                       facts.emplace_back("status", std::to_string(completed.answer.status));
                       for (const Field& field : completed.answer.fields) {
                           facts.emplace_back("field",
                                              escaped(field.name) + ": " + escaped(field.value));
                       }
                       facts.emplace_back("body", body_fact(completed.answer.body, bodies));
                       known_as(completed.answer.reference);
                   },
                   [&](const state::Unknown& unknown) {
                       instant("since", unknown.since);
                       facts.emplace_back("cause", word(unknown.cause));
                       reached(unknown.checkpoint);
                   },
                   [&](const state::Tombstone& tombstone) {
                       instant("since", tombstone.since);
                       facts.emplace_back("status", std::to_string(tombstone.ended.status));
                       instant("completed_at", tombstone.ended.completed_at);
                       instant("forget_at", tombstone.forget_at);
                       known_as(tombstone.ended.reference);
                   },
               },
               state);
}

void append_escape(std::string& line, unsigned unit) {
    static constexpr std::string_view digits = "0123456789abcdef";
    line += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) line += digits[(unit >> shift) & 15U];
}

/// Takes one code point of UTF-8 that is known to be sound.
unsigned take_code_point(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t size = lead < 0x80U ? 1 : lead < 0xe0U ? 2 : lead < 0xf0U ? 3 : 4;
    unsigned point = size == 1 ? lead : lead & (0xffU >> (size + 1));
    for (const char byte : text.substr(1, size - 1)) {
        point = (point << 6U) | (static_cast<unsigned char>(byte) & 0x3fU);
    }
    text.remove_prefix(size);
    return point;
}

}  // namespace

std::string json_line(const json::object& object) {
    constexpr unsigned delete_sign = 0x7f;
    constexpr unsigned first_of_pairs = 0x10000;
    const std::string serialized = json::serialize(object);
    std::string line;
    for (std::string_view rest = serialized; !rest.empty();) {
        const unsigned point = take_code_point(rest);
        if (point < delete_sign) {
            line += static_cast<char>(point);
        } else if (point < first_of_pairs) {
            append_escape(line, point);
        } else {
            append_escape(line, 0xd800U + ((point - first_of_pairs) >> 10U));
            append_escape(line, 0xdc00U + ((point - first_of_pairs) & 0x3ffU));
        }
    }
    return line;
}

std::string json_text(const std::string& stored) {
    return is_utf8(stored) ? stored : escaped(stored);
}

json::object to_json(const Receipt& receipt, Bodies bodies) {
    json::object object{{"tenant", json_text(receipt.scope.tenant.text())},
                        {"operation", json_text(receipt.scope.operation.text())},
                        {"key", json_text(receipt.scope.key.text())},
                        {"state", word(receipt.state)},
                        {"attempt", receipt.attempt},
                        {"fence", receipt.fence.number},
                        {"created_at", to_rfc3339(receipt.created_at)},
                        {"scheme", json_text(receipt.fingerprint.scheme.text)},
                        {"digest", to_hex(receipt.fingerprint.digest)}};
    add_state(object, receipt.state, bodies);
    if (receipt.fields) object["field_digests"] = receipt.fields->fields.size();
    if (receipt.hold) {
        object["hold"] = json::object{{"since", to_rfc3339(receipt.hold->since)},
                                      {"by", json_text(receipt.hold->by)},
                                      {"reason", json_text(receipt.hold->reason)}};
    }
    return object;
}

json::object to_json(const sqlite::Attempt& attempt) {
    json::object object{{"at", to_rfc3339(attempt.at)},
                        {"call", json_text(attempt.call)},
                        {"reply", json_text(attempt.reply)},
                        {"duration_us", attempt.duration.count()}};
    if (!attempt.request_id.empty()) object["request_id"] = json_text(attempt.request_id);
    if (attempt.rule) object["rule"] = static_cast<int>(*attempt.rule);
    if (attempt.attempt) object["attempt"] = *attempt.attempt;
    return object;
}

json::object to_json(const ResolutionRecord& resolution) {
    json::object object{{"resolved_at", to_rfc3339(resolution.resolved_at)},
                        {"fence", resolution.fence.number},
                        {"before", word(resolution.before)},
                        {"by", json_text(resolution.by)},
                        {"evidence", json_text(resolution.evidence)}};
    if (const auto* applied = std::get_if<ruling::Applied>(&resolution.ruling)) {
        object["ruling"] = "applied";
        object["status"] = applied->answer.status;
    } else {
        object["ruling"] = "not_applied";
    }
    return object;
}

Facts facts_of(const Receipt& receipt, Instant now, Bodies bodies) {
    Facts facts{{"tenant", escaped(receipt.scope.tenant.text())},
                {"operation", escaped(receipt.scope.operation.text())},
                {"key", escaped(receipt.scope.key.text())},
                {"state", std::string{word(receipt.state)}},
                {"attempt", std::to_string(receipt.attempt)},
                {"fence", std::to_string(receipt.fence.number)},
                {"created_at", with_age(receipt.created_at, now)},
                {"fingerprint", escaped(receipt.fingerprint.scheme.text) + ":" +
                                    to_hex(receipt.fingerprint.digest)}};
    add_state_facts(facts, receipt.state, now, bodies);
    if (receipt.fields) {
        facts.emplace_back("field_digests",
                           std::to_string(receipt.fields->fields.size()) + " fields");
    }
    if (receipt.hold) {
        facts.emplace_back("hold", "since " + with_age(receipt.hold->since, now) + " by " +
                                       escaped(receipt.hold->by) + ": " +
                                       escaped(receipt.hold->reason));
    }
    return facts;
}

}  // namespace counterfoil::cli
