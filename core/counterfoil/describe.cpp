#include "counterfoil/describe.hpp"

#include <string>
#include <utility>
#include <variant>

#include "counterfoil/overloaded.hpp"
#include "counterfoil/span_text.hpp"

namespace counterfoil {

namespace {

std::string quoted(std::string_view text) {
    return '"' + escaped(text) + '"';
}

std::string number(std::int64_t value) {
    return std::to_string(value);
}

std::string number(std::size_t value) {
    return std::to_string(value);
}

// ", label text" where there is something to say.
template <class Value>
std::string also(std::string_view label, const std::optional<Value>& value) {
    if (!value) return {};
    return ", " + std::string{label} + ' ' + describe(*value);
}

std::string also_quoted(std::string_view label, const std::optional<std::string>& text) {
    if (!text) return {};
    return ", " + std::string{label} + ' ' + quoted(*text);
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const auto& text : texts) all += (all.empty() ? "" : " ") + escaped(text);
    return '[' + all + ']';
}

std::string sized(std::string_view what, std::size_t bytes) {
    return std::string{what} + ' ' + number(bytes) + " B";
}

std::string describe_body(const Body& body) {
    return std::visit(overloaded{
                          [](const body::None&) -> std::string { return "no body"; },
                          [](const body::Bytes& kept) { return sized("body", kept.bytes.size()); },
                          [](const body::Omitted& omitted) {
                              return "body omitted (" + std::string{word(omitted.reason)} + ')';
                          },
                      },
                      body);
}

std::string in_scope(const Scope& scope, Fence fence) {
    return describe(scope) + ' ' + describe(fence);
}

}  // namespace

std::string escaped(std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\\') {
            out += "\\\\";
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\r') {
            out += "\\r";
        } else if (c == '\t') {
            out += "\\t";
        } else if (byte < 0x20 || byte > 0x7e) {
            out += {'\\', 'x', hex[byte >> 4U], hex[byte & 0xfU]};
        } else {
            out += c;
        }
    }
    return out;
}

std::string describe(Span span) {
    return to_text(span);
}

std::string describe(Instant at) {
    return to_rfc3339(at);
}

std::string describe(const Tenant& tenant) {
    return escaped(tenant.text());
}

std::string describe(const Operation& operation) {
    return escaped(operation.text());
}

std::string describe(const Key& key) {
    return escaped(key.text());
}

std::string describe(const Scope& scope) {
    return '(' + describe(scope.tenant) + ", " + describe(scope.operation) + ", " +
           describe(scope.key) + ')';
}

std::string describe(const NameError& error) {
    switch (error.fault) {
        case NameFault::empty: return "it is empty";
        case NameFault::blank: return "it is blank";
        case NameFault::too_short:
            return "it has " + number(error.length) + " bytes, fewer than " + number(error.at);
        case NameFault::too_long:
            return "it has " + number(error.length) + " bytes, more than " + number(error.at);
        case NameFault::forbidden_byte:
            return "the byte at offset " + number(error.at) + " is not allowed";
    }
    return {};
}

std::string describe(const JsonError& error) {
    const auto what = [&]() -> std::string {
        switch (error.fault) {
            case JsonFault::syntax: return "it is not JSON";
            case JsonFault::unexpected_end: return "it ends too early";
            case JsonFault::trailing_text: return "there is text behind the document";
            case JsonFault::byte_order_mark: return "it begins with a byte order mark";
            case JsonFault::invalid_utf8: return "it is not UTF-8";
            case JsonFault::lone_surrogate: return "half of a surrogate pair stands alone";
            case JsonFault::duplicate_name: return "a member name stands twice in one object";
            case JsonFault::too_deep: return "it nests too deep";
            case JsonFault::number_out_of_range: return "a number is out of range";
        }
        return {};
    };
    return what() + " at byte " + number(error.at);
}

