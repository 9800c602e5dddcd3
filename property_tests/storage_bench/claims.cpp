#include <cstdlib>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <counterfoil/store/clock.hpp>

#include "raw_orders.hpp"
#include "sections.hpp"

namespace storage_bench {

namespace {

namespace cf = counterfoil;
namespace fs = std::filesystem;
using cf::sqlite::Durability;

/// Does something with scope after scope until the deadline.
template <class Act>
Variant over_scopes(const std::string& name, Shop& shop, Act act) {
    return {name, [&shop, act](Deadline deadline) {
                std::uint64_t times = 0;
                for (; before(deadline); ++times) act(shop.next_scope());
                return times;
            }};
}

void claims(const Scratch& scratch, Durability durability, const std::string& synchronous) {
    const fs::path raw_file = scratch.file("raw-claims");
    { const Ours made{raw_file, durability}; }
    RawOrders raw{raw_file.string(), synchronous};
    Ours ours{scratch.file("our-claims"), durability};
    Shop raw_shop{Keys::random, 1};
    Shop our_shop{Keys::random, 2};
    const std::vector<Variant> variants{
        over_scopes("raw", raw_shop,
                    [&](const cf::Scope& scope) {
                        raw.claim_and_complete(Shop::receipt(scope, cf::system_clock().now()));
                    }),
        over_scopes("counterfoil", our_shop,
                    [&](const cf::Scope& scope) { ours.claim_and_complete(scope); })};
    print("claim and complete, synchronous=" + synchronous, variants, alternate(variants), 0);
}

}  // namespace

void Ours::claim_and_complete(const cf::Scope& scope) {
    const cf::ClaimReply reply = store.claim(Shop::request(scope));
    const auto* claimed = std::get_if<cf::reply::Claimed>(&reply);
    if (claimed == nullptr) std::abort();
    const cf::CompleteReply ended = store.complete(
        claimed->permit,
        [&](const cf::sqlite::Transaction& rows) { return Shop::place(rows, scope); });
    if (!std::holds_alternative<cf::reply::Ended>(ended)) std::abort();
}

void claims_full(const Scratch& scratch) {
    claims(scratch, Durability::full, "FULL");
}

void claims_off(const Scratch& scratch) {
    claims(scratch, Durability::off, "OFF");
}

void attempts(const Scratch& scratch) {
    cf::sqlite::Settings logging = Shop::settings(Durability::full);
    logging.attempts.emplace();
    Ours plain{scratch.file("no-log"), Durability::full};
    Ours logged{scratch.file("log"), logging};
    Shop plain_shop{Keys::random, 1};
    Shop logged_shop{Keys::random, 2};
    const std::vector<Variant> variants{
        over_scopes("no log", plain_shop, [&](const cf::Scope& scope) { plain.create(scope); }),
        over_scopes("a log of every call", logged_shop,
                    [&](const cf::Scope& scope) { logged.create(scope); })};
    print("create at synchronous=FULL, with a log of calls", variants, alternate(variants), 0);
}

}  // namespace storage_bench
