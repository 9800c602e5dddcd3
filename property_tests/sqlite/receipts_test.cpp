#include <optional>
#include <string>
#include <variant>

#include <SQLiteCpp/Database.h>
#include <counterfoil/describe.hpp>
#include <counterfoil/sqlite/receipt_rows.hpp>
#include <counterfoil/sqlite/schema.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/situations.hpp"
#include "generators/values.hpp"

namespace counterfoil::sqlite {
namespace {

/// A table of receipts in memory.
struct Table {
    Table() : database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE} {
        migrate(database);
        rows.emplace(database);
    }

    SQLite::Database database;
    std::optional<ReceiptRows> rows;
};

std::string described(const std::optional<Receipt>& receipt) {
    return receipt ? describe(*receipt) : "nothing";
}

RC_GTEST_PROP(ReceiptRows, a_receipt_comes_back_equal_in_every_member, ()) {
    const Receipt given = *gen::receipt();
    Table table;
    RC_ASSERT(table.rows->insert(given));
    const std::optional<Receipt> found = table.rows->find(given.scope);
    RC_LOG() << described(found);
    RC_ASSERT(found.has_value());
    RC_ASSERT(*found == given);
}

RC_GTEST_PROP(ReceiptRows, one_that_takes_another_s_place_leaves_nothing_of_it, ()) {
    const Receipt first = *gen::receipt();
    Receipt second = *gen::receipt();
    second.scope = first.scope;
    Table table;
    RC_ASSERT(table.rows->insert(first));
    RC_ASSERT(!table.rows->insert(second));
    RC_ASSERT(!table.rows->replace(second, Fence{first.fence.number - 1}));
    RC_ASSERT(*table.rows->find(first.scope) == first);
    RC_ASSERT(table.rows->replace(second, first.fence));
    RC_ASSERT(*table.rows->find(first.scope) == second);
}

RC_GTEST_PROP(ReceiptRows, a_scope_is_all_three_names, ()) {
    const Receipt first = *gen::receipt();
    const Receipt second = *gen::receipt();
    Table table;
    RC_ASSERT(table.rows->insert(first));
    const bool same = first.scope == second.scope;
    RC_CLASSIFY(same, "the same scope");
    RC_ASSERT(table.rows->insert(second) == !same);
    RC_ASSERT(table.rows->erase(first.scope, first.fence));
    RC_ASSERT(!table.rows->find(first.scope).has_value());
    RC_ASSERT(table.rows->find(second.scope).has_value() == !same);
}

RC_GTEST_PROP(ReceiptRows, one_is_erased_under_its_own_fence_only, ()) {
    const Receipt given = *gen::receipt();
    Table table;
    RC_ASSERT(!table.rows->erase(given.scope, given.fence));
    RC_ASSERT(table.rows->insert(given));
    RC_ASSERT(!table.rows->erase(given.scope, Fence{given.fence.number - 1}));
    RC_ASSERT(table.rows->erase(given.scope, given.fence));
    RC_ASSERT(!table.rows->find(given.scope).has_value());
}

/// Bodies that are easily taken for one another.
RC_GTEST_PROP(ReceiptRows, bodies_and_references_of_any_bytes_come_back, ()) {
    Receipt given = *gen::receipt(gen::completed());
    auto& answer = std::get<state::Completed>(given.state).answer;
    const auto bytes = *rc::gen::container<std::string>(rc::gen::element('\0', 'a', '\xff', '\n'));
    answer.body =
        *rc::gen::element<Body>(body::None{}, body::Bytes{}, body::Bytes{bytes},
                                body::Omitted{Omission::secret}, body::Omitted{Omission::streamed});
    answer.reference = *rc::gen::element<std::optional<std::string>>(std::nullopt, "", bytes);
    Table table;
    RC_ASSERT(table.rows->insert(given));
    RC_ASSERT(*table.rows->find(given.scope) == given);
}

TEST(ReceiptRows, a_hold_and_all_of_a_checkpoint_come_back) {
    const Receipt given{
        .scope = {parse_tenant("acme").value(), parse_operation("create").value(),
                  parse_key("k").value()},
        .fingerprint = {{"raw"}, {}},
        .fence = Fence{3},
        .created_at = Instant{Span{2}},
        .state = state::InProgress{Instant{Span{9}},
                                   parse_checkpoint("charged", R"({"a":[1,"x"]})", 64).value()},
        .hold = Hold{"anna", "ticket 4", Instant{Span{7}}}};
    Table table;
    ASSERT_TRUE(table.rows->insert(given));
    EXPECT_EQ(table.rows->find(given.scope), given);
}

}  // namespace
}  // namespace counterfoil::sqlite