std::string describe(const CheckpointError& error) {
    switch (error.fault) {
        case CheckpointFault::bad_name:
            return "the step's name is not 1 to 255 bytes of printable ASCII (byte " +
                   number(error.at) + ')';
        case CheckpointFault::note_not_json:
            return "the note is not JSON at byte " + number(error.at);
        case CheckpointFault::note_too_long:
            return "the note is longer than " + number(error.at) + " bytes";
    }
    return {};
}

std::string describe(const PointerError& error) {
    const auto what = [&]() -> std::string_view {
        switch (error.fault) {
            case PointerFault::missing_slash: return "does not begin with a slash";
            case PointerFault::bad_escape: return "has a tilde without 0 or 1 behind it";
            case PointerFault::invalid_utf8: return "is not UTF-8";
            case PointerFault::selects_nothing: return "would leave nothing of any document";
        }
        return {};
    };
    return "pointer " + number(error.pointer) + ' ' + std::string{what()} + ", at byte " +
           number(error.at);
}

std::string describe(const SchemeError& error) {
    return "not a fingerprint scheme: " + std::string{word(error.fault)} + " at byte " +
           number(error.at);
}

std::string describe(const FingerprintError& error) {
    switch (error.fault) {
        case FingerprintFault::unreadable_json:
            return error.json ? describe(*error.json) : std::string{"it is not JSON"};
        case FingerprintFault::not_json: return "the scheme wants JSON and was given bytes";
        case FingerprintFault::no_text:
            return "the raw scheme wants bytes and was given a parsed value";
        case FingerprintFault::unknown_scheme:
            return "unknown fingerprint scheme " + quoted(error.detail);
        case FingerprintFault::missing_secret:
            return "no secret with the id " + quoted(error.detail);
        case FingerprintFault::invalid_utf8: return escaped(error.detail) + " is not UTF-8";
    }
    return {};
}

std::string describe(const PolicyFault& fault) {
    return escaped(fault.pointer.empty() ? std::string{"policy"} : fault.pointer) + ": " +
           escaped(fault.detail) + " (" + std::string{word(fault.kind)} + ')';
}

std::string describe(const Fingerprint& fingerprint) {
    constexpr std::size_t enough_to_tell_apart = 16;
    return escaped(fingerprint.scheme.text) + ':' +
           to_hex(fingerprint.digest).substr(0, enough_to_tell_apart);
}

std::string describe(const Answer& answer) {
    std::string names;
    for (const Field& field : answer.fields)
        names += (names.empty() ? "" : " ") + escaped(field.name);
    return number(std::int64_t{answer.status}) + " [" + names + "] " + describe_body(answer.body) +
           also_quoted("reference", answer.reference);
}

std::string describe(const Checkpoint& checkpoint) {
    return quoted(checkpoint.name()) + " (" + sized("note", checkpoint.note().size()) + ')';
}

std::string describe(const Ending& ended) {
    return number(std::int64_t{ended.status}) + " at " + describe(ended.completed_at) +
           also_quoted("reference", ended.reference);
}

std::string describe(Fence fence) {
    return "fence " + number(fence.number);
}

std::string describe(const Permit& permit) {
    return "permit " + in_scope(permit.scope, permit.fence);
}

std::string describe(const State& state) {
    return std::string{word(state)} + ' ' +
           std::visit(overloaded{
                          [](const state::InProgress& held) {
                              return "until " + describe(held.lease_end) +
                                     also("checkpoint", held.checkpoint);
                          },
                          [](const state::Completed& completed) {
                              return "at " + describe(completed.completed_at) + ", replay until " +
                                     describe(completed.replay_until) + ", forget at " +
                                     describe(completed.forget_at) + ": " +
                                     describe(completed.answer);
                          },
                          [](const state::Unknown& unknown) {
                              return "since " + describe(unknown.since) + " (" +
                                     std::string{word(unknown.cause)} + ')' +
                                     also("checkpoint", unknown.checkpoint);
                          },
                          [](const state::Tombstone& tombstone) {
                              return "since " + describe(tombstone.since) + ", forget at " +
                                     describe(tombstone.forget_at) + ", ended " +
                                     describe(tombstone.ended);
                          },
                      },
                      state);
}

