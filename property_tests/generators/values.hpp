#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <counterfoil/answer.hpp>
#include <counterfoil/instant.hpp>
#include <counterfoil/names.hpp>
#include <counterfoil/policy.hpp>
#include <rapidcheck.h>

#include "generators/schemes.hpp"

// Names, answers and policies, drawn from few values close together, and how they print.
namespace counterfoil {

template <class Tag>
std::ostream& operator<<(std::ostream& out, const Name<Tag>& name);
std::ostream& operator<<(std::ostream& out, const Scope& scope);
std::ostream& operator<<(std::ostream& out, NameFault fault);
std::ostream& operator<<(std::ostream& out, const NameError& error);
std::ostream& operator<<(std::ostream& out, const KeyRules& rules);
std::ostream& operator<<(std::ostream& out, Disposition disposition);
std::ostream& operator<<(std::ostream& out, const Dispositions& answers);
std::ostream& operator<<(std::ostream& out, const Answer& answer);
std::ostream& operator<<(std::ostream& out, const AnswerLimits& limits);
std::ostream& operator<<(std::ostream& out, const PolicyFigures& figures);
std::ostream& operator<<(std::ostream& out, const Policy& policy);
std::ostream& operator<<(std::ostream& out, const PolicyBook& book);
std::ostream& operator<<(std::ostream& out, PolicyFaultKind kind);
std::ostream& operator<<(std::ostream& out, const PolicyFault& fault);
std::ostream& operator<<(std::ostream& out, const std::vector<PolicyFault>& faults);

namespace gen {

/// One of two tenants, `a` and `ab`.
rc::Gen<Tenant> tenant();
/// One of two operations, `bc` and `c`: written one after the other, two scopes are alike.
rc::Gen<Operation> operation();
/// One of three keys; the last tells that it was made at the beginning of time.
rc::Gen<Key> key();
rc::Gen<Scope> scope();

/// Any bytes, and often those that are about to be a name.
rc::Gen<std::string> almost_name();

/// The text with each ASCII letter in either case. Only inside a property.
std::string in_random_case(std::string text);

rc::Gen<Disposition> disposition();
/// The default table with a few changes.
rc::Gen<Dispositions> dispositions();

/// An answer of up to five bytes, or none, with fields that may and may not be kept.
rc::Gen<Answer> answer();
/// A limit of one to four bytes, and one more field to keep or not.
rc::Gen<AnswerLimits> answer_limits();

/// A valid policy whose windows are a few microseconds long: lease < replay_window <=
/// tombstone_window, all less than 16.
rc::Gen<Policy> policy();

/// A valid policy with figures of every kind and size.
rc::Gen<Policy> varied_policy();
/// A book of such policies, where operations differ from the default in a figure or in all.
rc::Gen<PolicyBook> policy_book();

}  // namespace gen

template <class Tag>
std::ostream& operator<<(std::ostream& out, const Name<Tag>& name) {
    return out << gen::visible(name.text());
}

}  // namespace counterfoil
