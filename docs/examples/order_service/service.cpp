#include "service.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include <SQLiteCpp/Exception.h>
#include <boost/json.hpp>
#include <counterfoil/http/exchange.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/store/clock.hpp>
#include <counterfoil/store/store_error.hpp>

#include "message.hpp"
#include "problem.hpp"

namespace order_service {

namespace {

namespace cf = counterfoil;
namespace http = counterfoil::http;

constexpr std::string_view orders_path = "/orders";
constexpr std::string_view order_prefix = "/orders/";
constexpr std::string_view replay_field = "Idempotent-Replay";

cf::PolicyBook policies() {
    constexpr std::size_t longest_key = 128;
    cf::PolicyFigures figures;
    figures.key_rules.max_length = longest_key;
    return cf::PolicyBook{cf::validate(figures, {.client_retry_window = std::chrono::hours{24},
                                                 .handler_budget = std::chrono::seconds{10}})
                              .value()};
}

cf::sqlite::Settings store_settings(const ServiceSettings& settings) {
    return {.durability = settings.durability,
            .busy_timeout = settings.busy_timeout,
            .connections = settings.connections,
            .on_connect = make_table};
}

http::Settings adapter_settings() {
    return {.routes = {{.method = "POST",
                        .path = std::string{orders_path},
                        .operation = cf::parse_operation("create_order").value(),
                        .key = http::KeyNeed::required}},
            .policies = policies(),
            .replay_field = std::string{replay_field}};
}

/// So that ids of two runs differ.
std::string drawn_run_id() {
    constexpr int hexadecimal = 16;
    std::array<char, 8> digits{};
    const char* begin = digits.data();
    const auto number = std::random_device{}();
    const char* end = std::to_chars(digits.begin(), digits.end(), number, hexadecimal).ptr;
    return {begin, end};
}

cf::Answer json_answer(const boost::json::object& document) {
    return {.status = 200,
            .fields = {{"Content-Type", "application/json"}},
            .body = cf::body::Bytes{boost::json::serialize(document)}};
}

cf::Answer unavailable() {
    cf::Answer answer = problem(503, "The database can't be used");
    answer.fields.push_back({"Retry-After", "1"});
    return answer;
}

cf::Answer not_allowed(std::string_view allowed) {
    cf::Answer answer = problem(405, "This method is not allowed here");
    answer.fields.push_back({"Allow", std::string{allowed}});
    return answer;
}

cf::Answer not_let_in() {
    cf::Answer answer = problem(401, "A bearer token is needed");
    answer.fields.push_back({"WWW-Authenticate", "Bearer"});
    return answer;
}

bool reads(const Incoming& incoming) {
    return incoming.method == "GET" || incoming.method == "HEAD";
}

http::Request request_of(const Incoming& incoming, const Identity& who,
                         std::string_view request_id) {
    http::Request request{.tenant = who.tenant,
                          .method = incoming.method,
                          .path = path_of(incoming),
                          .query = query_of(incoming),
                          .request_id = request_id};
    if (incoming.body) request.body = *incoming.body;
    if (who.user) request.actor = *who.user;
    for (const cf::Field& field : incoming.fields) {
        request.fields.push_back({field.name, field.value});
    }
    return request;
}

/// The route needs a key; should anybody take that away, nothing is to happen unnoticed.
cf::Answer needs_a_key() {
    return problem(500, "The route of orders needs a key");
}

void add_counter(std::string& text, std::string_view name, std::string_view help,
                 std::uint64_t value) {
    text.append("# HELP order_service_").append(name).append(" ").append(help);
    text.append("\n# TYPE order_service_").append(name).append(" counter\n");
    text.append("order_service_")
        .append(name)
        .append(" ")
        .append(std::to_string(value))
        .append("\n");
}

}  // namespace

Service::Service(const ServiceSettings& settings, Tokens tokens, AccessLog log,
                 const ServerCounts& counts)
    : tokens_{std::move(tokens)},
      log_{std::move(log)},
      counts_{counts},
      without_counterfoil_{settings.without_counterfoil},
      stock_check_{settings.stock_check},
      run_id_{drawn_run_id()},
      store_{
          settings.file, {.policies = policies(), .observer = &metrics_}, store_settings(settings)},
      adapter_{adapter_settings()},
      reader_{settings.file, settings.busy_timeout} {}

cf::Answer Service::handle(const Incoming& incoming) {
    const auto begun = std::chrono::steady_clock::now();
    const cf::Instant time = cf::system_clock().now();
    Call call{.incoming = incoming, .request_id = next_request_id()};
    cf::Answer given = answer(call);

    const auto duration = std::chrono::steady_clock::now() - begun;
    const auto status = values_of(given.fields, adapter_.settings().status_field);
    log_.write({.time = time,
                .request_id = call.request_id,
                .peer = incoming.peer,
                .tenant = call.tenant,
                .method = incoming.method,
                .path = path_of(incoming),
                .status = given.status,
                .bytes = sent_bytes(given, incoming.method == "HEAD"),
                .duration_us = duration / std::chrono::microseconds{1},
                .idempotency_status = status.empty() ? std::string_view{} : status.front()});
    return given;
}

void Service::log_refusal(std::string_view peer, int status) {
    log_.write({.time = cf::system_clock().now(),
                .request_id = next_request_id(),
                .peer = peer,
                .status = status});
}

std::string Service::next_request_id() {
    return run_id_ + '-' + std::to_string(++requests_);
}

/// A store that fails is answered for by the adapter, whichever request met it.
cf::Answer Service::answer(Call& call) {
    const std::string_view path = path_of(call.incoming);
    try {
        if (!path.starts_with('/')) return problem(400, "The target is no path");
        if (path == orders_path || path.starts_with(order_prefix)) return answer_about_orders(call);
        if (path != "/healthz" && path != "/metrics") return problem(404, "There is nothing here");
        if (!reads(call.incoming)) return not_allowed("GET, HEAD");
        return path == "/healthz" ? health() : metrics();
    } catch (const cf::StoreError& error) {
        return adapter_.answer(error);
    } catch (const SQLite::Exception&) {
        return unavailable();  // a statement on the orders themselves; it was rolled back
    }
}

cf::Answer Service::answer_about_orders(Call& call) {
    const std::optional<std::string_view> token = bearer_token(call.incoming);
    const Identity* who = token ? tokens_.find(*token) : nullptr;
    if (who == nullptr) return not_let_in();
    call.tenant = who->tenant.text();

    const std::string_view path = path_of(call.incoming);
    if (path == orders_path) {
        return call.incoming.method == "POST" ? place(call, *who) : not_allowed("POST");
    }
    if (!reads(call.incoming)) return not_allowed("GET, HEAD");
    return show(path.substr(order_prefix.size()), *who);
}

/// What is no order is refused before the store is asked, so that nothing is written of it.
cf::Answer Service::place(const Call& call, const Identity& who) {
    const auto order = parse_order(call.incoming.body.value_or(""));
    if (!order) return problem(400, "This is no order", order.error());
    if (without_counterfoil_) return place_without_key(who, *order);
    const http::Request request = request_of(call.incoming, who, call.request_id);
    return stock_check_.count() == 0 ? place_once(request, who, *order)
                                     : place_claimed(request, who, *order);
}

cf::Answer Service::place_once(const http::Request& request, const Identity& who,
                               const Order& order) {
    return adapter_.respond(
        request,
        [&](const cf::Submission& submission) {
            return store_.once(submission, [&](const cf::sqlite::Transaction& rows) {
                return insert(rows, who, submission.scope.key, order);
            });
        },
        needs_a_key);
}

cf::Answer Service::place_claimed(const http::Request& request, const Identity& who,
                                  const Order& order) {
    http::Exchange exchange{adapter_, store_, request};
    if (const cf::Answer* ready = exchange.ready()) return *ready;
    if (exchange.claim() == nullptr) return exchange.end({.answer = needs_a_key()});

    std::this_thread::sleep_for(stock_check_);
    const cf::Key key = exchange.claim()->claimed().permit.scope.key;
    return exchange.end_with([&](const cf::sqlite::Transaction& rows) {
        return cf::Outcome{.answer = insert(rows, who, key, order)};
    });
}

cf::Answer Service::place_without_key(const Identity& who, const Order& order) {
    cf::Answer given;
    store_.write([&](const cf::sqlite::Transaction& rows) {
        given = insert(rows, who, std::nullopt, order);
    });
    return given;
}

cf::Answer Service::show(std::string_view id, const Identity& who) {
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(id.begin(), id.end(), number);
    const bool is_number = fault == std::errc{} && end == id.end();
    const std::optional<Order> order = is_number ? reader_.find(who.tenant, number) : std::nullopt;
    if (!order) return problem(404, "There is no such order");
    return json_answer({{"order_id", number},
                        {"status", "created"},
                        {"sku", order->sku},
                        {"quantity", order->quantity}});
}

cf::Answer Service::health() {
    reader_.probe();
    return json_answer({{"status", "ok"}});
}

cf::Answer Service::metrics() const {
    std::string text = cf::prometheus_text(metrics_.tallies());
    add_counter(text, "requests_total", "Requests, refused ones as well.", requests_);
    add_counter(text, "requests_refused_total", "What was no HTTP, or too large.", counts_.refused);
    add_counter(text, "requests_failed_total", "Requests whose handler threw.", counts_.failed);
    add_counter(text, "connections_total", "Connections that were accepted.", counts_.connections);
    add_counter(text, "connections_turned_away_total", "Connections beyond the limit.",
                counts_.turned_away);
    add_counter(text, "connections_cut_total", "Connections that took too long.", counts_.cut);
    return {.status = 200,
            .fields = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
            .body = cf::body::Bytes{std::move(text)}};
}

}  // namespace order_service
