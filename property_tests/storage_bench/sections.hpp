#pragma once

#include <filesystem>
#include <utility>

#include <counterfoil/sqlite/store.hpp>

#include "rounds.hpp"
#include "shop.hpp"

namespace storage_bench {

/// A folder that goes with its files.
class Scratch {
public:
    explicit Scratch(const std::filesystem::path& parent);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

/// A store on a file, and the ways in which it is asked.
struct Ours {
    Ours(const std::filesystem::path& file, counterfoil::sqlite::Durability durability)
        : Ours{file, Shop::settings(durability)} {}

    Ours(const std::filesystem::path& file, counterfoil::sqlite::Settings settings)
        : store{file, {.policies = Shop::policies()}, std::move(settings)} {}

    void create(const counterfoil::Scope& scope);
    void claim_and_complete(const counterfoil::Scope& scope);
    void submit(const counterfoil::Scope& scope, const std::string& body);

    counterfoil::sqlite::Store store;
};

[[nodiscard]] bool before(Deadline deadline);

/// Creates until the deadline, each with a new key.
[[nodiscard]] std::function<std::uint64_t(Deadline)> our_creates(Ours& ours, Shop& shop);

// Each prints tables of its own.
void create_full(const Scratch& scratch);
void create_off(const Scratch& scratch);
void claims_full(const Scratch& scratch);
void claims_off(const Scratch& scratch);
void attempts(const Scratch& scratch);
void replay_at(const Scratch& scratch, std::int64_t receipts);
void threads(const Scratch& scratch);
void growth(const Scratch& scratch);
void purge(const Scratch& scratch);
void held_reader(const Scratch& scratch);

}  // namespace storage_bench
