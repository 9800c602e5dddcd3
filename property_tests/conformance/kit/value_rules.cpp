#include <utility>

#include <rapidcheck.h>

#include "access.hpp"
#include "generators/printing.hpp"
#include "generators/situations.hpp"
#include "property.hpp"
#include "samples.hpp"

namespace counterfoil::testing {

namespace {

void reads_back(Subject& subject, const Receipt& receipt) {
    subject.make_empty();
    {
        const std::unique_ptr<Session> session = subject.session();
        commit_with(*session, [&](ReceiptTable& table) {
            RC_ASSERT(table.insert(receipt));
            expect_equal(table.find(receipt.scope), receipt, "found in the same transaction");
        });
    }
    expect_equal(peeked(subject, receipt.scope), receipt, "peeked after the commit");
}

void every_receipt(Subject& subject) {
    reads_back(subject, *gen::receipt());
}

void a_replaced_receipt(Subject& subject) {
    Receipt first = *gen::receipt();
    Receipt second = *gen::receipt();
    second.scope = first.scope;
    make_with(subject, {first});
    {
        const std::unique_ptr<Session> session = subject.session();
        commit_with(*session, [&](ReceiptTable& table) {
            RC_ASSERT(table.replace(second, first.fence));
            expect_equal(table.find(first.scope), second, "found in the same transaction");
        });
    }
    expect_equal(peeked(subject, first.scope), second, "peeked after the commit");
}

void odd_bytes(Subject& subject) {
    for (const std::string& text : odd_texts()) reads_back(subject, odd_receipt(text));
}

void all_bodies(Subject& subject) {
    for (const Receipt& receipt : receipts_of_all_bodies()) reads_back(subject, receipt);
}

void extremes(Subject& subject) {
    for (const Receipt& receipt : extreme_receipts()) reads_back(subject, receipt);
}

}  // namespace

std::vector<Property> value_rules() {
    return {
        {{.name = "a_receipt_reads_back_equal",
          .sentence = "A receipt reads back equal in every member, whatever its state."},
         60,
         every_receipt},
        {{.name = "a_replaced_receipt_reads_back_equal",
          .sentence = "What replaces a receipt reads back equal, with nothing left of the first."},
         40,
         a_replaced_receipt},
        {{.name = "odd_bytes_read_back_equal",
          .sentence =
              "Bodies, header values, references and holds of any bytes and any length read "
              "back equal."},
         1,
         odd_bytes},
        {{.name = "no_body_an_empty_one_and_an_omitted_one_differ",
          .sentence = "No body, an empty one and an omitted one stay three things, and so do no "
                      "reference and an empty one."},
         1,
         all_bodies},
        {{.name = "the_ends_of_time_read_back_equal",
          .sentence = "The first and the last instant, fence and attempt that there are read back "
                      "equal."},
         1,
         extremes},
    };
}

}  // namespace counterfoil::testing
