#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <counterfoil/instant.hpp>

namespace order_service {

/// What is written of a request: who, what, how it ended. No body, no key, no token, no query.
struct AccessLine {
    counterfoil::Instant time{};
    std::string_view request_id{};
    std::string_view peer{};
    std::string_view tenant{};  ///< empty where nobody was let in
    std::string_view method{};  ///< empty, as the path, of what was no request
    std::string_view path{};
    int status{};
    std::size_t bytes{};  ///< of the answer's body, as it is sent
    std::int64_t duration_us{};
    std::string_view idempotency_status{};
};

/// The line as a JSON object, with its LF. What is empty is left out. Of the path, bytes other than
/// visible ASCII are percent-encoded, and what is behind its first 1024 bytes is cut off.
///
/// ```json
/// {"time":"2026-12-01T09:30:00.000000Z","request_id":"5f1c-1","peer":"127.0.0.1:50312",
///  "tenant":"acme","method":"POST","path":"/orders","status":201,"bytes":33,"duration_us":812,
///  "idempotency_status":"created"}
/// ```
[[nodiscard]] std::string line_of(const AccessLine& line);

/// Where the lines go. Each is handed to the kernel whole and at once, so that those of several
/// threads, and in a file those of several processes, don't mix.
///
/// Threads: any.
class AccessLog {
public:
    /// Writes nothing.
    AccessLog();
    /// Writes to the standard error.
    [[nodiscard]] static AccessLog to_standard_error();
    /// Writes behind what is in the file, which is made, for its owner alone, if there is none.
    ///
    /// Errors: std::system_error.
    [[nodiscard]] static AccessLog to_file(const std::filesystem::path& file);

    AccessLog(AccessLog&&) noexcept;
    AccessLog(const AccessLog&) = delete;
    AccessLog& operator=(const AccessLog&) = delete;
    AccessLog& operator=(AccessLog&&) = delete;
    ~AccessLog();

    /// A line that can't be written is lost: no request fails by its log.
    void write(const AccessLine& line) noexcept;

private:
    class Output;
    explicit AccessLog(std::unique_ptr<Output> output);
    std::unique_ptr<Output> output_;
};

}  // namespace order_service
