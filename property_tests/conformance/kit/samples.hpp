#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/receipt.hpp>
#include <rapidcheck.h>

namespace counterfoil::testing {

/// A scope of texts that are names; keys under the widest rules.
Scope scope_of(std::string_view tenant, std::string_view operation, std::string_view key);

/// One of a few scopes, numbered from 0, of which some differ in one part only.
Scope scope_number(std::size_t number);

/// A completed receipt; another number makes another answer, fence and fingerprint.
Receipt receipt_number(std::int64_t number, Scope scope);

/// The receipt, with such an answer for its end.
Receipt with_answer(Receipt receipt, Answer answer);

/// Bytes that are often mistaken for something: none, blanks at the ends, quotes, line ends, NUL,
/// UTF-8 that is none, every byte there is, and many of them.
const std::vector<std::string>& odd_texts();

/// A completed receipt with this text wherever any bytes may stand.
Receipt odd_receipt(const std::string& text);

/// Receipts with the first and last instants, fences and attempts that there are.
std::vector<Receipt> extreme_receipts();

/// The same answer without a body, with an empty one, and with one that was left out for each
/// reason.
std::vector<Receipt> receipts_of_all_bodies();

}  // namespace counterfoil::testing
