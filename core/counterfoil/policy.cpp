#include "counterfoil/policy.hpp"

#include <string>
#include <utility>

#include "counterfoil/is_utf8.hpp"
#include "counterfoil/policy_findings.hpp"
#include "counterfoil/span_text.hpp"

namespace counterfoil {

namespace {

using Kind = PolicyFaultKind;

// A token of RFC 9110 section 5.6.2, which every field name is.
bool is_field_name(std::string_view text) {
    return !text.empty() && text.find_first_not_of(
                                "!#$%&'*+-.^_`|~0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

bool can_be_met(const KeyRules& rules) {
    auto telling = rules.allowed;  // a key of spaces and tabs alone is blank, whatever is allowed
    telling.reset(' ').reset('\t');
    return telling.any();
}

/// Looks at figures rule by rule, each function for the kinds that it names.
class Inspection {
public:
    Inspection(const PolicyFigures& figures, const ServiceBounds& bounds)
        : figures_(figures), bounds_(bounds) {}

    std::vector<detail::Finding> all() && {
        bad_values();
        lease();
        windows();
        negative_spans();
        attempts();
        limits();
        key_rules();
        kept_fields();
        return std::move(findings_);
    }

private:
    void find(Kind kind, std::string pointer, std::string detail, std::string_view against = {}) {
        findings_.push_back({{kind, std::move(pointer), std::move(detail)}, against});
    }

    void bad_values() {
        const auto scheme = name_of(figures_.scheme);
        if (!parse_scheme(scheme.text)) {
            find(Kind::bad_value, "/scheme", '"' + scheme.text + "\" is no fingerprint scheme");
        }
        for (std::size_t i = 0; i < kept().size(); ++i) {
            if (is_field_name(kept()[i])) continue;
            find(Kind::bad_value, kept_pointer(i), "no header field can have this name");
        }
        if (!figures_.conflict_detail) return;
        if (figures_.conflict_detail->secret.empty()) {
            find(Kind::bad_value, "/conflict_detail/secret", "conflict_detail names no secret");
        } else if (!detail::is_utf8(figures_.conflict_detail->secret)) {
            find(Kind::bad_value, "/conflict_detail/secret", "the secret's id is not UTF-8");
        }
    }

    void lease() {
        if (figures_.lease <= Span::zero()) {
            find(Kind::lease_not_positive, "/lease",
                 "lease is " + to_text(figures_.lease) + ", and must be above 0s");
        }
        if (figures_.lease < bounds_.handler_budget) {
            find(Kind::lease_below_handler_budget, "/lease",
                 "lease is " + to_text(figures_.lease) + ", less than the handler's budget of " +
                     to_text(bounds_.handler_budget));
        }
        if (figures_.lease >= figures_.replay_window) {
            find(Kind::lease_not_below_replay_window, "/lease",
                 "lease is " + to_text(figures_.lease) + ", not below the replay_window of " +
                     to_text(figures_.replay_window),
                 "/replay_window");
        }
    }

    void windows() {
        if (figures_.replay_window < bounds_.client_retry_window) {
            find(Kind::replay_window_below_client_retry_window, "/replay_window",
                 "replay_window is " + to_text(figures_.replay_window) +
                     ", and clients go on retrying for " + to_text(bounds_.client_retry_window));
        }
        if (figures_.tombstone_window < figures_.replay_window) {
            find(Kind::tombstone_window_below_replay_window, "/tombstone_window",
                 "tombstone_window is " + to_text(figures_.tombstone_window) +
                     ", less than the replay_window of " + to_text(figures_.replay_window),
                 "/replay_window");
        }
    }

    void negative_spans() {
        not_negative("/max_skew", "max_skew", figures_.max_skew);
        not_negative("/abandon_after", "abandon_after", figures_.abandon_after);
        not_negative("", "the clients' retry window", bounds_.client_retry_window);
        not_negative("", "the handler's budget", bounds_.handler_budget);
    }

    void not_negative(std::string pointer, std::string_view what, Span span) {
        if (span >= Span::zero()) return;
        find(Kind::negative_span, std::move(pointer),
             std::string{what} + " is " + to_text(span) + ", and must not be negative");
    }

    void attempts() {
        if (figures_.max_attempts >= 1) return;
        find(Kind::no_attempts, "/max_attempts",
             "max_attempts is " + std::to_string(figures_.max_attempts) +
                 ", and must be at least 1");
    }

    void limits() {
        above_zero("/key_rules/min_length", figures_.key_rules.min_length);
        above_zero("/key_rules/max_length", figures_.key_rules.max_length);
        above_zero("/max_body_bytes", figures_.answer_limits.max_body_bytes);
        above_zero("/max_depth", figures_.max_depth);
        above_zero("/max_note_bytes", figures_.max_note_bytes);
        if (figures_.conflict_detail) {
            above_zero("/conflict_detail/max_fields", figures_.conflict_detail->max_fields);
        }
    }

    void above_zero(std::string_view pointer, std::size_t limit) {
        if (limit > 0) return;
        const auto name = pointer.substr(pointer.rfind('/') + 1);
        find(Kind::zero_limit, std::string{pointer},
             std::string{name} + " is 0, and must be at least 1");
    }

    void key_rules() {
        const auto& rules = figures_.key_rules;
        if (rules.max_length > 0 && rules.min_length > rules.max_length) {
            find(Kind::key_rules_unmeetable, "/key_rules/max_length",
                 "max_length is " + std::to_string(rules.max_length) +
                     ", less than the min_length of " + std::to_string(rules.min_length),
                 "/key_rules/min_length");
        }
        if (!can_be_met(rules)) {
            find(Kind::key_rules_unmeetable, "/key_rules/allowed",
                 "no byte is allowed but spaces and tabs, and a blank key is always refused");
        }
    }

    void kept_fields() {
        for (std::size_t i = 0; i < kept().size(); ++i) {
            if (!is_never_kept(kept()[i])) continue;
            find(Kind::field_never_kept, kept_pointer(i),
                 kept()[i] + " frames a message or carries a credential, and is never kept");
        }
    }

    [[nodiscard]] const std::vector<std::string>& kept() const {
        return figures_.answer_limits.kept_fields;
    }

    static std::string kept_pointer(std::size_t place) {
        return "/kept_fields/" + std::to_string(place);
    }

    const PolicyFigures& figures_;
    const ServiceBounds& bounds_;
    std::vector<detail::Finding> findings_;
};

}  // namespace

std::vector<detail::Finding> detail::findings_in(const PolicyFigures& figures,
                                                 const ServiceBounds& bounds) {
    return Inspection{figures, bounds}.all();
}

Result<Policy, std::vector<PolicyFault>> validate(PolicyFigures figures,
                                                  const ServiceBounds& bounds) {
    auto findings = detail::findings_in(figures, bounds);
    if (findings.empty()) return Policy{std::move(figures)};
    std::vector<PolicyFault> faults;
    faults.reserve(findings.size());
    for (auto& finding : findings) faults.push_back(std::move(finding.fault));
    return faults;
}

void PolicyBook::set(Operation operation, Policy policy) {
    own_.insert_or_assign(std::move(operation), std::move(policy));
}

const Policy& PolicyBook::policy_for(const Operation& operation) const {
    const auto own = own_.find(operation);
    return own == own_.end() ? fallback_ : own->second;
}

}  // namespace counterfoil
