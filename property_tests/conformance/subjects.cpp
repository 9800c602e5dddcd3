#include "conformance/subjects.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include <counterfoil/memory/store.hpp>
#include <counterfoil/sqlite/store.hpp>

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
    SqliteSubject() {
        std::string name = (std::filesystem::temp_directory_path() / "conformance-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
        folder_ = name;
    }

    ~SqliteSubject() override {
        store_.reset();
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    SqliteSubject(const SqliteSubject&) = delete;
    SqliteSubject& operator=(const SqliteSubject&) = delete;

    [[nodiscard]] std::vector<Ability> abilities() const override {
        return {Ability::two_sessions, Ability::threads, Ability::reopen};
    }

    void make_empty() override {
        store_.reset();
        for (const char* name : {"store.db", "store.db-wal", "store.db-shm"}) {
            std::filesystem::remove(folder_ / name);
        }
        reopen();
    }

    [[nodiscard]] std::unique_ptr<Session> session() override { return store_->session(); }

    void reopen() override {
        store_.reset();
        sqlite::Settings settings;
        settings.durability = sqlite::Durability::off;
        settings.connections = testing::most_sessions;
        store_ = std::make_unique<sqlite::Store>(folder_ / "store.db", setup(), settings);
    }

private:
    std::filesystem::path folder_;
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