std::string describe(const Receipt& receipt) {
    return "receipt " + in_scope(receipt.scope, receipt.fence) + ", attempt " +
           number(receipt.attempt) + ", created " + describe(receipt.created_at) + ", " +
           describe(receipt.fingerprint) +
           (receipt.fields ? ", " + number(receipt.fields->fields.size()) + " field digests"
                           : std::string{}) +
           (receipt.hold ? ", held by " + quoted(receipt.hold->by) : std::string{}) + ", " +
           describe(receipt.state);
}

std::string describe(const Request& request) {
    std::string others;
    for (const auto& other : request.others) {
        others += ", " + (other.digest ? describe(Fingerprint{other.scheme, *other.digest})
                                       : "none under " + escaped(other.scheme.text));
    }
    return "request " + describe(request.scope) + ' ' + describe(request.fingerprint) + others;
}

std::string describe(const Policy& policy) {
    const PolicyFigures& figures = policy.figures();
    return "policy lease " + describe(figures.lease) + ", skew " + describe(figures.max_skew) +
           ", replay " + describe(figures.replay_window) + ", tombstone " +
           describe(figures.tombstone_window) + ", abandon after " +
           describe(figures.abandon_after) + ", attempts " + number(figures.max_attempts) +
           ", on lapse " + std::string{word(figures.on_lapse)} + ", old keys " +
           std::string{word(figures.old_keys)} + ", " + escaped(name_of(figures.scheme).text);
}

std::string describe(const Why& why) {
    std::string text = "rule " + number(std::int64_t{static_cast<std::uint8_t>(why.rule)}) + " (" +
                       std::string{word(why.rule)} + "): now " + describe(why.now);
    if (why.boundary) text += (why.now < *why.boundary ? " < " : " >= ") + describe(*why.boundary);
    if (why.attempt) text += ", attempt " + number(*why.attempt);
    if (why.max_attempts) text += " of " + number(*why.max_attempts);
    return text;
}

