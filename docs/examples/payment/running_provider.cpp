#include "running_provider.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "line_socket.hpp"

namespace payments {

namespace {

namespace cf = counterfoil;

std::string_view word(Dedupe dedupe) {
    switch (dedupe) {
        case Dedupe::off: return "off";
        case Dedupe::on: return "on";
    }
    return {};
}

}  // namespace

RunningProvider::RunningProvider(std::filesystem::path program, const std::filesystem::path& folder,
                                 Dedupe dedupe)
    : program_{std::move(program)},
      socket_{folder / "provider.socket"},
      log_{folder / "provider.jsonl"},
      dedupe_{dedupe} {
    start();
}

void RunningProvider::mode(std::string_view mode) const {
    tell(R"({"mode":")" + std::string{mode} + "\"}");
}

void RunningProvider::dedupe(Dedupe dedupe) {
    tell(R"({"dedupe":")" + std::string{word(dedupe)} + "\"}");
    dedupe_ = dedupe;
}

void RunningProvider::let_go() const {
    tell(R"({"let_go":true})");
}

void RunningProvider::stop() {
    process_->wait();
}

void RunningProvider::kill() {
    process_->kill();
    process_->wait();
}

void RunningProvider::start() {
    process_ = std::make_unique<Child>(std::vector<std::string>{program_.string(), socket_.string(),
                                                                log_.string(), "--dedupe",
                                                                std::string{word(dedupe_)}});
    if (process_->read_line() != "ready") {
        throw std::runtime_error{program_.string() + " does not start"};
    }
}

void RunningProvider::wait_for_its_end() {
    while (process_->read_line()) {
    }
    process_->wait();
}

cf::ProviderLog RunningProvider::log() const {
    std::ifstream file{log_, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    return cf::read_provider_log(text, cf::LogForm::json_lines, {"succeeded"});
}

std::int64_t RunningProvider::charges() const {
    const cf::ProviderLog said = log();
    return std::count_if(
        said.entries.begin(), said.entries.end(),
        [](const cf::ProviderEntry& entry) { return entry.standing == cf::Standing::applied; });
}

void RunningProvider::tell(const std::string& line) const {
    std::optional<LineSocket> provider = connect_to(socket_);
    if (!provider || !provider->send(line) || provider->receive() != R"({"done":true})") {
        throw std::runtime_error{"the provider did not do as it was told: " + line};
    }
}

}  // namespace payments
