// order_service --db FILE --tokens FILE [--listen 127.0.0.1:8080] …
//
// The order service as a program. It says `listening on ADDRESS:PORT` once it can be called, and
// ends when it gets SIGTERM or SIGINT and what it had begun is over.

#include <charconv>
#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <counterfoil/span_text.hpp>

#include "access_log.hpp"
#include "server.hpp"
#include "service.hpp"
#include "tokens.hpp"

namespace {

namespace cf = counterfoil;
using cf::sqlite::Durability;
using order_service::Service;

/// What the program ends with. *Scripts rely on it; never renumber.*
enum Exit : int {
    stopped = 0,
    wrong_use = 2,    ///< of the command line, or a file of tokens that is not well
    unavailable = 4,  ///< the database, the port or the log
};

struct Options {
    order_service::ServiceSettings service;
    order_service::ServerSettings server;
    std::string tokens;
    std::string listen{"127.0.0.1:8080"};
    std::string access_log{"-"};
};

int ended(Exit exit, std::string_view sentence) {
    std::cerr << "order_service: " << sentence << '\n';
    return exit;
}

void add_span(CLI::App& app, const std::string& name, std::chrono::milliseconds& span,
              const std::string& help) {
    app.add_option_function<std::string>(
           name,
           [&span, name](const std::string& text) {
               const auto read = cf::parse_span(text);
               const auto whole = read ? std::chrono::floor<std::chrono::milliseconds>(*read)
                                       : std::chrono::milliseconds{0};
               if (whole.count() < 1 || whole > std::chrono::hours{24}) {
                   throw CLI::ValidationError{name, "takes 1ms to 24h, as in 1500ms or 30s"};
               }
               span = whole;
           },
           help + ", by default " + cf::to_text(span))
        ->option_text("SPAN");
}

Durability durability_of(const std::string& word) {
    if (word == "full") return Durability::full;
    if (word == "normal") return Durability::normal;
    if (word == "off") return Durability::off;
    throw CLI::ValidationError{"--durability", "is full, normal or off"};
}

void add_options(CLI::App& app, Options& options) {
    order_service::Limits& limits = options.server.limits;
    app.add_option("--db", options.service.file, "The database, which is made if there is none")
        ->required()
        ->option_text("FILE");
    app.add_option("--tokens", options.tokens, "Who may order: TOKEN TENANT [USER] a line")
        ->required()
        ->option_text("FILE");
    app.add_option("--listen", options.listen, "Port 0 takes a free one")
        ->option_text("ADDRESS:PORT");
    app.add_option("--threads", options.server.threads, "For requests, which wait for the database")
        ->check(CLI::Range(1, 256))
        ->option_text("N");
    app.add_option_function<std::string>(
           "--durability",
           [&](const std::string& word) { options.service.durability = durability_of(word); },
           "What a commit survives: a power cut, by default, or a crash")
        ->option_text("full|normal|off");
    app.add_option("--access-log", options.access_log, "- is the standard error, the default")
        ->option_text("FILE|-|none");
    app.add_option("--max-header-bytes", limits.header_bytes, "More is answered 431")
        ->check(CLI::Range(256, 1 << 20))
        ->option_text("N");
    app.add_option("--max-body-bytes", limits.body_bytes, "More is answered 413")
        ->check(CLI::Range(1, 1 << 30))
        ->option_text("N");
    app.add_option("--max-connections", limits.connections, "More are answered 503")
        ->check(CLI::Range(1, 1 << 16))
        ->option_text("N");
    add_span(app, "--read-timeout", limits.read_timeout, "For a request, from first to last byte");
    add_span(app, "--write-timeout", limits.write_timeout, "For an answer to be taken");
    add_span(app, "--idle-timeout", limits.idle_timeout, "Between two requests");
    add_span(app, "--stop-deadline", limits.stop_deadline, "For what runs when it is stopped");
    add_span(app, "--busy-timeout", options.service.busy_timeout,
             "For another process's write, before 503");
    add_span(app, "--stock-check", options.service.stock_check,
             "How long the warehouse takes that is asked before each order");
    app.add_flag("--without-counterfoil", options.service.without_counterfoil,
                 "For the benchmark only: orders without keys, and a retry orders again");
}

/// Splits `127.0.0.1:8080` or `[::1]:8080`.
void read_address(const std::string& listen, order_service::ServerSettings& server) {
    const std::size_t colon = listen.rfind(':');
    const std::string_view all = listen;
    const std::string_view digits = colon == std::string::npos ? "" : all.substr(colon + 1);
    const auto [end, fault] = std::from_chars(digits.begin(), digits.end(), server.port);
    if (fault != std::errc{} || end != digits.end()) {
        throw CLI::ValidationError{"--listen", "takes ADDRESS:PORT"};
    }
    std::string_view address = all.substr(0, colon);
    if (address.starts_with('[') && address.ends_with(']')) {
        address = address.substr(1, address.size() - 2);
    }
    server.address = address;
}

order_service::AccessLog opened_log(const std::string& name) {
    if (name == "none") return {};
    if (name == "-") return order_service::AccessLog::to_standard_error();
    return order_service::AccessLog::to_file(name);
}

int serve(Options options) {
    auto tokens = order_service::Tokens::read(options.tokens);
    if (!tokens) {
        for (const std::string& fault : tokens.error())
            ended(wrong_use, options.tokens + ": " + fault);
        return wrong_use;
    }
    options.service.connections = options.server.threads + 1;
    order_service::ServerCounts counts;
    Service service{options.service, std::move(tokens).value(), opened_log(options.access_log),
                    counts};

    options.server.stop_signals = {SIGTERM, SIGINT};
    options.server.on_refusal = [&](std::string_view peer, int status) {
        service.log_refusal(peer, status);
    };
    options.server.on_failure = [](std::string_view what) {
        std::cerr << "order_service: a request failed: " + std::string{what} + '\n';
    };
    const std::string address = options.listen.substr(0, options.listen.rfind(':'));
    order_service::Server server{
        std::move(options.server),
        [&](const order_service::Incoming& incoming) { return service.handle(incoming); }, counts};
    std::cout << "listening on " << address << ':' << server.port() << '\n' << std::flush;
    server.run();
    return stopped;
}

}  // namespace

int main(int count, char** arguments) {
    // A log whose reader is gone loses lines; it does not end the service.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-cstyle-cast): POSIX's own macro
    if (std::signal(SIGPIPE, SIG_IGN) == SIG_ERR)
        return ended(unavailable, "SIGPIPE stays as it is");
    try {
        Options options;
        CLI::App app{"Takes orders over HTTP, each of them once, however often it is sent."};
        add_options(app, options);
        try {
            app.parse(count, arguments);
            read_address(options.listen, options.server);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) return app.exit(error);  // help
            return ended(wrong_use, error.what() + std::string{"; see --help"});
        }
        return serve(std::move(options));
    } catch (const std::exception& error) {
        return ended(unavailable, error.what());
    }
}
