#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <rapidcheck.h>

#include "access.hpp"
#include "generators/printing.hpp"
#include "property.hpp"
#include "samples.hpp"

namespace counterfoil::testing {

namespace {

using Pair = std::pair<Scope, Scope>;

/// Two scopes are two: each has a receipt of its own, and loses none to the other.
void are_two(Subject& subject, const Pair& pair) {
    const Receipt one = receipt_number(1, pair.first);
    const Receipt other = receipt_number(2, pair.second);
    subject.make_empty();
    const std::unique_ptr<Session> session = subject.session();
    commit_with(*session, [&](ReceiptTable& table) {
        RC_ASSERT(table.insert(one));
        expect_equal(table.find(other.scope), std::nullopt, "found before it was written");
        RC_ASSERT(table.insert(other));
    });
    expect_equal(session->peek(one.scope), one, "peeked, the first of the two");
    expect_equal(session->peek(other.scope), other, "peeked, the second of the two");
    commit_with(*session,
                [&](ReceiptTable& table) { RC_ASSERT(table.erase(one.scope, one.fence)); });
    expect_equal(session->peek(one.scope), std::nullopt, "peeked after it was erased");
    expect_equal(session->peek(other.scope), other, "peeked after the other was erased");
}

void each_part_counts(Subject& subject) {
    const Scope scope = scope_of("a", "bc", "k");
    for (const Scope& other :
         {scope_of("b", "bc", "k"), scope_of("a", "c", "k"), scope_of("a", "bc", "kk")}) {
        are_two(subject, {scope, other});
    }
}

void parts_stay_apart(Subject& subject) {
    are_two(subject, {scope_of("a", "bc", "k"), scope_of("ab", "c", "k")});
    are_two(subject, {scope_of("a", "b", "ck"), scope_of("a", "bc", "k")});
    are_two(subject, {scope_of("x", "y", "z"), scope_of("y", "x", "z")});
    for (const std::string between : {"/", ":", "|", ",", ".", "-", "_", "'", "\"", "\\"}) {
        are_two(subject,
                {scope_of("a" + between + "b", "c", "k"), scope_of("a", "b" + between + "c", "k")});
        are_two(subject,
                {scope_of("a", "b" + between + "c", "k"), scope_of("a", "b", "c" + between + "k")});
    }
}

void byte_by_byte(Subject& subject) {
    using namespace std::string_literals;
    const std::string longest(255, 'x');
    const std::string almost = std::string(254, 'x') + 'y';
    are_two(subject, {scope_of("a", "bc", "k"), scope_of("A", "bc", "k")});
    are_two(subject, {scope_of("a", "bc", "k"), scope_of("a", "BC", "k")});
    are_two(subject, {scope_of(longest, "bc", "k"), scope_of(almost, "bc", "k")});
    are_two(subject, {scope_of("a", longest, "k"), scope_of("a", almost, "k")});
    are_two(subject, {scope_of("a b", "bc", "k"), scope_of("a  b", "bc", "k")});
    const std::array<std::pair<std::string, std::string>, 8> keys{{{"k", "K"},
                                                                   {"1", "01"},
                                                                   {"1", "1.0"},
                                                                   {longest, almost},
                                                                   {"_", "%"},
                                                                   {"k", "k\0x"s},
                                                                   {"caf\xC3\xA9", "cafe\xCC\x81"},
                                                                   {"\xFE", "\xFF"}}};
    for (const auto& [one, other] : keys) {
        are_two(subject, {scope_of("a", "bc", one), scope_of("a", "bc", other)});
    }
}

constexpr std::size_t crowd = 4;

void touch(Subject& subject, std::size_t touched, bool erases) {
    std::vector<std::optional<Receipt>> receipts;
    for (std::size_t number = 0; number < crowd; ++number) {
        receipts.emplace_back(
            receipt_number(static_cast<std::int64_t>(number) + 1, scope_number(number)));
    }
    subject.make_empty();
    const std::unique_ptr<Session> session = subject.session();
    commit_with(*session, [&](ReceiptTable& table) {
        for (const auto& receipt : receipts) RC_ASSERT(table.insert(*receipt));
    });

    std::optional<Receipt>& target = receipts[touched];
    commit_with(*session, [&](ReceiptTable& table) {
        if (erases) {
            RC_ASSERT(table.erase(target->scope, target->fence));
            target.reset();
        } else {
            const Receipt later = receipt_number(99, target->scope);
            RC_ASSERT(table.replace(later, target->fence));
            target = later;
        }
    });
    for (std::size_t number = 0; number < crowd; ++number) {
        expect_equal(
            session->peek(scope_number(number)), receipts[number],
            number == touched ? "peeked, what was written" : "peeked, what was not written");
    }
}

void touches_one(Subject& subject) {
    for (std::size_t touched = 0; touched < crowd; ++touched) {
        for (const bool erases : {false, true}) touch(subject, touched, erases);
    }
}

}  // namespace

std::vector<Property> scope_rules() {
    return {
        {{.name = "each_part_of_a_scope_counts",
          .sentence = "Two scopes that differ in the tenant, the operation or the key alone are "
                      "two."},
         1,
         each_part_counts},
        {{.name = "the_parts_of_a_scope_do_not_run_together",
          .sentence = "Two scopes whose parts are alike when written one after the other are two."},
         1,
         parts_stay_apart},
        {{.name = "scopes_are_compared_byte_by_byte",
          .sentence = "Scopes are compared byte by byte and to the last of them."},
         1,
         byte_by_byte},
        {{.name = "a_write_touches_one_scope",
          .sentence = "A write touches the receipt of its scope and no other."},
         1,
         touches_one},
    };
}

}  // namespace counterfoil::testing
