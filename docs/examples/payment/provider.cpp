// provider SOCKET LOG [--mode MODE] [--dedupe on|off]
//
// A payment provider on a Unix socket, which does what it is told to do wrong. It says `ready` on
// its output once it can be called, and ends when its input does. A line is a JSON object:
//
//   {"key":"…","amount":"12.50","currency":"EUR"}  a call; answered {"status":"succeeded"} or
//                                                  {"status":"refused"}
//   {"mode":"silent"}, {"dedupe":"off"}            from the next call on; answered {"done":true}
//   {"let_go":true}                                answers now what came late so far
//
// | mode   | a call                                                     |
// |--------|------------------------------------------------------------|
// | answer | charges and answers                                        |
// | late   | charges, and answers when it is told to let go             |
// | silent | charges, and closes the connection without an answer       |
// | refuse | charges nothing, says so in its log, and answers           |
// | die    | ends the process at once, by SIGKILL, and charges nothing  |
//
// What it charges or refuses is in LOG, and on the disk, before anything else happens. Whether it
// recognises a key (--dedupe on) is not said by the mode; one that it recognises is answered as it
// was first, and makes no line.

#include <array>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <unistd.h>

#include "ledger.hpp"
#include "line_socket.hpp"
#include "money.hpp"

namespace {

namespace json = boost::json;

enum class Mode { answer, late, silent, refuse, die };

std::optional<Mode> mode_of(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, Mode>, 5> words{{{"answer", Mode::answer},
                                                                      {"late", Mode::late},
                                                                      {"silent", Mode::silent},
                                                                      {"refuse", Mode::refuse},
                                                                      {"die", Mode::die}}};
    for (const auto& [word, mode] : words) {
        if (word == text) return mode;
    }
    return std::nullopt;
}

std::optional<payments::Dedupe> dedupe_of(std::string_view text) {
    if (text == "on") return payments::Dedupe::on;
    if (text == "off") return payments::Dedupe::off;
    return std::nullopt;
}

/// How calls are treated.
struct Manners {
    Mode mode{Mode::answer};
    payments::Dedupe dedupe{payments::Dedupe::on};
};

constexpr std::string_view not_understood = R"({"error":"not_understood"})";
constexpr std::string_view done = R"({"done":true})";

/// Threads: any.
class Provider {
public:
    Provider(const std::string& log, Manners manners) : ledger_{log}, manners_{manners} {}

    /// What to answer to a line; nothing where the connection is to be closed instead.
    std::optional<std::string> answer_to(const std::string& line) {
        json::error_code fault;
        const json::value document = json::parse(line, fault);
        if (fault || !document.is_object()) return std::string{not_understood};
        const json::object& object = document.get_object();
        if (object.contains("let_go")) return let_go();
        const json::value* key = object.if_contains("key");
        if (key == nullptr) return told(object);
        const std::optional<payments::Money> money = payments::parse_money(line);
        if (!key->is_string() || !money) return std::string{not_understood};
        return called(std::string{key->get_string()}, *money);
    }

    /// Ends the process. No line is being written meanwhile.
    [[noreturn]] void end() {
        ledger_.close();
        std::_Exit(0);
    }

private:
    std::optional<std::string> called(const std::string& key, const payments::Money& money) {
        const auto [manners, turn] = now();
        if (manners.mode == Mode::die) ::kill(::getpid(), SIGKILL);
        const payments::ProviderStatus status =
            ledger_.enter(key, money,
                          manners.mode == Mode::refuse ? payments::ProviderStatus::refused
                                                       : payments::ProviderStatus::succeeded,
                          manners.dedupe);
        if (manners.mode == Mode::silent) return std::nullopt;
        if (manners.mode == Mode::late) wait_to_be_let_go(turn);
        return R"({"status":")" + std::string{payments::word(status)} + "\"}";
    }

    std::string told(const json::object& object) {
        Manners changed = now().first;
        for (const auto& [member, value] : object) {
            const std::string_view text =
                value.is_string() ? std::string_view{value.get_string()} : std::string_view{};
            const std::optional<Mode> mode = mode_of(text);
            const std::optional<payments::Dedupe> dedupe = dedupe_of(text);
            if (member == "mode" && mode) {
                changed.mode = *mode;
            } else if (member == "dedupe" && dedupe) {
                changed.dedupe = *dedupe;
            } else {
                return std::string{not_understood};
            }
        }
        const std::lock_guard lock{mutex_};
        manners_ = changed;
        return std::string{done};
    }

    std::string let_go() {
        const std::lock_guard lock{mutex_};
        ++turns_;
        next_turn_.notify_all();
        return std::string{done};
    }

    std::pair<Manners, std::uint64_t> now() {
        const std::lock_guard lock{mutex_};
        return {manners_, turns_};
    }

    void wait_to_be_let_go(std::uint64_t turn) {
        std::unique_lock lock{mutex_};
        next_turn_.wait(lock, [&] { return turns_ != turn; });
    }

    payments::Ledger ledger_;
    std::mutex mutex_;
    std::condition_variable next_turn_;
    Manners manners_;
    std::uint64_t turns_{};  ///< how often it was told to let go
};

void serve(Provider& provider, payments::LineSocket client) {
    while (const std::optional<std::string> line = client.receive()) {
        const std::optional<std::string> answer = provider.answer_to(*line);
        if (!answer || !client.send(*answer)) return;
    }
}

void listen(Provider& provider, const payments::Listener& listener) {
    for (;;) {
        std::thread{[&provider, client = listener.accept()]() mutable {
            serve(provider, std::move(client));
        }}.detach();
    }
}

std::optional<Manners> manners_of(const std::vector<std::string>& options) {
    Manners manners;
    if (options.size() % 2 != 0) return std::nullopt;
    for (std::size_t at = 0; at < options.size(); at += 2) {
        const std::optional<Mode> mode = mode_of(options[at + 1]);
        const std::optional<payments::Dedupe> dedupe = dedupe_of(options[at + 1]);
        if (options[at] == "--mode" && mode) {
            manners.mode = *mode;
        } else if (options[at] == "--dedupe" && dedupe) {
            manners.dedupe = *dedupe;
        } else {
            return std::nullopt;
        }
    }
    return manners;
}

}  // namespace

int main(int count, char** given) {
    const std::vector<std::string> arguments(given, std::next(given, count));
    const std::optional<Manners> manners =
        count < 3 ? std::nullopt : manners_of({arguments.begin() + 3, arguments.end()});
    if (!manners) {
        std::cerr << "usage: provider SOCKET LOG [--mode answer|late|silent|refuse|die] "
                     "[--dedupe on|off]\n";
        return 2;
    }
    try {
        Provider provider{arguments[2], *manners};
        const payments::Listener listener{arguments[1]};
        std::thread{[&] { listen(provider, listener); }}.detach();
        std::cout << "ready" << std::endl;
        std::array<char, 64> ignored{};
        while (::read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) {
        }
        provider.end();
    } catch (const std::exception& error) {
        std::cerr << "provider: " << error.what() << '\n';
        return 4;
    }
}
