// Requests that arrive again, decided by the core alone. The map stands for your database, the
// constant for your clock, and what is printed for your answer.
#include <iostream>
#include <map>

#include <counterfoil/describe.hpp>
#include <counterfoil/judge.hpp>
#include <counterfoil/settle.hpp>

using namespace counterfoil;

int main() {
    const ServiceBounds bounds{.client_retry_window = std::chrono::hours{1},
                               .handler_budget = std::chrono::seconds{10}};
    const Policy policy = validate(PolicyFigures{}, bounds).value();
    const Instant now{std::chrono::seconds{1'764'547'200}};
    Fingerprinter fingerprinter;
    std::map<Scope, Receipt> receipts;
    const auto handle = [&](const char* tenant, const char* key, const char* body) {
        const Scope scope{parse_tenant(tenant).value(), parse_operation("create_order").value(),
                          parse_key(key).value()};
        const auto request = make_request(scope, intent::Json{body}, policy, fingerprinter).value();
        const auto at = receipts.find(scope);
        const auto found = at == receipts.end() ? std::nullopt : std::optional{at->second};
        const Verdict verdict = judge(request, found, now, policy);
        std::cout << tenant << '/' << key << ' ' << body << "\n  " << describe(verdict) << '\n';
        if (const auto* create = std::get_if<verdict::Create>(&verdict)) {
            const Answer answer{201, {}, body::Bytes{R"({"order_id":1})"}, {}};  // the work itself
            const auto done =
                complete(create->receipt, create->permit(), {.answer = answer}, now, policy);
            receipts.insert_or_assign(scope, std::get<settled::Completed>(done).write.receipt);
        }
    };
    handle("A", "key-1", R"({"sku":"tea","quantity":1})");    // create
    handle("A", "key-1", R"({"quantity":1.0,"sku":"tea"})");  // replay: the same value, spelt anew
    handle("A", "key-1", R"({"sku":"tea","quantity":2})");    // conflict: another request's key
    handle("B", "key-1", R"({"sku":"tea","quantity":1})");    // create: another tenant's own key
}
