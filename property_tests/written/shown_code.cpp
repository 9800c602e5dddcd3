#include "written/shown_code.hpp"

#include "written/page.hpp"

namespace counterfoil::written {

std::optional<std::string> a_payment(const std::string& docs) {
    return functions_as_block(docs + "/examples/payment/service.cpp",
                              {"Told PaymentService::call(", "Told PaymentService::complete(",
                               "Told PaymentService::away(", "void PaymentService::leave("});
}

std::optional<std::string> a_ruling(const std::string& docs) {
    return functions_as_block(docs + "/examples/payment/service.cpp",
                              {"cf::Resolving PaymentService::rule("});
}

std::optional<std::string> a_long_run(const std::string& docs) {
    return functions_as_block(docs + "/examples/long_run/main.cpp",
                              {"std::size_t paid_by_then(", "bool pay_all("});
}

std::optional<std::string> a_gatekeeper(const std::string& docs) {
    return functions_as_block(
        docs + "/examples/admission/main.cpp",
        {"class Gatekeeper final : public Admitter ", "struct World ", "void create("});
}

std::optional<std::string> a_request_over_http(const std::string& docs) {
    return functions_as_block(
        docs + "/examples/beast/main.cpp",
        {"cf::http::Request as_request(", "Outgoing as_response(", "Outgoing respond("});
}

}  // namespace counterfoil::written