namespace {

std::string told(const verdict::Create& create) {
    return describe(create.receipt) + also("in the place of", create.replaces);
}

std::string told(const verdict::TakeOver& take_over) {
    return describe(take_over.receipt) + ", in the place of " + describe(take_over.replaces);
}

std::string told(const verdict::Replay& replay) {
    return describe(replay.answer) + ", first seen " + describe(replay.first_seen) +
           ", completed " + describe(replay.completed_at) + ", attempt " + number(replay.attempt) +
           ", until " + describe(replay.replay_until);
}

std::string told(const verdict::Conflict& conflict) {
    return "first seen " + describe(conflict.first_seen) +
           (conflict.differs ? ", differs in " + joined(*conflict.differs) : std::string{});
}

std::string told(const verdict::InProgress& running) {
    return "retry after " + describe(running.retry_after) + ", first seen " +
           describe(running.first_seen) + ", lease until " + describe(running.lease_end) +
           ", attempt " + number(running.attempt);
}

std::string told(const verdict::Unknown& unknown) {
    return "since " + describe(unknown.since) + " (" + std::string{word(unknown.cause)} +
           "), first seen " + describe(unknown.first_seen) +
           (unknown.write ? ", to be written" : "");
}

std::string told(const verdict::Expired& expired) {
    return std::visit(overloaded{
                          [](const verdict::MaybeSeen& maybe) {
                              return "maybe seen, key born " + describe(maybe.born);
                          },
                          [](const verdict::Seen& seen) {
                              return "first seen " + describe(seen.first_seen) + ", ended " +
                                     describe(seen.ended);
                          },
                      },
                      expired.seen);
}

std::string told(const verdict::Incomparable& incomparable) {
    return "under scheme " + quoted(incomparable.scheme.text) + ", first seen " +
           describe(incomparable.first_seen);
}

std::string told(const ruling::Applied& applied) {
    return "applied: " + describe(applied.answer);
}

std::string told(const ruling::NotApplied&) {
    return "not applied";
}

std::string told(const Ruling& ruling) {
    return std::visit([](const auto& which) { return told(which); }, ruling);
}

std::string told(const settled::Completed& completed) {
    return "completed " + std::string{word(completed.timeliness)} + ": " +
           describe(completed.write);
}

std::string told(const settled::Released& released) {
    return "released: " + describe(released.write);
}

std::string told(const settled::Uncertain& uncertain) {
    return "uncertain: " + describe(uncertain.write);
}

std::string told(const settled::Renewed& renewed) {
    return "renewed " + std::string{word(renewed.timeliness)} + ": " + describe(renewed.write);
}

std::string told(const settled::Checkpointed& reached) {
    return "checkpointed " + std::string{word(reached.timeliness)} + ": " + describe(reached.write);
}

std::string told(const settled::ResolvedApplied& resolved) {
    return "resolved " + describe(resolved.record) + ": " + describe(resolved.write);
}

std::string told(const settled::ResolvedNotApplied& resolved) {
    return "resolved " + describe(resolved.record) + ": " + describe(resolved.write);
}

std::string told(const refusal::Lost&) {
    return "lost";
}

std::string told(const refusal::Fenced& fenced) {
    return "fenced: newest is " + describe(fenced.newest);
}

std::string told(const refusal::AlreadyCompleted& already) {
    return "already completed: " + describe(already.ended) +
           (already.answer ? ", answer " + describe(*already.answer) : ", answer dropped");
}

std::string told(const refusal::StillHeld& held) {
    return "still held until " + describe(held.until);
}

std::string told(const refusal::Unattributed&) {
    return "unattributed: who says so, and on what ground";
}

std::string told(const retention::Keep& keep) {
    return keep.look_again ? "keep until " + describe(*keep.look_again) : std::string{"keep"};
}

std::string told(const retention::MakeTombstone& made) {
    return "make tombstone: " + describe(made.write);
}

std::string told(const retention::Purge& purge) {
    return "purge: " + describe(purge.write) + ", forget at " + describe(purge.forget_at);
}

std::string told(const retention::MarkUnknown& marked) {
    return "mark unknown: " + describe(marked.write);
}

template <class... Cases>
std::string tell(const std::variant<Cases...>& which) {
    return std::visit([](const auto& one) { return told(one); }, which);
}

}  // namespace

std::string describe(const Verdict& verdict) {
    return std::string{word(verdict)} + ": " + tell(verdict) + "; " + describe(why(verdict));
}

std::string describe(const Outcome& outcome) {
    return "outcome " + describe(outcome.answer) + ", effect " + std::string{word(outcome.effect)} +
           ", " + std::string{word(outcome.exposure)} +
           (outcome.disposition ? ", " + std::string{word(*outcome.disposition)} : std::string{});
}

std::string describe(const Replace& write) {
    return "replace " + describe(write.expected) + " by " + describe(write.receipt);
}

std::string describe(const Erase& write) {
    return "erase " + in_scope(write.scope, write.expected);
}

std::string describe(const Resolution& resolution) {
    return "resolution " + told(resolution.ruling) + ", by " + quoted(resolution.by) +
           ", evidence " + quoted(resolution.evidence);
}

std::string describe(const ResolutionRecord& record) {
    return in_scope(record.scope, record.fence) + " at " + describe(record.resolved_at) + ", was " +
           describe(record.before) + ", " + told(record.ruling) + ", by " + quoted(record.by) +
           ", evidence " + quoted(record.evidence);
}

std::string describe(const Completion& completion) {
    return tell(completion);
}

std::string describe(const Renewal& renewal) {
    return tell(renewal);
}

std::string describe(const Checkpointing& checkpointing) {
    return tell(checkpointing);
}

std::string describe(const Release& release) {
    return tell(release);
}

std::string describe(const Marking& marking) {
    return tell(marking);
}

std::string describe(const Abandonment& abandonment) {
    return tell(abandonment);
}

std::string describe(const Resolving& resolving) {
    return tell(resolving);
}

std::string describe(const Retention& retention) {
    return tell(retention);
}

}  // namespace counterfoil
