#include "counterfoil/answer.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace counterfoil {

namespace {

constexpr int first_status = 100;
constexpr int last_status = 599;

constexpr std::array<std::string_view, 4> always_kept{
    "content-type",
    "content-encoding",
    "location",
    "etag",
};

constexpr std::array<std::string_view, 18> never_kept{
    // what frames a message or belongs to one connection or moment
    "connection",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "content-length",
    "date",
    // what carries a credential
    "set-cookie",
    "set-cookie2",
    "cookie",
    "authorization",
    "proxy-authorization",
    "www-authenticate",
    "proxy-authenticate",
    "authentication-info",
    "proxy-authentication-info",
};

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

template <class Names>
bool is_among(const Names& names, std::string_view field_name) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return is_same_name(name, field_name); });
}

bool is_kept(std::string_view field_name, const AnswerLimits& limits) {
    if (is_never_kept(field_name)) return false;
    return is_among(always_kept, field_name) || is_among(limits.kept_fields, field_name);
}

std::size_t place_of(int hundreds) {
    assert(hundreds >= 1);
    assert(hundreds <= 5);
    return static_cast<std::size_t>(hundreds - 1);
}

}  // namespace

Dispositions::Dispositions()
    : by_class_{Disposition::unknown, Disposition::keep, Disposition::keep, Disposition::keep,
                Disposition::unknown} {
    for (const int status : {400, 401, 403, 404, 408, 409, 412, 422, 425, 429, 503}) {
        exceptions_.push_back({status, Disposition::release});
    }
}

Dispositions& Dispositions::set_class(int hundreds, Disposition disposition) {
    by_class_.at(place_of(hundreds)) = disposition;
    return *this;
}

Dispositions& Dispositions::set_status(int status, Disposition disposition) {
    assert(status >= first_status);
    assert(status <= last_status);
    const auto place =
        std::lower_bound(exceptions_.begin(), exceptions_.end(), status,
                         [](const Exception& each, int sought) { return each.status < sought; });
    if (place != exceptions_.end() && place->status == status) {
        place->disposition = disposition;
    } else {
        exceptions_.insert(place, {status, disposition});
    }
    return *this;
}

Dispositions& Dispositions::clear_status(int status) {
    assert(status >= first_status);
    assert(status <= last_status);
    std::erase_if(exceptions_, [&](const Exception& each) { return each.status == status; });
    return *this;
}

Disposition Dispositions::class_default(int hundreds) const {
    return by_class_.at(place_of(hundreds));
}

Disposition Dispositions::entry(int status) const {
    if (status < first_status || status > last_status) return Disposition::unknown;
    const auto exception =
        std::find_if(exceptions_.begin(), exceptions_.end(),
                     [&](const Exception& each) { return each.status == status; });
    return exception != exceptions_.end() ? exception->disposition : class_default(status / 100);
}

Disposition Dispositions::of(int status, Effect effect) const {
    const auto disposition = entry(status);
    const bool nothing_happened = effect == Effect::not_begun;
    return disposition == Disposition::unknown && nothing_happened ? Disposition::release
                                                                   : disposition;
}

bool is_never_kept(std::string_view field_name) {
    return is_among(never_kept, field_name);
}

Answer stored_form(Answer answer, Exposure exposure, const AnswerLimits& limits) {
    std::erase_if(answer.fields, [&](const Field& field) { return !is_kept(field.name, limits); });
    if (const auto* body = std::get_if<body::Bytes>(&answer.body)) {
        if (exposure == Exposure::secret) {
            answer.body = body::Omitted{Omission::secret};
        } else if (body->bytes.size() > limits.max_body_bytes) {
            answer.body = body::Omitted{Omission::too_large};
        }
    }
    return answer;
}

}  // namespace counterfoil
