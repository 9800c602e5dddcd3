#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <counterfoil/intent.hpp>
#include <counterfoil/store/clock.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "raw_orders.hpp"
#include "sections.hpp"

namespace storage_bench {

namespace {

namespace cf = counterfoil;
namespace fs = std::filesystem;
using cf::sqlite::Durability;

std::string payment() {
    std::ifstream file{COUNTERFOIL_BENCH_BODIES "/payment_315B.json"};
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Does something with scope after scope until the deadline.
template <class Do>
std::uint64_t for_scopes(Shop& shop, Deadline deadline, Do&& act) {
    std::uint64_t times = 0;
    for (; before(deadline); ++times) act(shop.next_scope());
    return times;
}

std::function<std::uint64_t(Deadline)> raw_creates(RawOrders& raw, Shop& shop) {
    return [&](Deadline deadline) {
        return for_scopes(shop, deadline, [&](const cf::Scope& scope) {
            raw.create(Shop::receipt(scope, cf::system_clock().now()));
        });
    };
}

std::function<std::uint64_t(Deadline)> raw_creates_after_a_read(RawOrders& raw, Shop& shop) {
    return [&](Deadline deadline) {
        return for_scopes(shop, deadline, [&](const cf::Scope& scope) {
            raw.read_then_create(Shop::receipt(scope, cf::system_clock().now()));
        });
    };
}

Variant sync_loop(const fs::path& file) {
    return {"bare fdatasync", [file](Deadline deadline) {
                const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
                const std::string page(4'096, 'x');
                std::uint64_t times = 0;
                for (; before(deadline); ++times) {
                    if (::pwrite(descriptor, page.data(), page.size(), 0) < 0) std::abort();
                    ::fdatasync(descriptor);
                }
                ::close(descriptor);
                return times;
            }};
}

/// The peer's own rate: what it takes to start is not counted.
Variant python_peer(const fs::path& file, const std::string& synchronous) {
    const std::string command =
        "exec python3 " COUNTERFOIL_BENCH_PEER " '" + file.string() + "' " + synchronous + " ";
    return {"Python, sqlite3 module",
            [command](Deadline deadline) {
                const auto start = std::chrono::steady_clock::now();
                const std::chrono::duration<double> length = deadline - start;
                FILE* printed = ::popen((command + std::to_string(length.count())).c_str(), "r");
                double times = 0;
                double seconds = 0;
                if (printed == nullptr || std::fscanf(printed, "%lf %lf", &times, &seconds) != 2) {
                    std::abort();
                }
                ::pclose(printed);
                const std::chrono::duration<double> elapsed =
                    std::chrono::steady_clock::now() - start;
                return static_cast<std::uint64_t>(times / seconds * elapsed.count());
            },
            Variant::Process::another};
}

void creates(const Scratch& scratch, Durability durability, const std::string& synchronous) {
    const fs::path raw_file = scratch.file("raw-" + synchronous);
    const fs::path our_file = scratch.file("ours-" + synchronous);
    const fs::path full_file = scratch.file("fingerprinted-" + synchronous);
    { const Ours made{raw_file, durability}; }
    RawOrders raw{raw_file.string(), synchronous};
    Ours ours{our_file, durability};
    Ours fingerprinted{full_file, durability};
    Shop raw_shop{Keys::random, 1};
    Shop our_shop{Keys::random, 2};
    Shop full_shop{Keys::random, 3};
    const std::string body = payment();

    std::vector<Variant> variants{
        {"raw", raw_creates(raw, raw_shop)},
        {"counterfoil", our_creates(ours, our_shop)},
        {"counterfoil, 315 B fingerprinted",
         [&](Deadline deadline) {
             return for_scopes(full_shop, deadline,
                               [&](const cf::Scope& scope) { fingerprinted.submit(scope, body); });
         }},
        {"raw, a plain read first", raw_creates_after_a_read(raw, raw_shop)},
        {"bare insert", [&](Deadline deadline) {
             std::uint64_t times = 0;
             for (; before(deadline); ++times) raw.bare_insert();
             return times;
         }}};
    variants.push_back(python_peer(scratch.file("peer-" + synchronous), synchronous));
    if (durability == Durability::full) variants.push_back(sync_loop(scratch.file("sync")));
    print("create, synchronous=" + synchronous, variants, alternate(variants), 0);
}

}  // namespace

bool before(Deadline deadline) {
    return std::chrono::steady_clock::now() < deadline;
}

void Ours::create(const cf::Scope& scope) {
    store.once(Shop::request(scope),
               [&](const cf::sqlite::Transaction& rows) { return Shop::place(rows, scope); });
}

void Ours::submit(const cf::Scope& scope, const std::string& body) {
    store.once({scope, cf::intent::Json{body}},
               [&](const cf::sqlite::Transaction& rows) { return Shop::place(rows, scope); });
}

std::function<std::uint64_t(Deadline)> our_creates(Ours& ours, Shop& shop) {
    return [&](Deadline deadline) {
        return for_scopes(shop, deadline, [&](const cf::Scope& scope) { ours.create(scope); });
    };
}

void create_full(const Scratch& scratch) {
    creates(scratch, Durability::full, "FULL");
}

void create_off(const Scratch& scratch) {
    creates(scratch, Durability::off, "OFF");
}

void replay_at(const Scratch& scratch, std::int64_t receipts) {
    const fs::path file = scratch.file("replays-" + std::to_string(receipts));
    Shop::fill(file, receipts, Keys::random, cf::system_clock().now());
    Shop again{Keys::random, 7};
    std::vector<cf::Scope> scopes;
    for (std::int64_t i = 0; i < receipts; ++i) scopes.push_back(again.next_scope());
    std::shuffle(scopes.begin(), scopes.end(), std::mt19937_64{5});

    RawOrders raw{file.string(), "FULL"};
    Ours ours{file, Durability::full};
    std::vector<cf::Request> requests;
    requests.reserve(scopes.size());
    for (const cf::Scope& scope : scopes) requests.push_back(Shop::request(scope));
    const auto must_not_run = [](const cf::sqlite::Transaction&) -> cf::Answer { std::abort(); };
    const auto through = [&](auto ask) {
        return [&, ask, at = std::size_t{0}](Deadline deadline) mutable {
            std::uint64_t times = 0;
            for (; before(deadline); ++times) {
                ask(at);
                at = (at + 1) % requests.size();
            }
            return times;
        };
    };
    const std::vector<Variant> variants{
        {"raw", through([&](std::size_t at) { raw.replay(requests[at].scope); })},
        {"counterfoil",
         through([&](std::size_t at) { ours.store.once(requests[at], must_not_run); })}};
    print("replay, " + std::to_string(receipts) + " receipts", variants, alternate(variants), 0);
    fs::remove(file);
}

}  // namespace storage_bench
