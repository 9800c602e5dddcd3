#include "corpus/json_forms.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <counterfoil/describe.hpp>
#include <counterfoil/overloaded.hpp>

namespace counterfoil::corpus {

namespace json = boost::json;

namespace {

std::int64_t us(Instant at) {
    return at.time_since_epoch().count();
}

Instant instant(const json::value& value) {
    return Instant{Span{value.to_number<std::int64_t>()}};
}

std::string text(const json::value& value) {
    return json::value_to<std::string>(value);
}

json::string text(std::string_view word) {
    return json::string{word.data(), word.size()};
}

using corpus::to_json;
json::value to_json(const Answer& answer);
json::value to_json(Fence fence);
json::value to_json(const FieldDigests& digests);
json::value to_json(const Receipt& receipt);
json::value to_json(const Replace& write);

template <class Value>
json::value or_null(const std::optional<Value>& value) {
    if (!value) return nullptr;
    return to_json(*value);
}

json::value or_null(const std::optional<std::string>& value) {
    return value ? json::value(text(*value)) : json::value(nullptr);
}

json::value or_null_us(const std::optional<Instant>& value) {
    return value ? json::value(us(*value)) : json::value(nullptr);
}

json::value or_null(const std::optional<std::int64_t>& value) {
    return value ? json::value(*value) : json::value(nullptr);
}

std::optional<std::string> text_or_nothing(const json::value& value) {
    if (value.is_null()) return std::nullopt;
    return text(value);
}

template <class Enum>
Enum one_of(const json::value& value) {
    const auto which = from_word<Enum>(text(value));
    if (!which) throw std::runtime_error("no such word: " + text(value));
    return *which;
}

template <class Value, class Error>
Value checked(Result<Value, Error> result) {
    if (!result) throw std::runtime_error("the corpus does not parse");
    return *std::move(result);
}

std::string hex(const std::array<std::uint8_t, 16>& bytes) {
    Digest wide;
    std::copy(bytes.begin(), bytes.end(), wide.bytes.begin());
    return to_hex(wide).substr(0, 32);
}

Digest digest_from(const json::value& value) {
    return digest_from_hex(text(value)).value();
}

// The one member of an object that stands for a shape, and its name.
std::pair<std::string, const json::value&> shape(const json::value& value) {
    const auto& member = *value.as_object().begin();
    return {std::string(member.key()), member.value()};
}

json::value to_json(const Scope& scope) {
    return {{"tenant", scope.tenant.text()},
            {"operation", scope.operation.text()},
            {"key", scope.key.text()}};
}

Scope scope_from(const json::value& value) {
    return {checked(parse_tenant(text(value.at("tenant")))),
            checked(parse_operation(text(value.at("operation")))),
            checked(parse_key(text(value.at("key")), KeyRules::widest()))};
}

json::value to_json(const Fingerprint& fingerprint) {
    return {{"scheme", fingerprint.scheme.text}, {"digest", to_hex(fingerprint.digest)}};
}

json::value to_json(Fence fence) {
    return fence.number;
}

json::value to_json(const Body& body) {
    return std::visit(overloaded{
                          [](const body::None&) -> json::value { return nullptr; },
                          [](const body::Bytes& kept) -> json::value {
                              return {{"text", kept.bytes}};
                          },
                          [](const body::Omitted& omitted) -> json::value {
                              return {{"omitted", text(word(omitted.reason))}};
                          },
                      },
                      body);
}

json::value to_json(const Answer& answer) {
    json::array fields;
    for (const auto& field : answer.fields) fields.push_back({field.name, field.value});
    return {{"status", answer.status},
            {"fields", fields},
            {"body", to_json(answer.body)},
            {"reference", or_null(answer.reference)}};
}

Answer answer_from(const json::value& value) {
    Answer answer;
    answer.status = value.at("status").to_number<int>();
    for (const auto& field : value.at("fields").as_array())
        answer.fields.push_back({text(field.at(0)), text(field.at(1))});
    if (const auto& body = value.at("body"); !body.is_null()) {
        const auto [name, content] = shape(body);
        if (name == "text")
            answer.body = body::Bytes{text(content)};
        else
            answer.body = body::Omitted{one_of<Omission>(content)};
    }
    answer.reference = text_or_nothing(value.at("reference"));
    return answer;
}

json::value to_json(const Ending& ended) {
    return {{"status", ended.status},
            {"completed_at_us", us(ended.completed_at)},
            {"reference", or_null(ended.reference)}};
}

Ending ending_from(const json::value& value) {
    return {value.at("status").to_number<int>(), instant(value.at("completed_at_us")),
            text_or_nothing(value.at("reference"))};
}

json::value to_json(const State& state) {
    return std::visit(overloaded{
                          [](const state::InProgress& held) -> json::value {
                              return {{"in_progress",
                                       {{"lease_end_us", us(held.lease_end)},
                                        {"checkpoint", or_null(held.checkpoint)}}}};
                          },
                          [](const state::Completed& completed) -> json::value {
                              return {{"completed",
                                       {{"answer", to_json(completed.answer)},
                                        {"completed_at_us", us(completed.completed_at)},
                                        {"replay_until_us", us(completed.replay_until)},
                                        {"forget_at_us", us(completed.forget_at)}}}};
                          },
                          [](const state::Unknown& unknown) -> json::value {
                              return {{"unknown",
                                       {{"since_us", us(unknown.since)},
                                        {"cause", text(word(unknown.cause))},
                                        {"checkpoint", or_null(unknown.checkpoint)}}}};
                          },
                          [](const state::Tombstone& tombstone) -> json::value {
                              return {{"tombstone",
                                       {{"ended", to_json(tombstone.ended)},
                                        {"since_us", us(tombstone.since)},
                                        {"forget_at_us", us(tombstone.forget_at)}}}};
                          },
                      },
                      state);
}

std::optional<Checkpoint> checkpoint_or_nothing(const json::value& value) {
    if (value.is_null()) return std::nullopt;
    return checkpoint_from(value);
}

State state_from(const json::value& value) {
    const auto [name, content] = shape(value);
    if (name == "in_progress")
        return state::InProgress{instant(content.at("lease_end_us")),
                                 checkpoint_or_nothing(content.at("checkpoint"))};
    if (name == "completed") {
        return state::Completed{
            answer_from(content.at("answer")), instant(content.at("completed_at_us")),
            instant(content.at("replay_until_us")), instant(content.at("forget_at_us"))};
    }
    if (name == "unknown") {
        return state::Unknown{instant(content.at("since_us")),
                              one_of<UnknownCause>(content.at("cause")),
                              checkpoint_or_nothing(content.at("checkpoint"))};
    }
    if (name == "tombstone") {
        return state::Tombstone{ending_from(content.at("ended")), instant(content.at("since_us")),
                                instant(content.at("forget_at_us"))};
    }
    throw std::runtime_error("no such state: " + name);
}

json::value to_json(const FieldDigests& digests) {
    json::object fields;
    for (const auto& field : digests.fields) fields.emplace(field.pointer, hex(field.digest));
    return {{"secret", digests.rules.secret},
            {"depth", digests.rules.depth},
            {"max_fields", digests.rules.max_fields},
            {"fields", fields},
            {"left_out", digests.left_out}};
}

std::optional<FieldDigests> field_digests_from(const json::value& value) {
    if (value.is_null()) return std::nullopt;
    FieldDigests digests{{text(value.at("secret")), value.at("depth").to_number<std::size_t>(),
                          value.at("max_fields").to_number<std::size_t>()},
                         {},
                         value.at("left_out").to_number<std::size_t>()};
    for (const auto& member : value.at("fields").as_object()) {
        FieldDigest field{std::string(member.key()), {}};
        const Digest wide = digest_from_hex(text(member.value()) + std::string(32, '0')).value();
        std::copy_n(wide.bytes.begin(), field.digest.size(), field.digest.begin());
        digests.fields.push_back(std::move(field));
    }
    return digests;
}

json::value to_json(const Receipt& receipt) {
    json::value hold = nullptr;
    if (receipt.hold)
        hold = {{"by", receipt.hold->by},
                {"reason", receipt.hold->reason},
                {"since_us", us(receipt.hold->since)}};
    return {{"scope", to_json(receipt.scope)},   {"fingerprint", to_json(receipt.fingerprint)},
            {"fence", receipt.fence.number},     {"created_at_us", us(receipt.created_at)},
            {"attempt", receipt.attempt},        {"state", to_json(receipt.state)},
            {"fields", or_null(receipt.fields)}, {"hold", hold}};
}

json::value to_json(const Replace& write) {
    return {{"expected_fence", write.expected.number}, {"receipt", to_json(write.receipt)}};
}

json::value to_json(const Erase& write) {
    return {{"expected_fence", write.expected.number}, {"scope", to_json(write.scope)}};
}

json::value to_json(const Why& why) {
    return {{"rule", static_cast<int>(why.rule)},
            {"name", text(word(why.rule))},
            {"now_us", us(why.now)},
            {"boundary_us", or_null_us(why.boundary)},
            {"attempt", or_null(why.attempt)},
            {"max_attempts", or_null(why.max_attempts)}};
}

json::value carried(const verdict::Create& create) {
    return {{"receipt", to_json(create.receipt)}, {"replaces_fence", or_null(create.replaces)}};
}

json::value carried(const verdict::TakeOver& take_over) {
    return {{"receipt", to_json(take_over.receipt)}, {"replaces_fence", take_over.replaces.number}};
}

json::value carried(const verdict::Replay& replay) {
    return {{"answer", to_json(replay.answer)},
            {"first_seen_us", us(replay.first_seen)},
            {"completed_at_us", us(replay.completed_at)},
            {"replay_until_us", us(replay.replay_until)},
            {"attempt", replay.attempt}};
}

json::value carried(const verdict::Conflict& conflict) {
    return {
        {"first_seen_us", us(conflict.first_seen)},
        {"differs", conflict.differs ? json::value_from(*conflict.differs) : json::value(nullptr)}};
}

json::value carried(const verdict::InProgress& running) {
    return {{"retry_after_us", running.retry_after.count()},
            {"first_seen_us", us(running.first_seen)},
            {"lease_end_us", us(running.lease_end)},
            {"attempt", running.attempt}};
}

json::value carried(const verdict::Unknown& unknown) {
    return {{"first_seen_us", us(unknown.first_seen)},
            {"since_us", us(unknown.since)},
            {"cause", text(word(unknown.cause))},
            {"write", or_null(unknown.write)}};
}

json::value carried(const verdict::Expired& expired) {
    return std::visit(
        overloaded{
            [](const verdict::MaybeSeen& maybe) -> json::value {
                return {{"maybe_seen", {{"born_us", us(maybe.born)}}}};
            },
            [](const verdict::Seen& seen) -> json::value {
                return {{"seen",
                         {{"first_seen_us", us(seen.first_seen)}, {"ended", to_json(seen.ended)}}}};
            },
        },
        expired.seen);
}

json::value carried(const verdict::Incomparable& incomparable) {
    return {{"scheme", incomparable.scheme.text}, {"first_seen_us", us(incomparable.first_seen)}};
}

json::value to_json(const Ruling& ruling) {
    return std::visit(overloaded{
                          [](const ruling::Applied& applied) -> json::value {
                              return {{"applied",
                                       {{"answer", to_json(applied.answer)},
                                        {"exposure", text(word(applied.exposure))}}}};
                          },
                          [](const ruling::NotApplied&) -> json::value {
                              return {{"not_applied", json::object{}}};
                          },
                      },
                      ruling);
}

json::value to_json(const ResolutionRecord& record) {
    return {{"scope", to_json(record.scope)},
            {"fence", record.fence.number},
            {"resolved_at_us", us(record.resolved_at)},
            {"before", to_json(record.before)},
            {"ruling", to_json(record.ruling)},
            {"by", record.by},
            {"evidence", record.evidence}};
}

json::object named(std::string_view name, json::value content) {
    json::object object;
    object.emplace(json::string_view{name.data(), name.size()}, std::move(content));
    return object;
}

template <class Settled>
json::object timely(std::string_view name, const Settled& settled) {
    return named(
        name, {{"write", to_json(settled.write)}, {"timeliness", text(word(settled.timeliness))}});
}

json::object told(const settled::Completed& done) {
    return timely("completed", done);
}

json::object told(const settled::Renewed& done) {
    return timely("renewed", done);
}

json::object told(const settled::Checkpointed& done) {
    return timely("checkpointed", done);
}

json::object told(const settled::Released& done) {
    return named("released", {{"write", to_json(done.write)}});
}

json::object told(const settled::Uncertain& done) {
    return named("uncertain", {{"write", to_json(done.write)}});
}

json::object told(const settled::ResolvedApplied& done) {
    return named("resolved_applied",
                 {{"write", to_json(done.write)}, {"record", to_json(done.record)}});
}

json::object told(const settled::ResolvedNotApplied& done) {
    return named("resolved_not_applied",
                 {{"write", to_json(done.write)}, {"record", to_json(done.record)}});
}

json::object told(const refusal::Lost&) {
    return named("lost", json::object{});
}

json::object told(const refusal::Fenced& why) {
    return named("fenced", {{"newest_fence", why.newest.number}});
}

json::object told(const refusal::AlreadyCompleted& why) {
    return named("already_completed",
                 {{"ended", to_json(why.ended)}, {"answer", or_null(why.answer)}});
}

json::object told(const refusal::StillHeld& why) {
    return named("still_held", {{"until_us", us(why.until)}});
}

json::object told(const refusal::Unattributed&) {
    return named("unattributed", json::object{});
}

json::object told(const retention::Keep& keep) {
    return named("keep", {{"look_again_us", or_null_us(keep.look_again)}});
}

json::object told(const retention::MakeTombstone& made) {
    return named("make_tombstone", {{"write", to_json(made.write)}});
}

json::object told(const retention::Purge& purge) {
    return named("purge", {{"write", to_json(purge.write)}, {"forget_at_us", us(purge.forget_at)}});
}

json::object told(const retention::MarkUnknown& marked) {
    return named("mark_unknown", {{"write", to_json(marked.write)}});
}

template <class... Cases>
json::value tell(const std::variant<Cases...>& which) {
    return std::visit([](const auto& one) -> json::value { return told(one); }, which);
}

}  // namespace

json::value to_json(const Checkpoint& checkpoint) {
    return {{"name", checkpoint.name()}, {"note", json::parse(checkpoint.note())}};
}

json::value to_json(const std::optional<Receipt>& receipt) {
    return or_null(receipt);
}

json::value to_json(const Request& request) {
    json::array others;
    for (const auto& other : request.others) {
        others.push_back(
            {{"scheme", other.scheme.text},
             {"digest", other.digest ? json::value(to_hex(*other.digest)) : json::value(nullptr)}});
    }
    return {{"scope", to_json(request.scope)},
            {"fingerprint", to_json(request.fingerprint)},
            {"fields", or_null(request.fields)},
            {"others", others}};
}

json::value to_json(const Permit& permit) {
    return {{"scope", to_json(permit.scope)}, {"fence", permit.fence.number}};
}

json::value to_json(const Outcome& outcome) {
    return {{"answer", to_json(outcome.answer)},
            {"effect", text(word(outcome.effect))},
            {"exposure", text(word(outcome.exposure))},
            {"disposition", outcome.disposition ? json::value(text(word(*outcome.disposition)))
                                                : json::value(nullptr)}};
}

json::value to_json(const Resolution& resolution) {
    return {{"ruling", to_json(resolution.ruling)},
            {"by", resolution.by},
            {"evidence", resolution.evidence}};
}

json::value to_json(const Policy& policy) {
    return json::parse(counterfoil::to_json(PolicyBook{policy})).at("default");
}

json::value to_json(const Verdict& verdict) {
    auto object =
        named(word(verdict), std::visit([](const auto& which) { return carried(which); }, verdict));
    object.emplace("why", to_json(why(verdict)));
    return object;
}

json::value to_json(const Completion& completion) {
    return tell(completion);
}

json::value to_json(const Renewal& renewal) {
    return tell(renewal);
}

json::value to_json(const Checkpointing& checkpointing) {
    return tell(checkpointing);
}

json::value to_json(const Release& release) {
    return tell(release);
}

json::value to_json(const Marking& marking) {
    return tell(marking);
}

json::value to_json(const Abandonment& abandonment) {
    return tell(abandonment);
}

json::value to_json(const Resolving& resolving) {
    return tell(resolving);
}

json::value to_json(const Retention& retention) {
    return tell(retention);
}

std::optional<Receipt> receipt_from(const json::value& value) {
    if (value.is_null()) return std::nullopt;
    std::optional<Hold> hold;
    if (const auto& held = value.at("hold"); !held.is_null())
        hold = Hold{text(held.at("by")), text(held.at("reason")), instant(held.at("since_us"))};
    const auto& fingerprint = value.at("fingerprint");
    return Receipt{scope_from(value.at("scope")),
                   {{text(fingerprint.at("scheme"))}, digest_from(fingerprint.at("digest"))},
                   Fence{value.at("fence").to_number<std::int64_t>()},
                   instant(value.at("created_at_us")),
                   value.at("attempt").to_number<std::int64_t>(),
                   state_from(value.at("state")),
                   field_digests_from(value.at("fields")),
                   std::move(hold)};
}

Request request_from(const json::value& value) {
    const auto& fingerprint = value.at("fingerprint");
    Request request{scope_from(value.at("scope")),
                    {{text(fingerprint.at("scheme"))}, digest_from(fingerprint.at("digest"))},
                    field_digests_from(value.at("fields")),
                    {}};
    for (const auto& other : value.at("others").as_array()) {
        const auto& digest = other.at("digest");
        request.others.push_back(
            {{text(other.at("scheme"))},
             digest.is_null() ? std::nullopt : std::optional{digest_from(digest)}});
    }
    return request;
}

Permit permit_from(const json::value& value) {
    return {scope_from(value.at("scope")), Fence{value.at("fence").to_number<std::int64_t>()}};
}

Outcome outcome_from(const json::value& value) {
    const auto& disposition = value.at("disposition");
    return {answer_from(value.at("answer")), one_of<Effect>(value.at("effect")),
            one_of<Exposure>(value.at("exposure")),
            disposition.is_null() ? std::nullopt : std::optional{one_of<Disposition>(disposition)}};
}

Resolution resolution_from(const json::value& value) {
    const auto [name, content] = shape(value.at("ruling"));
    Ruling ruling = ruling::NotApplied{};
    if (name == "applied")
        ruling = ruling::Applied{answer_from(content.at("answer")),
                                 one_of<Exposure>(content.at("exposure"))};
    return {std::move(ruling), text(value.at("by")), text(value.at("evidence"))};
}

Checkpoint checkpoint_from(const json::value& value) {
    const auto note = json::serialize(value.at("note"));
    return checked(parse_checkpoint(text(value.at("name")), note, note.size() + 1));
}

Policy policy_from(const json::value& value) {
    const auto book = json::serialize(json::value{{"default", value}});
    return checked(
               parse_policy_book(book, {.client_retry_window = Span{0}, .handler_budget = Span{0}}))
        .fallback();
}

}  // namespace counterfoil::corpus
