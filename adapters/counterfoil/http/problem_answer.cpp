#include "counterfoil/http/problem_answer.hpp"

#include <algorithm>
#include <chrono>

#include <boost/json.hpp>

#include "counterfoil/describe.hpp"

namespace counterfoil::http {

std::int64_t retry_after_seconds(Span wait, Span lease) {
    using std::chrono::seconds;
    const auto whole_lease = std::chrono::floor<seconds>(lease).count();
    return std::max<std::int64_t>(1,
                                  std::min(std::chrono::ceil<seconds>(wait).count(), whole_lease));
}

Answer problem_answer(const Profile& profile, Problem problem, const ProblemFacts& facts) {
    const ProblemForm& form = profile[problem];
    boost::json::object body{{"type", profile.type_base + std::string{slug(problem)}},
                             {"title", form.title},
                             {"status", form.status},
                             {"detail", facts.detail}};
    if (facts.why != nullptr) {
        body["rule"] = static_cast<int>(facts.why->rule);
        body["rule_name"] = word(facts.why->rule);
        if (facts.why->attempt) body["attempt"] = *facts.why->attempt;
    }
    if (facts.first_seen) body["first_seen"] = counterfoil::describe(*facts.first_seen);
    if (facts.retry_after) body["retry_after"] = *facts.retry_after;
    if (facts.differs != nullptr) {
        body["differs"] = boost::json::array(facts.differs->begin(), facts.differs->end());
    }
    Answer answer{.status = form.status,
                  .fields = {{"Content-Type", "application/problem+json"}},
                  .body = body::Bytes{boost::json::serialize(body)}};
    if (facts.retry_after) {
        answer.fields.push_back({"Retry-After", std::to_string(*facts.retry_after)});
    }
    return answer;
}

}  // namespace counterfoil::http
