#include "simulator/stage.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace counterfoil {

namespace {

constexpr Span replay_window{12};
constexpr Span tombstone_window{24};

Policy valid(PolicyFigures figures) {
    return validate(std::move(figures), {.client_retry_window = Span{0}, .handler_budget = Span{0}})
        .value();
}

PolicyFigures figures_of(const History& history) {
    PolicyFigures figures;
    figures.lease = history.leases_never_end ? Span::max() - tick : lease;
    figures.max_skew = skew;
    figures.replay_window = history.leases_never_end ? Span::max() : replay_window;
    figures.tombstone_window = history.leases_never_end ? Span::max() : tombstone_window;
    figures.abandon_after = abandon_after;
    figures.max_attempts = max_attempts;
    figures.on_lapse = history.lapse_is_unknown ? OnLapse::unknown : OnLapse::take_over;
    figures.old_keys = history.old_keys_are_refused ? OldKeys::refuse : OldKeys::create;
    figures.answer_limits.max_body_bytes = max_body_bytes;
    return figures;
}

PolicyFigures later_figures() {
    PolicyFigures figures = figures_of({});
    figures.replay_window = replay_window - skew;
    figures.tombstone_window = tombstone_window - skew;
    return figures;
}

// The place of a history's policy among all.
std::size_t place_of(const History& history) {
    return (history.lapse_is_unknown ? 1U : 0U) + (history.old_keys_are_refused ? 2U : 0U) +
           (history.leases_never_end ? 4U : 0U);
}

template <std::size_t... at>
auto policies_of(std::index_sequence<at...> /*all*/) {
    return std::array{valid(figures_of({.lapse_is_unknown = (at & 1U) != 0,
                                        .old_keys_are_refused = (at & 2U) != 0,
                                        .leases_never_end = (at & 4U) != 0}))...};
}

Scope scope_of(const char* tenant, const char* key) {
    return {parse_tenant(tenant).value(), parse_operation("pay").value(), parse_key(key).value()};
}

Digest digest_of(std::size_t body, bool rfc) {
    Digest digest;
    digest.bytes.fill(static_cast<std::uint8_t>(2 * body + (rfc ? 1 : 0)));
    return digest;
}

FieldDigest field_of(const char* pointer, std::uint8_t value, bool rfc) {
    FieldDigest field{.pointer = pointer};
    field.digest.fill(static_cast<std::uint8_t>(2 * value + (rfc ? 1 : 0)));
    return field;
}

// The bodies differ in the amount, and not in the actor.
Request request_of(Scope scope, std::size_t body, Under under) {
    const bool rfc = is_rfc(under);
    Request request{
        .scope = std::move(scope),
        .fingerprint = {.scheme = {rfc ? "rfc8785" : "exact-json"}, .digest = digest_of(body, rfc)},
        .fields = FieldDigests{},
        .others = {}};
    request.fields->fields = {field_of("/actor", 0, rfc),
                              field_of("/amount", static_cast<std::uint8_t>(body + 1), rfc)};
    if (under == Under::rfc_and_exact)
        request.others.push_back({.scheme = {"exact-json"}, .digest = digest_of(body, false)});
    return request;
}

template <std::size_t... at>
auto requests_of(const std::array<Scope, keys>& scopes, std::index_sequence<at...> /*all*/) {
    return std::array{request_of(scopes.at(at / (bodies * unders)), at / unders % bodies,
                                 static_cast<Under>(at % unders))...};
}

}  // namespace

bool is_rfc(Under under) {
    return under != Under::exact;
}

bool is_comparable(Under receipt, Under request) {
    return request == Under::rfc_and_exact || is_rfc(receipt) == is_rfc(request);
}

Stage::Stage()
    : policies_{policies_of(std::make_index_sequence<8>{})},
      later_{valid(later_figures())},
      scopes_{scope_of("a", "k"), scope_of("b", "k"),
              scope_of("a", "00000000-0001-7000-8000-000000000000")},
      requests_{requests_of(scopes_, std::make_index_sequence<keys * bodies * unders>{})} {}

const Policy& Stage::policy(const History& history) const {
    return policies_.at(place_of(history));
}

const Request& Stage::request(std::size_t key, std::size_t body, Under under) const {
    return requests_.at((key * bodies + body) * unders + static_cast<std::size_t>(under));
}

}  // namespace counterfoil
