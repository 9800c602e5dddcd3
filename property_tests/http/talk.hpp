#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <counterfoil/http/adapter.hpp>
#include <counterfoil/memory/store.hpp>

namespace counterfoil::http {

/// A clock that stands where a test puts it.
class StandingClock final : public Clock {
public:
    [[nodiscard]] Instant now() override { return at; }

    Instant at{std::chrono::seconds{1'800'000'000}};
};

/// An adapter over a store in memory, with a route of each kind.
struct Talk {
    explicit Talk(Profile profile = Profile::standard(), PolicyFigures figures = {})
        : policies{validate(std::move(figures),
                            {.client_retry_window = Span{0}, .handler_budget = Span{0}})
                       .value()},
          store{{.policies = policies, .clock = &clock}},
          adapter{{.routes = routes(), .policies = policies, .profile = std::move(profile)}} {}

    static std::vector<Route> routes() {
        const auto operation = [](std::string_view name) { return parse_operation(name).value(); };
        return {
            {.path = "/orders", .operation = operation("order")},
            {.path = "/notes", .operation = operation("note"), .key = KeyNeed::optional},
            {.method = "PUT", .path = "/rates", .operation = operation("rate")},
            {.path = "/search", .operation = operation("search"), .key = KeyNeed::ignored},
        };
    }

    [[nodiscard]] static Request request(std::string_view method, std::string_view path,
                                         std::optional<std::string_view> key,
                                         std::string_view body) {
        Request made{.tenant = parse_tenant("acme").value(),
                     .method = method,
                     .path = path,
                     .body = body,
                     .request_id = "request-1"};
        if (key) made.fields.push_back({"idempotency-key", *key});
        return made;
    }

    [[nodiscard]] static Request post(std::string_view key, std::string_view body) {
        return request("POST", "/orders", key, body);
    }

    [[nodiscard]] Keyed keyed(std::string_view key) const {
        return std::get<Keyed>(adapter.receive(post(key, "{}")));
    }

    StandingClock clock;
    PolicyBook policies;
    memory::Store store;
    Adapter adapter;
};

/// The one value of a field; nothing where there is none.
inline std::optional<std::string> field(const Answer& answer, std::string_view name) {
    for (const Field& one : answer.fields) {
        if (one.name == name) return one.value;
    }
    return std::nullopt;
}

inline std::string text(const Answer& answer) {
    const auto* bytes = std::get_if<body::Bytes>(&answer.body);
    return bytes != nullptr ? bytes->bytes : std::string{};
}

}  // namespace counterfoil::http
