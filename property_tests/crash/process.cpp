#include "crash/process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace counterfoil::kit {

namespace {

/// Its ends are not inherited by whatever is started next, or nobody would ever see the end of it.
std::array<int, 2> made_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error{errno, std::generic_category(), "pipe2"};
    }
    return ends;
}

[[noreturn]] void become(std::vector<std::string> words, int input, int output) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
}

}  // namespace

OrderRunner::OrderRunner(const Run& run) {
    const std::vector<std::string> words{
        COUNTERFOIL_ORDER_RUNNER,    run.file.string(),           run.prefix,
        std::to_string(run.count),   std::to_string(run.threads), run.shared ? "shared" : "own",
        std::to_string(run.quantity)};
    const std::array<int, 2> input = made_pipe();
    const std::array<int, 2> output = made_pipe();
    ::fcntl(output[1], F_SETPIPE_SZ, run.unread_bytes);
    process_ = ::fork();
    if (process_ == 0) become(words, input[0], output[1]);
    ::close(input[0]);
    ::close(output[1]);
    input_ = input[1];
    output_ = output[0];
}

OrderRunner::~OrderRunner() {
    if (status_ == -1) {
        kill();
        start();
        ::waitpid(process_, &status_, 0);
    }
    ::close(output_);
}

void OrderRunner::start() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
}

void OrderRunner::kill() {
    ::kill(process_, SIGKILL);
}

bool OrderRunner::read_some() {
    std::array<char, 4'096> buffer{};
    const ssize_t size = ::read(output_, buffer.data(), buffer.size());
    if (size > 0) text_.append(buffer.data(), static_cast<std::size_t>(size));
    return size > 0;
}

void OrderRunner::wait_for(std::size_t answers) {
    const auto acknowledged = [&] {
        return static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
    };
    while (acknowledged() < answers && read_some()) {
    }
}

std::vector<Acknowledged> OrderRunner::finished() {
    while (read_some()) {
    }
    start();
    ::waitpid(process_, &status_, 0);

    std::vector<Acknowledged> all;
    std::istringstream lines{text_};
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
        const std::size_t tab = line.find('\t');
        all.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    return all;
}

}  // namespace counterfoil::kit
