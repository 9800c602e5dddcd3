#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <counterfoil/judge.hpp>
#include <counterfoil/words.hpp>
#include <gtest/gtest.h>

#include "corpus/decisions.hpp"
#include "corpus/json_forms.hpp"
#include "written/page.hpp"

namespace counterfoil::corpus {
namespace {

namespace json = boost::json;

std::string checked_in(const std::string& name) {
    return written::read(std::string{COUNTERFOIL_TEST_DATA} + "/decisions/" + name).value_or("");
}

// The first line in which two texts differ, for a message that can be read.
std::string first_difference(const std::string& one, const std::string& other) {
    std::istringstream a{one};
    std::istringstream b{other};
    std::string x;
    std::string y;
    bool more_a = true;
    bool more_b = true;
    int number = 0;
    while (more_a && more_b && x == y) {
        more_a = static_cast<bool>(std::getline(a, x));
        more_b = static_cast<bool>(std::getline(b, y));
        ++number;
    }
    if (!more_a && !more_b) return "no difference";
    return "line " + std::to_string(number) + "\n  checked in: " + x + "\n  decided:    " + y;
}

// What a case asks, read from nothing but its JSON.
json::value decide(const json::value& one_case) {
    const auto now = one_case.as_object().contains("now_us")
                         ? Instant{Span{one_case.at("now_us").to_number<std::int64_t>()}}
                         : Instant{};
    const auto policy = policy_from(one_case.at("policy"));
    if (one_case.as_object().contains("receipt"))
        return to_json(sweep(*receipt_from(one_case.at("receipt")), now, policy));

    const auto found = receipt_from(one_case.at("found"));
    if (one_case.as_object().contains("request"))
        return to_json(judge(request_from(one_case.at("request")), found, now, policy));

    const auto permit = permit_from(one_case.at("permit"));
    const auto transition = json::value_to<std::string>(one_case.at("transition"));
    if (transition == "complete")
        return to_json(complete(found, permit, outcome_from(one_case.at("outcome")), now, policy));
    if (transition == "renew") return to_json(renew(found, permit, now, policy));
    if (transition == "checkpoint")
        return to_json(checkpoint(found, permit, checkpoint_from(one_case.at("checkpoint")), now));
    if (transition == "release") return to_json(release(found, permit));
    if (transition == "mark_unknown") return to_json(mark_unknown(found, permit, now));
    if (transition == "abandon") {
        const auto effect =
            from_word<Effect>(json::value_to<std::string>(one_case.at("effect"))).value();
        return to_json(abandon(found, permit, effect, now, policy));
    }
    if (transition == "resolve")
        return to_json(
            resolve(found, permit, resolution_from(one_case.at("resolution")), now, policy));
    throw std::runtime_error("no such transition: " + transition);
}

int decides_every_line(const std::string& text) {
    std::istringstream lines{text};
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto one_case = json::parse(line);
        EXPECT_EQ(decide(one_case), one_case.at("expected"))
            << json::value_to<std::string>(one_case.at("name"));
    }
    return count;
}

TEST(DecisionCorpus, is_what_the_library_decides) {
    const auto same = [](const std::string& name, const std::string& decided) {
        const auto stored = checked_in(name);
        EXPECT_TRUE(stored == decided) << name << ", " << first_difference(stored, decided);
    };
    same("judge.jsonl", judge_cases());
    same("settle.jsonl", settle_cases());
    same("sweep.jsonl", sweep_cases());
}

TEST(DecisionCorpus, is_decided_the_same_from_its_text_alone) {
    EXPECT_GT(decides_every_line(checked_in("judge.jsonl")), 100);
    EXPECT_GT(decides_every_line(checked_in("settle.jsonl")), 100);
    EXPECT_GT(decides_every_line(checked_in("sweep.jsonl")), 30);
}

}  // namespace
}  // namespace counterfoil::corpus
