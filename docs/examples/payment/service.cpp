#include "service.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <boost/json.hpp>
#include <counterfoil/downstream_key.hpp>
#include <counterfoil/intent.hpp>
#include <counterfoil/overloaded.hpp>
#include <counterfoil/receipt.hpp>
#include <counterfoil/sqlite/guest.hpp>
#include <counterfoil/store/claim_reply.hpp>
#include <counterfoil/store/store_error.hpp>

namespace payments {

namespace {

namespace cf = counterfoil;
namespace json = boost::json;

cf::Answer answer(int status, const json::value& body) {
    return {.status = status,
            .fields = {{"Content-Type", "application/json"}},
            .body = cf::body::Bytes{json::serialize(body)}};
}

cf::Answer error(int status, std::string_view what) {
    return answer(status, json::object{{"error", what}});
}

cf::Answer answer_of(ProviderStatus status, const std::string& key, const Money& money) {
    switch (status) {
        case ProviderStatus::succeeded: {
            cf::Answer charged = answer(
                201, {{"charge", key}, {"amount", money.amount}, {"currency", money.currency}});
            charged.reference = key;
            return charged;
        }
        case ProviderStatus::refused: return error(402, "refused");
    }
    return error(500, "unknown");
}

/// A charge has a row, and a refusal none. The table's own key is the last defence: a second row of
/// one charge is an error, and the transaction is rolled back.
void write_row(const cf::sqlite::Transaction& rows, ProviderStatus status, const cf::Scope& scope,
               const std::string& key, const Money& money) {
    if (status == ProviderStatus::refused) return;
    SQLite::Statement& insert = rows.statement(
        "INSERT INTO charges (key, tenant, operation, client_key, amount, currency) "
        "VALUES (?, ?, ?, ?, ?, ?)");
    insert.bindNoCopy(1, key);
    insert.bindNoCopy(2, scope.tenant.text());
    insert.bindNoCopy(3, scope.operation.text());
    insert.bindNoCopy(4, scope.key.text());
    insert.bindNoCopy(5, money.amount);
    insert.bindNoCopy(6, money.currency);
    insert.exec();
}

cf::sqlite::Settings with_table(cf::sqlite::Durability durability) {
    cf::sqlite::Settings settings;
    settings.durability = durability;
    settings.attempts.emplace();
    settings.on_connect = [](SQLite::Database& rows) {
        rows.exec(
            "CREATE TABLE IF NOT EXISTS charges (key TEXT PRIMARY KEY, tenant TEXT NOT NULL, "
            "operation TEXT NOT NULL, client_key TEXT NOT NULL, amount TEXT NOT NULL, "
            "currency TEXT NOT NULL) STRICT");
    };
    return settings;
}

Told retry_later(int status, std::string_view what, std::string by, cf::Span after) {
    cf::Answer later = error(status, what);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(after);
    later.fields.push_back(
        {"Retry-After", std::to_string(std::max<std::int64_t>(seconds.count(), 1))});
    return {std::move(later), std::move(by)};
}

Told told(const cf::ClaimReply& reply) {
    const std::string by{cf::word(reply)};
    const auto refused = [&](int status) { return Told{error(status, by), by}; };
    return std::visit(cf::overloaded{
                          [&](const cf::reply::Claimed&) { return refused(500); },
                          [&](const cf::verdict::Replay& replay) {
                              return Told{replay.answer, by};
                          },
                          [&](const cf::verdict::Conflict&) { return refused(422); },
                          [&](const cf::verdict::InProgress& held) {
                              return retry_later(409, by, by, held.retry_after);
                          },
                          [&](const cf::verdict::Unknown&) { return refused(409); },
                          [&](const cf::verdict::Expired&) { return refused(410); },
                          [&](const cf::verdict::Incomparable&) { return refused(500); },
                          [&](const cf::reply::NotAdmitted& not_admitted) {
                              const cf::admission::Refused& by_whom = not_admitted.refused;
                              const bool spent =
                                  by_whom.ground == cf::admission::Ground::budget_spent;
                              return retry_later(spent ? 429 : 503, by, by, by_whom.retry_after);
                          },
                          [&](const cf::reply::Unreadable&) { return refused(400); },
                      },
                      reply);
}

/// What was about to be done, for whoever has to find out whether it was.
std::optional<cf::Checkpoint> reached(const cf::Receipt& receipt) {
    if (const auto* held = std::get_if<cf::state::InProgress>(&receipt.state)) {
        return held->checkpoint;
    }
    if (const auto* unknown = std::get_if<cf::state::Unknown>(&receipt.state)) {
        return unknown->checkpoint;
    }
    return std::nullopt;
}

/// What the provider's log says of a key; nothing where it says nothing. One line that succeeded is
/// enough.
std::optional<ProviderStatus> status_of(const std::string& key, const cf::ProviderLog& log) {
    std::optional<ProviderStatus> status;
    for (const cf::ProviderEntry& entry : log.entries) {
        if (entry.key != key) continue;
        if (entry.standing == cf::Standing::applied) return ProviderStatus::succeeded;
        status = ProviderStatus::refused;
    }
    return status;
}

bool is_whole(const cf::ProviderLog& log) {
    return log.faults.empty() && !log.unreadable;
}

}  // namespace

PaymentService::PaymentService(const std::filesystem::path& file, ServiceSettings settings)
    : settings_{std::move(settings)},
      provider_{settings_.provider, settings_.patience},
      store_{file,
             {.policies = settings_.policies, .clock = settings_.clock},
             with_table(settings_.durability)} {}

Told PaymentService::pay(const Request& request, const cf::Wait& wait) {
    const auto refused = [](int status, std::string_view what) {
        return Told{error(status, what), "refused_at_once"};
    };
    if (request.operation != "charge" && request.operation != "transfer") {
        return refused(404, "unknown_operation");
    }
    if (!request.key) return refused(400, "key_required");
    const auto operation = cf::parse_operation(request.operation);
    const auto tenant = cf::parse_tenant(request.tenant);
    const auto key =
        cf::parse_key(*request.key, store_.policies().policy_for(*operation)->key_rules);
    if (!tenant || !key) return refused(400, "invalid_key");
    const std::optional<Money> money = parse_money(request.body);
    if (!money) return refused(400, "invalid_body");

    try {
        at(Step::before_claim);
        const cf::ClaimReply reply =
            store_.claim({cf::Scope{*tenant, *operation, *key}, cf::intent::Bytes{request.body},
                          request.request_id},
                         wait);
        const auto* claimed = std::get_if<cf::reply::Claimed>(&reply);
        if (claimed == nullptr) return told(reply);
        return charge(Claim{store_, *claimed, request.request_id}, *money);
    } catch (const cf::StoreError& fault) {
        return {error(503, cf::word(fault.fault())), std::string{cf::word(fault.fault())}};
    } catch (const SQLite::Exception&) {
        return {error(503, "unavailable"), "unavailable"};  // a statement on the rows failed
    }
}

Told PaymentService::charge(Claim claim, const Money& money) {
    try {
        return call(claim, money);
    } catch (...) {
        // Otherwise it is abandoned as it goes: released where nothing had begun, else unknown.
        if (claim.is_held() && policy_of(claim)->on_lapse == cf::OnLapse::take_over) {
            claim.leave_to_lapse();
        }
        throw;
    }
}

Told PaymentService::call(Claim& claim, const Money& money) {
    at(Step::claimed);
    std::optional<ProviderCall> call = provider_.call();
    if (!call) return away(claim);

    const auto calling =
        cf::parse_checkpoint("calling", to_json(money), policy_of(claim)->max_note_bytes);
    const cf::Checkpointing noted = claim.checkpoint(*calling);
    if (!claim.is_held()) return {error(409, "overtaken"), std::string{cf::word(noted)}};
    at(Step::checkpointed);

    call->send(claim.downstream_key(), money);
    at(Step::sent);
    const std::optional<ProviderStatus> status = call->answer();
    if (!status) {
        leave(claim);
        return retry_later(504, "no_answer", "no_answer", policy_of(claim)->lease);
    }
    at(Step::charged);
    return complete(claim, money, *status);
}

Told PaymentService::complete(Claim& claim, const Money& money, ProviderStatus status) {
    const std::string by = claim.claimed().attempt > 1 ? "take_over" : "create";
    const cf::Scope& scope = claim.claimed().permit.scope;
    const std::string key = claim.downstream_key();
    const cf::CompleteReply ended = claim.complete([&](const cf::sqlite::Transaction& rows) {
        write_row(rows, status, scope, key, money);
        at(Step::row_written);
        return answer_of(status, key, money);
    });
    at(Step::completed);
    if (const auto* kept = std::get_if<cf::reply::Ended>(&ended)) return {kept->answer, by};
    return {error(409, "overtaken"), std::string{cf::word(ended)}};
}

/// Nobody listens, so this attempt has not charged; one before it may have.
Told PaymentService::away(Claim& claim) {
    if (claim.claimed().attempt > 1) {
        leave(claim);
    } else {
        static_cast<void>(claim.release());
    }
    return retry_later(503, "provider_away", "provider_away", cf::Span{});
}

/// The provider may have charged: the next equal request takes over and finds out, or somebody
/// reads the provider's log.
void PaymentService::leave(Claim& claim) {
    switch (policy_of(claim)->on_lapse) {
        case cf::OnLapse::take_over: claim.leave_to_lapse(); return;
        case cf::OnLapse::unknown: static_cast<void>(claim.mark_unknown()); return;
    }
}

const cf::Policy& PaymentService::policy_of(const Claim& claim) const {
    return store_.policies().policy_for(claim.claimed().permit.scope.operation);
}

cf::Resolving PaymentService::rule(const cf::Scope& scope, const cf::ProviderLog& log,
                                   const std::string& by) {
    const std::optional<cf::Receipt> receipt = store_.find(scope);
    if (!receipt) return cf::refusal::Lost{};
    const cf::Permit permit{scope, receipt->fence};
    if (const auto refused = cf::refusal_of(receipt, permit)) {
        return std::visit([](const auto& why) { return cf::Resolving{why}; }, *refused);
    }
    const std::string key = cf::downstream_key(scope, receipt->created_at, scope.operation.text());
    const std::optional<ProviderStatus> status = status_of(key, log);
    if (status != ProviderStatus::succeeded && !is_whole(log)) {
        throw std::runtime_error{"a line that can't be read may be a charge of " + key};
    }
    const std::optional<cf::Checkpoint> step = reached(*receipt);
    const std::optional<Money> money = step ? parse_money(step->note()) : std::nullopt;
    if (status && !money) throw std::runtime_error{key + " was called, and no sum was noted"};

    const cf::Ruling ruling = status
                                  ? cf::Ruling{cf::ruling::Applied{answer_of(*status, key, *money)}}
                                  : cf::Ruling{cf::ruling::NotApplied{}};
    const std::string evidence = std::string{"the provider's log says "} +
                                 (status ? std::string{word(*status)} : std::string{"nothing"}) +
                                 " of " + key;
    std::optional<cf::Resolving> resolved;
    store_.write([&](const cf::sqlite::Transaction& rows) {
        cf::sqlite::Guest receipts{rows.database(),
                                   {.policies = settings_.policies, .clock = settings_.clock}};
        resolved = receipts.resolve(permit, {ruling, by, evidence});
        if (status && std::holds_alternative<cf::settled::ResolvedApplied>(*resolved)) {
            write_row(rows, *status, scope, key, *money);
        }
    });
    return *std::move(resolved);
}

std::int64_t PaymentService::rows() {
    std::int64_t count = 0;
    store_.write([&](const cf::sqlite::Transaction& rows) {
        count = rows.database().execAndGet("SELECT count(*) FROM charges").getInt64();
    });
    return count;
}

void PaymentService::at(Step step) const {
    if (settings_.on_step) settings_.on_step(step);
}

cf::Scope scope_of(std::string_view tenant, std::string_view operation, std::string_view key) {
    return {*cf::parse_tenant(tenant), *cf::parse_operation(operation), *cf::parse_key(key)};
}

std::string body_of(const cf::Answer& answer) {
    const auto* bytes = std::get_if<cf::body::Bytes>(&answer.body);
    return bytes != nullptr ? bytes->bytes : std::string{};
}

}  // namespace payments
