// order_runner FILE PREFIX COUNT THREADS own|shared QUANTITY
//
// Places orders PREFIX0, PREFIX1, … on a file of the order lab, from several threads: each key by
// one of them, or by all. It waits until its input ends, and writes a line for each answer at once,
// before the next order is placed:
//
//   key TAB status SP body LF
//
// Every third order it places an earlier one again. Where QUANTITY is 0, threads take turns with 2
// and 3.

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "orders.hpp"

namespace {

struct Task {
    std::string file;
    std::string prefix;
    int count{};
    int threads{};
    bool shared{};
    int quantity{};
};

void acknowledge(const std::string& key, const counterfoil::Answer& answer) {
    const std::string line =
        key + '\t' + std::to_string(answer.status) + ' ' + order_lab::body_of(answer) + '\n';
    // Short enough for a pipe to take it in one piece.
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) std::abort();
}

void run(order_lab::Orders& orders, const Task& task, int thread) {
    const int quantity = task.quantity != 0 ? task.quantity : 2 + thread % 2;
    const std::string body = R"({"sku":"pen","quantity":)" + std::to_string(quantity) + "}";
    const auto place = [&](int number) {
        const std::string key = task.prefix + std::to_string(number);
        acknowledge(key, orders.place("acme", key, body));
    };
    const int step = task.shared ? 1 : task.threads;
    for (int number = task.shared ? 0 : thread; number < task.count; number += step) {
        place(number);
        if (number % 3 == 2) place(number - step >= 0 ? number - step : number);
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 7) {
        std::cerr << "usage: order_runner FILE PREFIX COUNT THREADS own|shared QUANTITY\n";
        return 2;
    }
    const Task task{arguments[1],
                    arguments[2],
                    std::atoi(arguments[3]),
                    std::atoi(arguments[4]),
                    std::string{arguments[5]} == "shared",
                    std::atoi(arguments[6])};
    try {
        char byte{};
        while (::read(STDIN_FILENO, &byte, 1) > 0) {
        }
        order_lab::Orders orders{task.file};
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < task.threads; ++thread) {
            threads.emplace_back([&orders, &task, thread] { run(orders, task, thread); });
        }
    } catch (const std::exception& error) {
        std::cerr << "order_runner: " << error.what() << '\n';
        return 4;
    }
}
