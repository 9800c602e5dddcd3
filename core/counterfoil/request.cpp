#include "counterfoil/request.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace counterfoil {
namespace {

/// Whether an intent that has no fingerprint under a scheme is surely another than any that has.
bool differs_for_sure(const FingerprintError& error) {
    switch (error.fault) {
        // Of two members of one name Boost.JSON drops the first without a word, so a receipt may
        // have been made from a value parsed from this very text.
        case FingerprintFault::unreadable_json:
            return error.json && error.json->fault != JsonFault::duplicate_name;
        case FingerprintFault::invalid_utf8: return true;
        case FingerprintFault::not_json:
        case FingerprintFault::no_text:
        case FingerprintFault::unknown_scheme:
        case FingerprintFault::missing_secret: break;
    }
    return false;
}

}  // namespace

Result<Request, FingerprintError> make_request(Scope scope, const Intent& intent,
                                               const Policy& policy, Fingerprinter& fingerprinter) {
    auto made = fingerprinter.fingerprint(policy->scheme, intent, policy->max_depth);
    if (!made) return std::move(made).error();
    Request request{std::move(scope), *std::move(made), std::nullopt, {}};
    if (policy->conflict_detail) {
        auto fields = fingerprinter.field_digests(policy->scheme, intent, *policy->conflict_detail,
                                                  policy->max_depth);
        if (!fields) return std::move(fields).error();
        request.fields = *std::move(fields);
    }
    return request;
}

void compare_under(const SchemeName& scheme, Request& request, const Intent& intent,
                   Fingerprinter& fingerprinter) {
    if (scheme == request.fingerprint.scheme) return;
    const auto is_it = [&](const OtherFingerprint& other) { return other.scheme == scheme; };
    if (std::any_of(request.others.begin(), request.others.end(), is_it)) return;

    // Without a depth limit: the receipt's was that of its time, and the intent has passed today's.
    constexpr auto any_depth = std::numeric_limits<std::size_t>::max();
    const auto made = fingerprinter.fingerprint(scheme, intent, any_depth);
    if (made) {
        request.others.push_back({scheme, made->digest});
    } else if (differs_for_sure(made.error())) {
        request.others.push_back({scheme, std::nullopt});
    }
}

}  // namespace counterfoil
