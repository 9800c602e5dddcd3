#include "damage.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <string>

#include "counterfoil/overloaded.hpp"

namespace counterfoil::testing {

namespace {

constexpr std::size_t longest_body = 65'536;
constexpr std::size_t longest_reference = 255;

Instant in_milliseconds(Instant at) {
    return at - at.time_since_epoch() % Span{1'000};
}

Instant in_nanoseconds(Instant at) {
    return std::clamp(at, Instant{Span::min() / 1'000}, Instant{Span::max() / 1'000});
}

void change_instants(Receipt& receipt, const std::function<Instant(Instant)>& changed) {
    const auto change = [&](Instant& at) { at = changed(at); };
    change(receipt.created_at);
    if (receipt.hold) change(receipt.hold->since);
    std::visit(overloaded{
                   [&](state::InProgress& held) { change(held.lease_end); },
                   [&](state::Completed& completed) {
                       change(completed.completed_at);
                       change(completed.replay_until);
                       change(completed.forget_at);
                   },
                   [&](state::Unknown& unknown) { change(unknown.since); },
                   [&](state::Tombstone& tombstone) {
                       change(tombstone.ended.completed_at);
                       change(tombstone.since);
                       change(tombstone.forget_at);
                   },
               },
               receipt.state);
}

void lose_checkpoint(State& state) {
    std::visit(overloaded{
                   [](state::InProgress& held) { held.checkpoint.reset(); },
                   [](state::Unknown& unknown) { unknown.checkpoint.reset(); },
                   [](state::Completed&) {},
                   [](state::Tombstone&) {},
               },
               state);
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

void damage_fields(Answer& answer, Defect defect) {
    for (Field& field : answer.fields) {
        if (defect == Defect::header_value_is_trimmed) field.value = trimmed(field.value);
        if (defect == Defect::header_name_is_lowercased) {
            std::transform(field.name.begin(), field.name.end(), field.name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        }
    }
}

void damage_body(Body& body, Defect defect) {
    if (defect == Defect::omitted_body_is_none && std::holds_alternative<body::Omitted>(body)) {
        body = body::None{};
    }
    auto* kept = std::get_if<body::Bytes>(&body);
    if (kept == nullptr) return;
    if (defect == Defect::body_ends_at_a_nul) {
        kept->bytes = kept->bytes.substr(0, kept->bytes.find('\0'));
    } else if (defect == Defect::long_body_is_cut) {
        kept->bytes = kept->bytes.substr(0, longest_body);
    } else if (defect == Defect::empty_body_is_none && kept->bytes.empty()) {
        body = body::None{};
    }
}

void damage_reference(Answer& answer, Defect defect) {
    if (!answer.reference) return;
    if (defect == Defect::reference_is_cut) {
        answer.reference = answer.reference->substr(0, longest_reference);
    } else if (defect == Defect::empty_reference_is_none && answer.reference->empty()) {
        answer.reference.reset();
    }
}

}  // namespace

Receipt stored(Receipt receipt, Defect defect) {
    if (auto* completed = std::get_if<state::Completed>(&receipt.state)) {
        damage_fields(completed->answer, defect);
        damage_body(completed->answer.body, defect);
        damage_reference(completed->answer, defect);
    }
    switch (defect) {
        case Defect::hold_is_lost: receipt.hold.reset(); break;
        case Defect::field_digests_are_lost: receipt.fields.reset(); break;
        case Defect::attempt_is_always_one: receipt.attempt = 1; break;
        case Defect::checkpoint_is_lost: lose_checkpoint(receipt.state); break;
        case Defect::scheme_is_lost: receipt.fingerprint.scheme.text = "exact-json"; break;
        case Defect::instants_are_rounded_to_milliseconds:
            change_instants(receipt, in_milliseconds);
            break;
        case Defect::instants_are_nanoseconds: change_instants(receipt, in_nanoseconds); break;
        case Defect::fence_has_32_bits:
            receipt.fence = Fence{static_cast<std::int32_t>(receipt.fence.number)};
            break;
        default: break;
    }
    return receipt;
}

}  // namespace counterfoil::testing
