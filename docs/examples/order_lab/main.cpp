// The order lab: six experiments on a database file, a line each.

#include <barrier>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "orders.hpp"

namespace {

constexpr std::string_view pen = R"({"sku":"pen","quantity":2})";
constexpr std::string_view pen_respelt = R"({ "quantity": 2.0, "sku": "p\u0065n" })";
constexpr std::string_view more_pens = R"({"sku":"pen","quantity":3})";

std::string told(const counterfoil::Answer& answer) {
    return std::to_string(answer.status) + " " + order_lab::body_of(answer);
}

void report(std::string_view experiment, const std::string& what, order_lab::Orders& orders) {
    std::cout << experiment << ": " << what << ", orders=" << orders.count() << '\n';
}

void run(order_lab::Orders& orders) {
    const std::string lost = told(orders.place("acme", "key-1", pen));
    const std::string again = told(orders.place("acme", "key-1", pen_respelt));
    report("retry after a lost answer", again + (again == lost ? ", the same" : ", ANOTHER"),
           orders);
    report("changed payload", told(orders.place("acme", "key-1", more_pens)), orders);
    report("other tenant", told(orders.place("zeta", "key-1", pen)), orders);

    std::barrier start{2};
    std::string one;
    std::string other;
    {
        const auto place = [&](std::string& answer) {
            start.arrive_and_wait();
            answer = told(orders.place("acme", "key-2", pen));
        };
        const std::jthread first{place, std::ref(one)};
        const std::jthread second{place, std::ref(other)};
    }
    report("two threads with one key", one + " and " + other, orders);

    orders.break_receipts(true);
    report("receipt can't be written", told(orders.place("acme", "key-3", pen)) + ", rolled back",
           orders);
    orders.break_receipts(false);
    report("the same key afterwards", told(orders.place("acme", "key-3", pen)), orders);
}

}  // namespace

int main(int count, char** given) {
    const std::vector<std::string> arguments(given, std::next(given, count));
    if (arguments.size() != 2) {
        std::cerr << "usage: order_lab FILE\nFILE: a database, which must not be there yet\n";
        return 2;
    }
    try {
        if (std::filesystem::exists(arguments[1])) {
            std::cerr << "order_lab: '" << arguments[1] << "' is there already\n";
            return 2;
        }
        order_lab::Orders orders{arguments[1]};
        run(orders);
    } catch (const std::exception& error) {
        std::cerr << "order_lab: " << error.what() << '\n';
        return 4;
    }
}
