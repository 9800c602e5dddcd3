#pragma once

#include <optional>

#include <boost/json/value.hpp>
#include <counterfoil/policy.hpp>
#include <counterfoil/receipt.hpp>
#include <counterfoil/request.hpp>
#include <counterfoil/retention.hpp>
#include <counterfoil/settle.hpp>
#include <counterfoil/verdict.hpp>

namespace counterfoil::corpus {

// The JSON that the decision corpus is written in; vectors/decisions/README.md has its grammar.
// Instants and spans are whole microseconds whose names end in _us; a closed set of shapes is an
// object with one member, named after the shape; what is absent is null.

boost::json::value to_json(const std::optional<Receipt>& receipt);
boost::json::value to_json(const Request& request);
boost::json::value to_json(const Permit& permit);
boost::json::value to_json(const Outcome& outcome);
boost::json::value to_json(const Resolution& resolution);
boost::json::value to_json(const Checkpoint& checkpoint);
/// As a policy file would have it, every figure spelt out.
boost::json::value to_json(const Policy& policy);

boost::json::value to_json(const Verdict& verdict);
boost::json::value to_json(const Completion& completion);
boost::json::value to_json(const Renewal& renewal);
boost::json::value to_json(const Checkpointing& checkpointing);
boost::json::value to_json(const Release& release);
boost::json::value to_json(const Marking& marking);
boost::json::value to_json(const Abandonment& abandonment);
boost::json::value to_json(const Resolving& resolving);
boost::json::value to_json(const Retention& retention);

// Back from JSON. Malformed JSON throws: the corpus is ours, and a test reads it.
std::optional<Receipt> receipt_from(const boost::json::value& json);
Request request_from(const boost::json::value& json);
Permit permit_from(const boost::json::value& json);
Outcome outcome_from(const boost::json::value& json);
Resolution resolution_from(const boost::json::value& json);
Checkpoint checkpoint_from(const boost::json::value& json);
Policy policy_from(const boost::json::value& json);

}  // namespace counterfoil::corpus
