// The first judgement of somebody who has nothing but the installed core.
#include <cstdio>

#include <counterfoil/describe.hpp>
#include <counterfoil/judge.hpp>
#include <counterfoil/retention.hpp>
#include <counterfoil/settle.hpp>

namespace cf = counterfoil;

int main() {
    const auto policy = cf::validate(
        cf::PolicyFigures{},
        {.client_retry_window = std::chrono::hours{1}, .handler_budget = std::chrono::seconds{10}});
    const auto tenant = cf::parse_tenant("a");
    const auto operation = cf::parse_operation("create_order");
    const auto key = cf::parse_key("key-1");
    if (!policy || !tenant || !operation || !key) return 1;

    cf::Fingerprinter fingerprinter;
    const auto request = cf::make_request(
        {*tenant, *operation, *key}, cf::intent::Json{R"({"sku":"tea"})"}, *policy, fingerprinter);
    if (!request) return 1;
    const auto verdict = cf::judge(*request, std::nullopt, cf::Instant{}, *policy);
    std::puts(cf::describe(verdict).c_str());
    return std::holds_alternative<cf::verdict::Create>(verdict) ? 0 : 1;
}
