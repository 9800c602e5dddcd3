#include "access_log.hpp"

#include <cerrno>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>

#include <boost/json.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace order_service {

namespace {

constexpr std::size_t longest_path = 1'024;

/// JSON is UTF-8, which a path need not be.
std::string visible(std::string_view path) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    for (const char byte : path.substr(0, longest_path)) {
        if (byte >= '!' && byte <= '~') {
            text.push_back(byte);
            continue;
        }
        const auto value = static_cast<unsigned char>(byte);
        text.append({'%', digits[value >> 4U], digits[value & 0xFU]});
    }
    return text;
}

}  // namespace

std::string line_of(const AccessLine& line) {
    boost::json::object document{{"time", counterfoil::to_rfc3339(line.time)}};
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) document.emplace(name, value);
    };
    add("request_id", line.request_id);
    add("peer", line.peer);
    add("tenant", line.tenant);
    add("method", line.method);
    add("path", visible(line.path));
    document.emplace("status", line.status);
    document.emplace("bytes", line.bytes);
    document.emplace("duration_us", line.duration_us);
    add("idempotency_status", line.idempotency_status);
    return boost::json::serialize(document) + '\n';
}

class AccessLog::Output {
public:
    /// Whose the descriptor is says who closes it.
    enum class Owner { we, somebody_else };

    Output(int descriptor, Owner owner) : descriptor_{descriptor}, owner_{owner} {}

    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    ~Output() {
        if (owner_ == Owner::we) ::close(descriptor_);
    }

    void write(std::string_view text) {
        const std::scoped_lock lock{mutex_};
        while (!text.empty()) {
            const ssize_t size = ::write(descriptor_, text.data(), text.size());
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(size));
        }
    }

private:
    // A pipe may take a line in parts; between them nobody else writes.
    std::mutex mutex_;
    int descriptor_;
    Owner owner_;
};

AccessLog::AccessLog() = default;

AccessLog::AccessLog(std::unique_ptr<Output> output) : output_{std::move(output)} {}

AccessLog::AccessLog(AccessLog&&) noexcept = default;
AccessLog::~AccessLog() = default;

AccessLog AccessLog::to_standard_error() {
    return AccessLog{std::make_unique<Output>(STDERR_FILENO, Output::Owner::somebody_else)};
}

AccessLog AccessLog::to_file(const std::filesystem::path& file) {
    constexpr int owner_only = 0600;
    constexpr int how = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how POSIX declares it
    const int descriptor = ::open(file.c_str(), how, owner_only);
    if (descriptor < 0) throw std::system_error{errno, std::generic_category(), file.string()};
    return AccessLog{std::make_unique<Output>(descriptor, Output::Owner::we)};
}

void AccessLog::write(const AccessLine& line) noexcept {
    if (!output_) return;
    try {
        output_->write(line_of(line));
    } catch (const std::exception&) {
        return;  // no memory for a line is no reason to refuse the request
    }
}

}  // namespace order_service
