#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <counterfoil/answer.hpp>
#include <counterfoil/names.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/provider_log.hpp>
#include <counterfoil/settle.hpp>
#include <counterfoil/sqlite/settings.hpp>
#include <counterfoil/sqlite/store.hpp>
#include <counterfoil/store/clock.hpp>
#include <counterfoil/store/held_claim.hpp>
#include <counterfoil/store/wait.hpp>

#include "money.hpp"
#include "provider_client.hpp"
#include "step.hpp"

namespace payments {

/// A request as a client sends it.
struct Request {
    std::string_view tenant;
    std::string_view operation;             ///< `charge` or `transfer`
    std::optional<std::string_view> key{};  ///< the client's; nothing where it sent none
    std::string_view body;                  ///< what parse_money() reads
    std::string_view request_id{};          ///< for the log of calls
};

/// What a client is told, and by what it came.
struct Told {
    counterfoil::Answer answer;
    std::string by;  ///< the verdict on the request, or the refusal of its end; `refused_at_once`
                     ///< where there was none
};

/// What a service is made of, beside its file.
struct ServiceSettings {
    counterfoil::PolicyBook policies;
    std::filesystem::path provider;             ///< its socket
    std::chrono::milliseconds patience{5'000};  ///< for the provider's answer
    counterfoil::Clock* clock{&counterfoil::system_clock()};
    std::function<void(Step)> on_step{};  ///< called at each; may be empty
    counterfoil::sqlite::Durability durability{counterfoil::sqlite::Durability::full};
};

/// Charges and transfers at a provider, each safe to retry: claim, note that the provider is about
/// to be called, call it by the claim's downstream key, complete with a row of the table `charges`.
///
/// | what comes                          | answer                                        | kept |
/// |-------------------------------------|-----------------------------------------------|------|
/// | no key                              | 400 `{"error":"key_required"}`                | no   |
/// | a bad name, or a body that is none  | 400 `{"error":"invalid_key"}`, `invalid_body` | no   |
/// | another operation                   | 404 `{"error":"unknown_operation"}`           | no   |
/// | a new key, and the provider charges | 201 `{"charge":…,"amount":…,"currency":…}`    | yes  |
/// | a new key, and it refuses           | 402 `{"error":"refused"}`                     | yes  |
/// | a new key, and it isn't there       | 503 `{"error":"provider_away"}`, and the key  | no   |
/// |                                     | is free                                       |      |
/// | a new key, and it doesn't answer    | 504 `{"error":"no_answer"}`, and the claim is | no   |
/// |                                     | left to its lease where the policy lets the   |      |
/// |                                     | next one take over, and else marked unknown   |      |
/// | a key whose receipt is completed    | the same answer, byte for byte                |      |
/// | a key of another body               | 422 `{"error":"conflict"}`                    |      |
/// | a key that is being worked on       | 409 `{"error":"in_progress"}`, Retry-After    |      |
/// | a key of which nobody knows         | 409 `{"error":"unknown"}`                     |      |
/// | a key whose answer was forgotten    | 410 `{"error":"expired"}`                     |      |
/// | an answer that comes too late       | 409 `{"error":"overtaken"}`                   |      |
/// | the database is busy or away        | 503 `{"error":"busy"}`, `unavailable`         |      |
///
/// Requests are equal whose bodies are, byte by byte (scheme `raw`).
///
/// Threads: any.
class PaymentService {
public:
    /// Errors: counterfoil::StoreError.
    PaymentService(const std::filesystem::path& file, ServiceSettings settings);

    /// `wait` is for a running twin, or for its lease to be over.
    [[nodiscard]] Told pay(const Request& request, const counterfoil::Wait& wait = {});

    /// Ends a payment of which nobody knows by what the provider's log says of its key: charged,
    /// and the row and the answer are what they would have been; refused, and so is the answer;
    /// nothing, and the key is free. The row, the receipt and the audit row are one transaction.
    ///
    /// Requires: the log is whole: nobody who worked on it can call the provider any more.
    /// Errors:   counterfoil::StoreError; SQLite::Exception; std::runtime_error where the log has a
    ///           key whose sum the receipt doesn't know, or no charge of the key and a line that
    ///           can't be read. Then nothing was written.
    [[nodiscard]] counterfoil::Resolving rule(const counterfoil::Scope& scope,
                                              const counterfoil::ProviderLog& log,
                                              const std::string& by);

    [[nodiscard]] std::int64_t rows();

    [[nodiscard]] counterfoil::sqlite::Store& store() { return store_; }

private:
    using Claim = counterfoil::HeldClaim<counterfoil::sqlite::Store>;

    Told charge(Claim claim, const Money& money);
    Told call(Claim& claim, const Money& money);
    Told complete(Claim& claim, const Money& money, ProviderStatus status);
    Told away(Claim& claim);
    void leave(Claim& claim);
    [[nodiscard]] const counterfoil::Policy& policy_of(const Claim& claim) const;
    void at(Step step) const;

    ServiceSettings settings_;
    ProviderClient provider_;
    counterfoil::sqlite::Store store_;
};

/// The scope of a request.
///
/// Requires: the names are names.
[[nodiscard]] counterfoil::Scope scope_of(std::string_view tenant, std::string_view operation,
                                          std::string_view key);

/// The body of an answer as text; empty where it has none.
[[nodiscard]] std::string body_of(const counterfoil::Answer& answer);

}  // namespace payments
