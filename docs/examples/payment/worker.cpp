// payment_worker FILE POLICY SOCKET [LEASE [STEP [TIMES]]]
//
// The payment service as a program: a line of its input is a request, and a line of its output the
// answer, which it writes before it reads on.
//
//   request = operation TAB tenant TAB key TAB body LF     no key where it is empty
//   answer  = key TAB status SP body LF
//
// LEASE is for handlers that end sooner than the policy's lease. It dies by SIGKILL when it is at
// STEP (step.hpp) for the first time, or the time that TIMES says.

#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/span_text.hpp>
#include <unistd.h>

#include "policies.hpp"
#include "service.hpp"
#include "step.hpp"

namespace {

namespace cf = counterfoil;

/// The words between the tabs of a line; the last takes what is left.
template <std::size_t count>
std::array<std::string_view, count> split(std::string_view line) {
    std::array<std::string_view, count> words{};
    for (std::string_view& word : words) {
        const std::size_t end = &word == &words.back() ? line.size() : line.find('\t');
        word = line.substr(0, end);
        line.remove_prefix(end == std::string_view::npos ? line.size()
                                                         : std::min(end + 1, line.size()));
    }
    return words;
}

std::function<void(payments::Step)> dying_at(std::string_view text, int times) {
    const std::optional<payments::Step> step = payments::step_of(text);
    if (!step) throw std::runtime_error{std::string{text} + " is no step"};
    return [step = *step, times](payments::Step reached) mutable {
        if (reached == step && --times == 0) ::kill(::getpid(), SIGKILL);
    };
}

payments::ServiceSettings settings_of(const std::vector<std::string>& arguments) {
    payments::ServiceSettings settings{.policies = payments::policies_from(arguments[2]),
                                       .provider = arguments[3]};
    if (arguments.size() > 4) {
        const auto lease = cf::parse_span(arguments[4]);
        if (!lease) throw std::runtime_error{arguments[4] + " is no span, as 300ms is"};
        settings.policies = payments::with_leases(settings.policies, *lease);
    }
    if (arguments.size() > 5) {
        const int times = arguments.size() > 6 ? std::stoi(arguments[6]) : 1;
        settings.on_step = dying_at(arguments[5], times);
    }
    return settings;
}

void serve(payments::PaymentService& service) {
    for (std::string line; std::getline(std::cin, line);) {
        const auto [operation, tenant, key, body] = split<4>(line);
        payments::Request request{.tenant = tenant, .operation = operation, .body = body};
        if (!key.empty()) request.key = key;
        const payments::Told told = service.pay(request);
        std::cout << key << '\t' << told.answer.status << ' ' << payments::body_of(told.answer)
                  << std::endl;
    }
}

}  // namespace

int main(int count, char** given) {
    const std::vector<std::string> arguments(given, std::next(given, count));
    if (count < 4 || count > 7) {
        std::cerr << "usage: payment_worker FILE POLICY SOCKET [LEASE [STEP [TIMES]]]\n";
        return 2;
    }
    try {
        payments::PaymentService service{arguments[1], settings_of(arguments)};
        serve(service);
    } catch (const std::exception& error) {
        std::cerr << "payment_worker: " << error.what() << '\n';
        return 4;
    }
}
