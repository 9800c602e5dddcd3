#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace counterfoil::kit {

/// An answer that a process has written down before anything else happened to it.
struct Acknowledged {
    std::string key;
    std::string answer;  ///< status, space, body
};

/// What an order_runner is to do (order_runner.cpp).
struct Run {
    std::filesystem::path file;
    std::string prefix;
    int count{};
    int threads{1};
    bool shared{};
    int quantity{2};
    int unread_bytes{65'536};  ///< of answers, before it waits for somebody to read them
};

/// A process of order_runner, which has not begun yet.
class OrderRunner {
public:
    explicit OrderRunner(const Run& run);
    ~OrderRunner();
    OrderRunner(const OrderRunner&) = delete;
    OrderRunner& operator=(const OrderRunner&) = delete;

    void start();

    /// Waits until it has acknowledged so many answers, or is over.
    void wait_for(std::size_t answers);

    /// With SIGKILL.
    void kill();

    /// Waits until it is over, and gives the answers that it has acknowledged.
    [[nodiscard]] std::vector<Acknowledged> finished();

    /// As waitpid() says, once it is over.
    [[nodiscard]] int status() const { return status_; }

private:
    /// Takes what it has written by now, or waits for it; false once there is no more.
    bool read_some();

    std::string text_;
    pid_t process_{};
    int input_{};
    int output_{};
    int status_{-1};
};

}  // namespace counterfoil::kit
