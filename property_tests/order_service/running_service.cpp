#include "running_service.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

#include <sys/wait.h>

namespace order_service::kit {

namespace cf = counterfoil;
namespace fs = std::filesystem;

std::string order(std::string_view key, std::string_view body, std::string_view who) {
    std::vector<cf::Field> fields{{"Authorization", std::string{who}},
                                  {"Content-Type", "application/json"}};
    if (!key.empty()) fields.push_back({"Idempotency-Key", '"' + std::string{key} + '"'});
    return request("POST", "/orders", fields, body);
}

RunningService::RunningService(std::vector<std::string> flags) : flags_{std::move(flags)} {
    cf::kit::write_bytes(file("tokens"),
                         "anna-0123456789abcdef acme anna\n"
                         "bert-0123456789abcdef acme bert\n"
                         "zeta-0123456789abcdef zeta\n");
    fs::permissions(file("tokens"), fs::perms::owner_read);
    start();
}

void RunningService::start() {
    std::vector<std::string> words{
        COUNTERFOIL_ORDER_SERVICE,    "--db",     file().string(), "--tokens",
        file("tokens").string(),      "--listen", "127.0.0.1:0",   "--access-log",
        file("access.jsonl").string()};
    words.insert(words.end(), flags_.begin(), flags_.end());
    process_ = std::make_unique<payments::Child>(words);

    constexpr std::string_view beginning = "listening on 127.0.0.1:";
    const std::string line = process_->read_line().value_or("");
    if (!line.starts_with(beginning)) throw std::runtime_error{"it does not start: " + line};
    const std::string_view digits = std::string_view{line}.substr(beginning.size());
    std::from_chars(digits.begin(), digits.end(), port_);
}

std::optional<Received> RunningService::ask(std::string_view request) const {
    Client client{port_};
    client.send(request);
    return client.receive();
}

void RunningService::kill() {
    process_->kill();
    process_->wait();
}

std::int64_t RunningService::orders() const {
    return cf::kit::number(file(), "SELECT count(*) FROM orders");
}

std::int64_t RunningService::receipts() const {
    return cf::kit::number(file(), "SELECT count(*) FROM receipts");
}

int exit_code_of(std::vector<std::string> words) {
    words.insert(words.begin(), COUNTERFOIL_ORDER_SERVICE);
    payments::Child process{words};
    const int status = process.wait();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace order_service::kit
