#include "problem.hpp"

#include <boost/json.hpp>

namespace order_service {

counterfoil::Answer problem(int status, std::string_view title, std::string_view detail) {
    boost::json::object document{{"type", "about:blank"}, {"title", title}, {"status", status}};
    if (!detail.empty()) document.emplace("detail", detail);
    return {.status = status,
            .fields = {{"Content-Type", "application/problem+json"}},
            .body = counterfoil::body::Bytes{boost::json::serialize(document)}};
}

}  // namespace order_service
