#pragma once

#include <string>
#include <string_view>

#include "counterfoil/answer.hpp"
#include "counterfoil/canonical_json.hpp"
#include "counterfoil/fingerprint.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/receipt.hpp"
#include "counterfoil/request.hpp"
#include "counterfoil/retention.hpp"
#include "counterfoil/settle.hpp"
#include "counterfoil/verdict.hpp"
#include "counterfoil/words.hpp"

namespace counterfoil {

// One line of text for each value, for logs, counterexamples and the CLI. No body, no note and no
// secret is ever in it: bodies and notes appear by their size. What came from outside is escaped,
// so that a line stays one line whatever was stored.

/// The text with control characters, backslashes and non-ASCII bytes as escapes: `\n`, `\\`,
/// `\x1b`.
[[nodiscard]] std::string escaped(std::string_view text);

/// A span in the largest unit that leaves a whole number: `30s`, `1500ms`, `7us`. It is what a
/// policy file would say.
[[nodiscard]] std::string describe(Span span);
[[nodiscard]] std::string describe(Instant at);

[[nodiscard]] std::string describe(const Tenant& tenant);
[[nodiscard]] std::string describe(const Operation& operation);
[[nodiscard]] std::string describe(const Key& key);
[[nodiscard]] std::string describe(const Scope& scope);
[[nodiscard]] std::string describe(const NameError& error);
[[nodiscard]] std::string describe(const JsonError& error);
[[nodiscard]] std::string describe(const PointerError& error);
[[nodiscard]] std::string describe(const SchemeError& error);
[[nodiscard]] std::string describe(const FingerprintError& error);
[[nodiscard]] std::string describe(const CheckpointError& error);
[[nodiscard]] std::string describe(const PolicyFault& fault);

[[nodiscard]] std::string describe(const Fingerprint& fingerprint);
[[nodiscard]] std::string describe(const Answer& answer);
[[nodiscard]] std::string describe(const Checkpoint& checkpoint);
[[nodiscard]] std::string describe(const Ending& ended);
[[nodiscard]] std::string describe(Fence fence);
[[nodiscard]] std::string describe(const Permit& permit);
[[nodiscard]] std::string describe(const State& state);
[[nodiscard]] std::string describe(const Receipt& receipt);
[[nodiscard]] std::string describe(const Request& request);
[[nodiscard]] std::string describe(const Policy& policy);

/// `rule 9 (lease_running): now 2026-…Z < 2026-…Z, attempt 1`.
[[nodiscard]] std::string describe(const Why& why);
/// The verdict's word, what it carries, and its why.
[[nodiscard]] std::string describe(const Verdict& verdict);

[[nodiscard]] std::string describe(const Outcome& outcome);
[[nodiscard]] std::string describe(const Replace& write);
[[nodiscard]] std::string describe(const Erase& write);
[[nodiscard]] std::string describe(const Resolution& resolution);
[[nodiscard]] std::string describe(const ResolutionRecord& record);
[[nodiscard]] std::string describe(const Completion& completion);
[[nodiscard]] std::string describe(const Renewal& renewal);
[[nodiscard]] std::string describe(const Checkpointing& checkpointing);
[[nodiscard]] std::string describe(const Release& release);
[[nodiscard]] std::string describe(const Marking& marking);
[[nodiscard]] std::string describe(const Abandonment& abandonment);
[[nodiscard]] std::string describe(const Resolving& resolving);
[[nodiscard]] std::string describe(const Retention& retention);

}  // namespace counterfoil
