#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/answer.hpp>
#include <counterfoil/names.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/request.hpp>
#include <counterfoil/store/clock.hpp>
#include <counterfoil/store/reply.hpp>
#include <counterfoil/store/store_error.hpp>

// What the tests of the SQLite store share.
namespace counterfoil::kit {

/// A directory of a test's own, which goes with all that is in it.
class Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] std::filesystem::path file(std::string_view name = "receipts.db") const {
        return directory_ / name;
    }

private:
    std::filesystem::path directory_;
};

/// A clock that stands until it is moved.
class HandClock final : public Clock {
public:
    [[nodiscard]] Instant now() override { return Instant{Span{now_us_.load()}}; }

    void set(std::int64_t us) { now_us_ = us; }

private:
    std::atomic<std::int64_t> now_us_{1'000};
};

/// The figures without bounds around them.
[[nodiscard]] PolicyBook book(PolicyFigures figures = {});

[[nodiscard]] Scope scope(std::string_view key, std::string_view operation = "create",
                          std::string_view tenant = "acme");

[[nodiscard]] Answer answer(int status, std::string_view body);

/// A request of the scope whose digest consists of this number.
[[nodiscard]] Request request(const Scope& scope, int digest = 1);

/// The body of the answer of a reply; its word where it has none.
[[nodiscard]] std::string told(const Reply& reply);

/// One value of the file, read by a connection of its own.
[[nodiscard]] std::int64_t number(const std::filesystem::path& file, std::string_view query);
[[nodiscard]] std::string text(const std::filesystem::path& file, std::string_view query);

/// Statements on the file, by a connection of their own.
void execute(const std::filesystem::path& file, std::string_view statements);

[[nodiscard]] std::string bytes_of(const std::filesystem::path& file);
void write_bytes(const std::filesystem::path& file, std::string_view bytes);

/// What a call throws: its fault, a colon and its text, `busy: …`; `nothing` where it returns.
template <class Call>
std::string fault_of(Call&& call) {
    try {
        call();
    } catch (const StoreError& error) {
        return std::string{word(error.fault())} + ": " + error.what();
    }
    return "nothing";
}

/// What is wrong with a file of the order lab: what integrity_check says, orders without their
/// receipt and completed receipts without their order, keys with two orders.
[[nodiscard]] std::vector<std::string> wrong_with_orders(const std::filesystem::path& file);

/// A figure from the environment, for longer runs; the default where there is none.
[[nodiscard]] std::uint64_t from_environment(const char* name, std::uint64_t otherwise);

}  // namespace counterfoil::kit
