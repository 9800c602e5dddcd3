#pragma once

#include "counterfoil/json_site.hpp"
#include "counterfoil/policy.hpp"

namespace counterfoil::detail {

// The figures of one policy as a JSON object: a value for each figure, as parse_policy_book says.
//
//   policy      = { *member }                  each at most once, in any order
//   span        = 1*DIGIT ("us" / "ms" / "s" / "m" / "h" / "d")
//   byte-range  = byte / byte "-" byte         the first not above the second
//   byte        = 2HEXDIG                      JSON text can't say a byte above 7F itself
//   answer-name = ("1" / "2" / "3" / "4" / "5") ("xx" / 2DIGIT)

/// Reads an object into figures that are there already: what it leaves out stays, member by member
/// and, in key_rules, answers and conflict_detail, entry by entry; a list is replaced as a whole.
void read(const boost::json::value& value, const JsonSite& site, PolicyFigures& out);

/// Every figure spelt out, so that reading it over `inherited` gives these.
[[nodiscard]] boost::json::object to_object(const PolicyFigures& figures,
                                            const PolicyFigures& inherited);

}  // namespace counterfoil::detail
