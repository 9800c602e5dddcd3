// What stands between Boost.Beast and the HTTP adapter: two functions, and one in which they meet.
// The requests here come from no socket; the order service (../order_service) is a whole server.

#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <variant>

#include <boost/beast/http.hpp>
#include <counterfoil/http/adapter.hpp>
#include <counterfoil/memory/store.hpp>

namespace {

namespace beast = boost::beast::http;
namespace cf = counterfoil;

using Incoming = beast::request<beast::string_body>;
using Outgoing = beast::response<beast::string_body>;

/// Borrows from the message, but for the tenant.
cf::http::Request as_request(const Incoming& incoming, const cf::Tenant& tenant) {
    const std::string_view target = incoming.target();
    const auto mark = target.find('?');
    cf::http::Request request{
        .tenant = tenant, .method = incoming.method_string(), .path = target.substr(0, mark)};
    if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
    for (const auto& field : incoming) {
        request.fields.push_back({field.name_string(), field.value()});
    }
    if (incoming.has_content_length() || incoming.chunked()) request.body = incoming.body();
    return request;
}

Outgoing as_response(const cf::Answer& answer, const Incoming& incoming) {
    Outgoing outgoing;
    outgoing.version(incoming.version());
    outgoing.keep_alive(incoming.keep_alive());
    outgoing.result(static_cast<unsigned>(answer.status));
    for (const cf::Field& field : answer.fields) outgoing.insert(field.name, field.value);
    if (const auto* body = std::get_if<cf::body::Bytes>(&answer.body))
        outgoing.body() = body->bytes;
    outgoing.prepare_payload();
    return outgoing;
}

/// Answers a request of somebody who was let in as this tenant.
Outgoing respond(const cf::http::Adapter& adapter, cf::memory::Store& store,
                 const Incoming& incoming, const cf::Tenant& tenant) {
    const cf::Answer answer = adapter.respond(
        as_request(incoming, tenant),
        [&](const cf::Submission& submission) {
            return store.once(submission, [](cf::memory::Transaction&) {
                return cf::Answer{.status = 201,
                                  .fields = {{"Location", "/payments/1"}},
                                  .body = cf::body::Bytes{R"({"payment":1})"}};
            });
        },
        [] { return cf::Answer{.status = 404}; });
    return as_response(answer, incoming);
}

void send(std::string_view what, const cf::http::Adapter& adapter, cf::memory::Store& store,
          std::string_view key, std::string body) {
    Incoming incoming{beast::verb::post, "/payments", 11, std::move(body)};
    incoming.set(beast::field::content_type, "application/json");
    if (!key.empty()) incoming.set("Idempotency-Key", std::string{key});
    incoming.prepare_payload();
    const Outgoing outgoing = respond(adapter, store, incoming, cf::parse_tenant("acme").value());
    std::cout << what << ": " << outgoing.result_int() << ' '
              << std::string_view{outgoing["Idempotency-Status"]} << '\n';
}

}  // namespace

// What it throws ends it, as is meant.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main() {
    using std::chrono::hours;
    using std::chrono::seconds;
    const cf::PolicyBook policies{
        cf::validate({}, {.client_retry_window = hours{24}, .handler_budget = seconds{10}})
            .value()};
    const cf::http::Adapter adapter{
        {.routes = {{.path = "/payments", .operation = cf::parse_operation("pay").value()}},
         .policies = policies}};
    cf::memory::Store store{{.policies = policies}};

    send("first", adapter, store, "\"key-1\"", R"({"amount":"12.50"})");
    send("again", adapter, store, "\"key-1\"", R"({ "amount": "12.50" })");
    send("another amount", adapter, store, "\"key-1\"", R"({"amount":"99.00"})");
    send("no key", adapter, store, "", R"({"amount":"12.50"})");
}
