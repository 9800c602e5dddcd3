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

/// Its ends are not inherited by whatever is started next, or nobody would ever see the end of it.
std::pair<int, int> made_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
    return {ends[0], ends[1]};
}

/// For its input: other than a pipe, a socket whose reader is gone can be written to without a
/// signal.
std::pair<int, int> made_sockets() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
    return {ends[0], ends[1]};
}

}  // namespace

Child::Child(const std::vector<std::string>& words) {
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const auto [its_input, input] = made_sockets();
    const auto [output, its_output] = made_pipe();
    process_ = ::fork();
    if (process_ == 0) {
        // Nothing but calls that are safe between fork and exec.
        ::dup2(its_input, STDIN_FILENO);
        ::dup2(its_output, STDOUT_FILENO);
        ::execv(arguments.front(), arguments.data());
        ::_exit(127);
    }
    ::close(its_input);
    ::close(its_output);
    input_ = input;
    output_ = output;
    if (process_ < 0) fail("fork");
}

Child::~Child() {
    if (!status_) {
        kill();
        wait();
    }
    ::close(output_);
}

void Child::write(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t size = ::send(input_, text.data(), text.size(), MSG_NOSIGNAL);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        text.remove_prefix(static_cast<std::size_t>(size));
    }
}

void Child::end_input() {
    if (input_ >= 0) ::close(std::exchange(input_, -1));
}

std::optional<std::string> Child::read_line() {
    std::size_t end = unread_.find('\n');
    while (end == std::string::npos) {
        std::array<char, 4'096> buffer{};
        const ssize_t size = ::read(output_, buffer.data(), buffer.size());
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
