#include "child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace payments {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error{errno, std::generic_category(), what};
}

/// Starts a program with these as its input and output.
pid_t started(std::vector<std::string> words, int input, int output) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t process = ::fork();
    if (process < 0) fail("fork");
    if (process == 0) {
        // Nothing but calls that are safe between fork and exec.
        ::dup2(input, STDIN_FILENO);
        ::dup2(output, STDOUT_FILENO);
        ::execv(arguments.front(), arguments.data());
        ::_exit(127);
    }
    return process;
}

}  // namespace

/// Ends are not inherited by whatever is started next, or nobody would ever see the end of it.
///
/// Other than a pipe, a socket whose reader is gone can be written to without a signal.
Child::Ends Child::made_input() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
    return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

Child::Ends Child::made_output() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
    return {Descriptor{ends[1]}, Descriptor{ends[0]}};
}

Child::Child(const std::vector<std::string>& words) : Child{words, made_input(), made_output()} {}

Child::Child(std::vector<std::string> words, Ends input, Ends output)
    : process_{started(std::move(words), input.its.number(), output.its.number())},
      input_{std::move(input.ours)},
      output_{std::move(output.ours)} {}

Child::~Child() {
    if (status_) return;
    kill();
    wait();
}

void Child::write(std::string_view text) const {
    while (input_ && !text.empty()) {
        const ssize_t size = ::send(input_->number(), text.data(), text.size(), MSG_NOSIGNAL);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        text.remove_prefix(static_cast<std::size_t>(size));
    }
}

void Child::end_input() {
    input_.reset();
}

std::optional<std::string> Child::read_line() {
    std::size_t end = unread_.find('\n');
    while (end == std::string::npos) {
        std::array<char, 4'096> buffer{};
        const ssize_t size = ::read(output_.number(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return std::nullopt;
        unread_.append(buffer.data(), static_cast<std::size_t>(size));
        end = unread_.find('\n');
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return line;
}

void Child::kill() const {
    if (!status_) ::kill(process_, SIGKILL);
}

void Child::terminate() const {
    if (!status_) ::kill(process_, SIGTERM);
}

int Child::wait() {
    end_input();
    if (!status_) {
        int status = 0;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        status_ = status;
    }
    return *status_;
}

}  // namespace payments
