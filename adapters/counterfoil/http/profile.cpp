#include "counterfoil/http/profile.hpp"

namespace counterfoil::http {

namespace {

constexpr std::array<std::string_view, problems> slugs{"missing-key",
                                                       "malformed-key",
                                                       "unreadable-request",
                                                       "unsupported-content",
                                                       "key-reused",
                                                       "in-progress",
                                                       "unknown-outcome",
                                                       "superseded",
                                                       "expired",
                                                       "incomparable",
                                                       "rate-limited",
                                                       "undecided",
                                                       "busy",
                                                       "unavailable",
                                                       "corrupt",
                                                       "refused"};

constexpr std::size_t index(Problem problem) {
    return static_cast<std::size_t>(problem);
}

}  // namespace

std::string_view slug(Problem problem) {
    return slugs.at(index(problem));
}

Profile Profile::standard() {
    Profile profile;
    profile.forms_ = {
        ProblemForm{400, "The idempotency key is missing"},
        {400, "The idempotency key is malformed"},
        {400, "The request can't be read"},
        {415, "The content is not supported"},
        {422, "The idempotency key belongs to another request"},
        {409, "The request is being worked on"},
        {409, "Nobody knows whether the request was carried out"},
        {409, "Somebody else has taken the request over"},
        {410, "The answer is not kept any more"},
        {500, "The request can't be compared with the earlier one"},
        {429, "Too many requests"},
        {503, "Whether the request may run can't be decided"},
        {503, "The store is busy"},
        {503, "The store is unavailable"},
        {500, "The store can't be read"},
        {500, "The store refused the call"},
    };
    return profile;
}

Profile Profile::classic() {
    Profile profile = standard();
    profile[Problem::key_reused].status = 409;
    return profile;
}

const ProblemForm& Profile::operator[](Problem problem) const {
    return forms_.at(index(problem));
}

ProblemForm& Profile::operator[](Problem problem) {
    return forms_.at(index(problem));
}

}  // namespace counterfoil::http
