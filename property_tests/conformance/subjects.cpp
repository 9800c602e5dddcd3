#include "conformance/subjects.hpp"

#include <filesystem>
#include <memory>
#include <vector>

#include <counterfoil/memory/store.hpp>
#include <counterfoil/sqlite/store.hpp>

#include "stores/temporary_folder.hpp"

namespace counterfoil::conformance {

namespace {

using testing::Ability;

Setup setup() {
    return {.policies = PolicyBook{
                validate({}, {.client_retry_window = Span{0}, .handler_budget = Span{0}}).value()}};
}

class MemorySubject final : public testing::Subject {
public:
    [[nodiscard]] std::vector<Ability> abilities() const override {
        return {Ability::two_sessions, Ability::threads};
    }

    void make_empty() override { store_ = std::make_unique<memory::Store>(setup()); }

    [[nodiscard]] std::unique_ptr<Session> session() override { return store_->session(); }

private:
    std::unique_ptr<memory::Store> store_;
};

class SqliteSubject final : public testing::Subject {
public:
    [[nodiscard]] std::vector<Ability> abilities() const override {
        return {Ability::two_sessions, Ability::threads, Ability::reopen};
    }

    void make_empty() override {
        store_.reset();
        for (const char* name : {"store.db", "store.db-wal", "store.db-shm"}) {
            std::filesystem::remove(folder_.path() / name);
        }
        reopen();
    }

    [[nodiscard]] std::unique_ptr<Session> session() override { return store_->session(); }

    void reopen() override {
        store_.reset();
        sqlite::Settings settings;
        settings.durability = sqlite::Durability::off;
        settings.connections = testing::most_sessions;
        store_ = std::make_unique<sqlite::Store>(folder_.path() / "store.db", setup(), settings);
    }

private:
    TemporaryFolder folder_;
    std::unique_ptr<sqlite::Store> store_;
};

}  // namespace

std::unique_ptr<testing::Subject> memory_subject() {
    return std::make_unique<MemorySubject>();
}

std::unique_ptr<testing::Subject> sqlite_subject() {
    return std::make_unique<SqliteSubject>();
}

}  // namespace counterfoil::conformance
