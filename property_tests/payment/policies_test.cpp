#include <chrono>
#include <stdexcept>
#include <string>

#include <counterfoil/names.hpp>
#include <counterfoil/scheme.hpp>
#include <gtest/gtest.h>
#include <policies.hpp>

#include "sqlite/kit.hpp"

namespace payments {
namespace {

namespace cf = counterfoil;
using namespace std::chrono_literals;

const cf::Policy& of(const cf::PolicyBook& book, const char* operation) {
    return book.policy_for(cf::parse_operation(operation).value());
}

TEST(Policies, a_charge_is_answered_for_48_hours_and_a_transfer_for_90_days) {
    const cf::PolicyBook book = policies_from(COUNTERFOIL_PAYMENT_POLICY);
    EXPECT_EQ(of(book, "charge")->replay_window, cf::Span{48h});
    EXPECT_EQ(of(book, "transfer")->replay_window, cf::Span{std::chrono::days{90}});
    for (const char* operation : {"charge", "transfer"}) {
        EXPECT_GT(of(book, operation)->tombstone_window, of(book, operation)->replay_window);
        EXPECT_EQ(of(book, operation)->scheme, cf::parse_scheme("raw").value());
        EXPECT_EQ(of(book, operation)->key_rules.max_length, 128U);
    }
    EXPECT_EQ(of(book, "charge")->on_lapse, cf::OnLapse::take_over);
    EXPECT_EQ(of(book, "transfer")->on_lapse, cf::OnLapse::unknown);
}

TEST(Policies, shorter_leases_change_nothing_else) {
    const cf::PolicyBook book = policies_from(COUNTERFOIL_PAYMENT_POLICY);
    const cf::PolicyBook shorter = with_leases(book, 300ms);
    EXPECT_EQ(of(shorter, "charge")->lease, cf::Span{300ms});
    EXPECT_EQ(of(shorter, "refund")->lease, cf::Span{300ms});
    EXPECT_NE(shorter, book);
    EXPECT_EQ(with_leases(shorter, of(book, "charge")->lease), book);
    EXPECT_THROW(static_cast<void>(with_leases(book, cf::Span{0})), std::runtime_error);
}

TEST(Policies, every_fault_of_a_file_is_named) {
    const cf::kit::Scratch scratch;
    const std::filesystem::path file = scratch.file("policy.json");
    cf::kit::write_bytes(file, R"({"default": {"leese": "1s", "lease": "5s"}})");
    try {
        static_cast<void>(policies_from(file));
        FAIL() << "it was taken";
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("/default/leese"), std::string::npos) << text;
        EXPECT_NE(text.find("/default/lease"), std::string::npos) << text;
    }
    EXPECT_THROW(static_cast<void>(policies_from(scratch.file("none.json"))), std::runtime_error);
}

}  // namespace
}  // namespace payments
