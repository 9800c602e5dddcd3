#include "counterfoil/words.hpp"

#include <variant>

#include "counterfoil/overloaded.hpp"

namespace counterfoil {

// The switches have no default, so the compiler names an enumerator that is left out. Below each is
// what a value outside its set gives, which is no word.

std::string_view word(NameFault which) {
    switch (which) {
        case NameFault::empty: return "empty";
        case NameFault::blank: return "blank";
        case NameFault::too_short: return "too_short";
        case NameFault::too_long: return "too_long";
        case NameFault::forbidden_byte: return "forbidden_byte";
    }
    return {};
}

std::string_view word(JsonFault which) {
    switch (which) {
        case JsonFault::syntax: return "syntax";
        case JsonFault::unexpected_end: return "unexpected_end";
        case JsonFault::trailing_text: return "trailing_text";
        case JsonFault::byte_order_mark: return "byte_order_mark";
        case JsonFault::invalid_utf8: return "invalid_utf8";
        case JsonFault::lone_surrogate: return "lone_surrogate";
        case JsonFault::duplicate_name: return "duplicate_name";
        case JsonFault::too_deep: return "too_deep";
        case JsonFault::number_out_of_range: return "number_out_of_range";
    }
    return {};
}

std::string_view word(PointerFault which) {
    switch (which) {
        case PointerFault::missing_slash: return "missing_slash";
        case PointerFault::bad_escape: return "bad_escape";
        case PointerFault::invalid_utf8: return "invalid_utf8";
        case PointerFault::selects_nothing: return "selects_nothing";
    }
    return {};
}

std::string_view word(SchemeFault which) {
    switch (which) {
        case SchemeFault::unknown_form: return "unknown_form";
        case SchemeFault::unknown_option: return "unknown_option";
        case SchemeFault::option_out_of_order: return "option_out_of_order";
        case SchemeFault::bad_text: return "bad_text";
        case SchemeFault::bad_pointer: return "bad_pointer";
        case SchemeFault::not_normal: return "not_normal";
        case SchemeFault::secret_missing: return "secret_missing";
        case SchemeFault::secret_unused: return "secret_unused";
        case SchemeFault::selection_of_bytes: return "selection_of_bytes";
    }
    return {};
}

std::string_view word(FingerprintFault which) {
    switch (which) {
        case FingerprintFault::unreadable_json: return "unreadable_json";
        case FingerprintFault::not_json: return "not_json";
        case FingerprintFault::no_text: return "no_text";
        case FingerprintFault::unknown_scheme: return "unknown_scheme";
        case FingerprintFault::missing_secret: return "missing_secret";
        case FingerprintFault::invalid_utf8: return "invalid_utf8";
    }
    return {};
}

std::string_view word(CheckpointFault which) {
    switch (which) {
        case CheckpointFault::bad_name: return "bad_name";
        case CheckpointFault::note_not_json: return "note_not_json";
        case CheckpointFault::note_too_long: return "note_too_long";
    }
    return {};
}

std::string_view word(Omission which) {
    switch (which) {
        case Omission::too_large: return "too_large";
        case Omission::streamed: return "streamed";
        case Omission::secret: return "secret";
    }
    return {};
}

std::string_view word(Disposition which) {
    switch (which) {
        case Disposition::keep: return "keep";
        case Disposition::release: return "release";
        case Disposition::unknown: return "unknown";
    }
    return {};
}

std::string_view word(Effect which) {
    switch (which) {
        case Effect::not_begun: return "not_begun";
        case Effect::may_have_begun: return "may_have_begun";
    }
    return {};
}

std::string_view word(Exposure which) {
    switch (which) {
        case Exposure::ordinary: return "ordinary";
        case Exposure::secret: return "secret";
    }
    return {};
}

std::string_view word(OnLapse which) {
    switch (which) {
        case OnLapse::take_over: return "take_over";
        case OnLapse::unknown: return "unknown";
    }
    return {};
}

std::string_view word(OldKeys which) {
    switch (which) {
        case OldKeys::create: return "create";
        case OldKeys::refuse: return "refuse";
    }
    return {};
}

std::string_view word(UnknownCause which) {
    switch (which) {
        case UnknownCause::lease_lapsed: return "lease_lapsed";
        case UnknownCause::attempts_exhausted: return "attempts_exhausted";
        case UnknownCause::marked: return "marked";
    }
    return {};
}

std::string_view word(Timeliness which) {
    switch (which) {
        case Timeliness::in_time: return "in_time";
        case Timeliness::late: return "late";
    }
    return {};
}

std::string_view word(PolicyFaultKind which) {
    switch (which) {
        case PolicyFaultKind::not_json: return "not_json";
        case PolicyFaultKind::unknown_name: return "unknown_name";
        case PolicyFaultKind::wrong_type: return "wrong_type";
        case PolicyFaultKind::bad_value: return "bad_value";
        case PolicyFaultKind::lease_not_positive: return "lease_not_positive";
        case PolicyFaultKind::lease_below_handler_budget: return "lease_below_handler_budget";
        case PolicyFaultKind::lease_not_below_replay_window: return "lease_not_below_replay_window";
        case PolicyFaultKind::replay_window_below_client_retry_window:
            return "replay_window_below_client_retry_window";
        case PolicyFaultKind::tombstone_window_below_replay_window:
            return "tombstone_window_below_replay_window";
        case PolicyFaultKind::negative_span: return "negative_span";
        case PolicyFaultKind::no_attempts: return "no_attempts";
        case PolicyFaultKind::zero_limit: return "zero_limit";
        case PolicyFaultKind::key_rules_unmeetable: return "key_rules_unmeetable";
        case PolicyFaultKind::field_never_kept: return "field_never_kept";
    }
    return {};
}

std::string_view word(Rule which) {
    switch (which) {
        case Rule::key_predates_memory: return "key_predates_memory";
        case Rule::nothing_found: return "nothing_found";
        case Rule::forgotten: return "forgotten";
        case Rule::scheme_not_computable: return "scheme_not_computable";
        case Rule::other_fingerprint: return "other_fingerprint";
        case Rule::inside_replay_window: return "inside_replay_window";
        case Rule::past_replay_window: return "past_replay_window";
        case Rule::outcome_unknown: return "outcome_unknown";
        case Rule::lease_running: return "lease_running";
        case Rule::lease_lapsed: return "lease_lapsed";
        case Rule::no_takeover: return "no_takeover";
    }
    return {};
}

std::string_view word(admission::Ground which) {
    switch (which) {
        case admission::Ground::budget_spent: return "budget_spent";
        case admission::Ground::dependency_down: return "dependency_down";
    }
    return {};
}

std::string_view word(const State& state) {
    return std::visit(overloaded{
                          [](const state::InProgress&) { return "in_progress"; },
                          [](const state::Completed&) { return "completed"; },
                          [](const state::Unknown&) { return "unknown"; },
                          [](const state::Tombstone&) { return "tombstone"; },
                      },
                      state);
}

template <class Enum>
std::optional<Enum> from_word(std::string_view text) {
    constexpr int more_than_any_set_has = 32;
    for (int value = 0; value < more_than_any_set_has; ++value) {
        const auto which = static_cast<Enum>(value);
        if (!text.empty() && word(which) == text) return which;
    }
    return std::nullopt;
}

template std::optional<NameFault> from_word(std::string_view text);
template std::optional<JsonFault> from_word(std::string_view text);
template std::optional<PointerFault> from_word(std::string_view text);
template std::optional<SchemeFault> from_word(std::string_view text);
template std::optional<FingerprintFault> from_word(std::string_view text);
template std::optional<CheckpointFault> from_word(std::string_view text);
template std::optional<Omission> from_word(std::string_view text);
template std::optional<Disposition> from_word(std::string_view text);
template std::optional<Effect> from_word(std::string_view text);
template std::optional<Exposure> from_word(std::string_view text);
template std::optional<OnLapse> from_word(std::string_view text);
template std::optional<OldKeys> from_word(std::string_view text);
template std::optional<UnknownCause> from_word(std::string_view text);
template std::optional<Timeliness> from_word(std::string_view text);
template std::optional<PolicyFaultKind> from_word(std::string_view text);
template std::optional<Rule> from_word(std::string_view text);
template std::optional<admission::Ground> from_word(std::string_view text);

}  // namespace counterfoil
