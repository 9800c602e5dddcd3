#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "descriptor.hpp"

namespace payments {

/// A program that was started, whose input and output are here.
///
/// Threads: one at a time.
class Child {
public:
    /// Starts a program with its arguments.
    ///
    /// Errors: std::system_error.
    explicit Child(const std::vector<std::string>& words);

    /// Kills it where it still runs.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Writes to its input, and waits where it doesn't read. Nothing, where it is over.
    void write(std::string_view text) const;
    void end_input();

    /// The next line of its output, without the LF; nothing once there is no whole one any more.
    [[nodiscard]] std::optional<std::string> read_line();

    /// With SIGKILL.
    void kill() const;

    /// Asks it to end, with SIGTERM.
    void terminate() const;

    /// Ends its input, waits until it is over, and gives its status as waitpid() says it.
    int wait();

private:
    /// A pipe's, or what passes for one.
    struct Ends {
        Descriptor its;
        Descriptor ours;
    };

    static Ends made_input();
    static Ends made_output();

    Child(std::vector<std::string> words, Ends input, Ends output);

    pid_t process_;
    std::optional<Descriptor> input_;
    Descriptor output_;
    std::optional<int> status_;
    std::string unread_;
};

}  // namespace payments
