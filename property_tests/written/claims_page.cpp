#include "written/claims_page.hpp"

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

}  // namespace counterfoil::written
