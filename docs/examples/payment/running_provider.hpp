#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <counterfoil/provider_log.hpp>

#include "child.hpp"
#include "ledger.hpp"

namespace payments {

/// The provider's program, running, for whoever tries the service out.
///
/// Threads: one at a time.
class RunningProvider {
public:
    /// Starts it on a socket and a log in this folder, and waits until it can be called.
    ///
    /// Errors: std::runtime_error where it doesn't start.
    RunningProvider(std::filesystem::path program, const std::filesystem::path& folder,
                    Dedupe dedupe);

    [[nodiscard]] const std::filesystem::path& socket() const { return socket_; }

    [[nodiscard]] const std::filesystem::path& log_file() const { return log_; }

    /// Tells it to treat calls otherwise from now on: `answer`, `late`, `silent`, `refuse`, `die`.
    ///
    /// Errors: std::runtime_error where it doesn't do as it is told.
    void mode(std::string_view mode) const;
    void dedupe(Dedupe dedupe);

    /// Has it answer what came late so far.
    void let_go() const;

    /// Ends it. What it was called to do by then, and has not written into its log, it never does.
    void stop();

    /// The same by SIGKILL, at whatever it is.
    void kill();

    /// Starts it again, where it is not running, on the same log. It answers.
    void start();

    /// Waits for it to end by itself.
    void wait_for_its_end();

    /// What its log says now.
    [[nodiscard]] counterfoil::ProviderLog log() const;

    /// How many lines of its log say that it charged.
    [[nodiscard]] std::int64_t charges() const;

private:
    void tell(const std::string& line) const;

    std::filesystem::path program_;
    std::filesystem::path socket_;
    std::filesystem::path log_;
    Dedupe dedupe_;
    std::unique_ptr<Child> process_;
};

}  // namespace payments
