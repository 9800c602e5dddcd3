#include "ledger.hpp"

#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <boost/json.hpp>
#include <counterfoil/instant.hpp>
#include <counterfoil/provider_log.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace payments {

namespace {

namespace cf = counterfoil;

[[noreturn]] void fail(const char* what) {
    throw std::system_error{errno, std::generic_category(), what};
}

int opened(const std::filesystem::path& file) {
    constexpr mode_t owner_only = 0600;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): it is how a file is opened
    const int number = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, owner_only);
    if (number < 0) fail(file.c_str());
    return number;
}

std::string now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return cf::to_rfc3339(cf::Instant{std::chrono::duration_cast<cf::Span>(since)});
}

}  // namespace

std::string_view word(ProviderStatus which) {
    switch (which) {
        case ProviderStatus::succeeded: return "succeeded";
        case ProviderStatus::refused: return "refused";
    }
    return {};
}

Ledger::Ledger(const std::filesystem::path& file) : file_{opened(file)} {
    std::ifstream written{file, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{written}, {}};
    const std::size_t end = text.rfind('\n');
    text.resize(end == std::string::npos ? 0 : end + 1);
    if (::ftruncate(file_.number(), static_cast<off_t>(text.size())) != 0) fail("ftruncate");

    const cf::ProviderLog log = cf::read_provider_log(text, cf::LogForm::json_lines, {"succeeded"});
    if (!log.faults.empty()) {
        throw std::runtime_error{file.string() + ", line " +
                                 std::to_string(log.faults.front().line) + ": " +
                                 log.faults.front().detail};
    }
    for (const cf::ProviderEntry& entry : log.entries) {
        known_.emplace(entry.key, entry.standing == cf::Standing::applied
                                      ? ProviderStatus::succeeded
                                      : ProviderStatus::refused);
    }
}

ProviderStatus Ledger::enter(const std::string& key, const Money& money, ProviderStatus status,
                             Dedupe dedupe) {
    const std::lock_guard lock{mutex_};
    const auto known = known_.find(key);
    if (known != known_.end() && dedupe == Dedupe::on) return known->second;

    const std::string line = R"({"key":)" + boost::json::serialize(boost::json::string{key}) +
                             R"(,"status":")" + std::string{word(status)} + R"(","amount":)" +
                             money.amount + R"(,"currency":")" + money.currency + R"(","time":")" +
                             now() + "\"}\n";
    if (::write(file_.number(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
        fail("write");
    }
    if (::fsync(file_.number()) != 0) fail("fsync");
    known_.emplace(key, status);
    return status;
}

}  // namespace payments
