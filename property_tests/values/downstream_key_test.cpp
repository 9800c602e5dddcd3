#include <cstdint>
#include <fstream>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <counterfoil/downstream_key.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/values.hpp"

namespace counterfoil {
namespace {

Scope scope_of(std::string_view tenant, std::string_view operation, std::string_view key) {
    return {*parse_tenant(tenant), *parse_operation(operation), *parse_key(key)};
}

Instant at(std::int64_t us) {
    return Instant{Span{us}};
}

std::vector<std::string> columns_of(const std::string& line) {
    std::vector<std::string> columns;
    std::istringstream text{line};
    for (std::string column; std::getline(text, column, '\t');) columns.push_back(column);
    return columns;
}

std::vector<std::vector<std::string>> published_vectors() {
    std::vector<std::vector<std::string>> vectors;
    std::ifstream file{COUNTERFOIL_TEST_DATA "/downstream-key/vectors.tsv"};
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with('#')) vectors.push_back(columns_of(line));
    }
    return vectors;
}

TEST(DownstreamKey, has_the_bytes_of_the_published_vectors) {
    const auto vectors = published_vectors();
    EXPECT_EQ(vectors.size(), 21U);
    for (const auto& columns : vectors) {
        const auto scope = scope_of(columns.at(0), columns.at(1), columns.at(2));
        EXPECT_EQ(downstream_key(scope, at(std::stoll(columns.at(3))), columns.at(4)),
                  columns.at(5));
    }
}

struct Step {
    Scope scope;
    Instant created_at;
    std::string step;

    friend bool operator==(const Step&, const Step&) = default;

    friend std::ostream& operator<<(std::ostream& out, const Step& which) {
        return out << which.scope << " since " << which.created_at.time_since_epoch().count()
                   << " step \"" << which.step << '"';
    }
};

Step some_step() {
    const auto last = std::numeric_limits<std::int64_t>::max();
    return {*gen::scope(), at(*rc::gen::element<std::int64_t>(0, 1, -1, 256, last)),
            *rc::gen::element<std::string>("", "k", "kk", "c", std::string(1, '\0'))};
}

std::string key_of(const Step& step) {
    return downstream_key(step.scope, step.created_at, step.step);
}

RC_GTEST_PROP(DownstreamKeyLaws, two_steps_have_one_key_exactly_when_they_are_the_same, ()) {
    const auto one = *rc::gen::exec(some_step);
    const auto other = *rc::gen::oneOf(rc::gen::just(one), rc::gen::exec(some_step));
    RC_CLASSIFY(one == other, "the same");
    RC_ASSERT((key_of(one) == key_of(other)) == (one == other));
}

RC_GTEST_PROP(DownstreamKeyLaws, a_change_of_any_one_part_changes_the_key, ()) {
    const auto step = *rc::gen::exec(some_step);
    auto changed = step;
    switch (*rc::gen::inRange(0, 5)) {
        case 0:
            changed.scope.tenant = *rc::gen::distinctFrom(gen::tenant(), step.scope.tenant);
            break;
        case 1:
            changed.scope.operation =
                *rc::gen::distinctFrom(gen::operation(), step.scope.operation);
            break;
        case 2: changed.scope.key = *rc::gen::distinctFrom(gen::key(), step.scope.key); break;
        case 3: changed.created_at = step.created_at - Span{1}; break;
        default: changed.step += '\0'; break;
    }
    RC_ASSERT(key_of(changed) != key_of(step));
}

TEST(DownstreamKey, parts_never_run_into_each_other) {
    // The letters abcde cut into four parts in every way.
    const std::string letters = "abcde";
    std::set<std::string> keys;
    std::size_t cuts = 0;
    for (std::size_t i = 1; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 5; ++j) {
            for (std::size_t k = j + 1; k < 6; ++k, ++cuts) {
                const auto scope = scope_of(letters.substr(0, i), letters.substr(i, j - i),
                                            letters.substr(j, k - j));
                keys.insert(downstream_key(scope, at(0), letters.substr(k)));
            }
        }
    }
    EXPECT_EQ(cuts, 10U);
    EXPECT_EQ(keys.size(), cuts);
}

RC_GTEST_PROP(DownstreamKeyLaws, a_key_is_a_uuid_of_version_8_in_lower_case, ()) {
    static const std::regex form{
        "[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"};
    const auto key = downstream_key(*gen::scope(), at(*rc::gen::arbitrary<std::int64_t>()),
                                    *rc::gen::arbitrary<std::string>());
    RC_ASSERT(std::regex_match(key, form));
    // It is a key by our own rules too, and does not pass for one that tells its birth.
    RC_ASSERT(!birth(*parse_key(key)));
}

}  // namespace
}  // namespace counterfoil
