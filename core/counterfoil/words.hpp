#pragma once

#include <optional>
#include <string_view>

#include "counterfoil/admission.hpp"
#include "counterfoil/answer.hpp"
#include "counterfoil/canonical_json.hpp"
#include "counterfoil/field_selection.hpp"
#include "counterfoil/fingerprint.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/policy.hpp"
#include "counterfoil/receipt.hpp"
#include "counterfoil/scheme.hpp"
#include "counterfoil/settle.hpp"
#include "counterfoil/verdict.hpp"

namespace counterfoil {

// The words of the closed sets: each enumerator by its own name, as SQL, JSON, the CLI and policy
// files write it. *Stored; never changed.*
[[nodiscard]] std::string_view word(NameFault which);
[[nodiscard]] std::string_view word(JsonFault which);
[[nodiscard]] std::string_view word(PointerFault which);
[[nodiscard]] std::string_view word(SchemeFault which);
[[nodiscard]] std::string_view word(FingerprintFault which);
[[nodiscard]] std::string_view word(CheckpointFault which);
[[nodiscard]] std::string_view word(Omission which);
[[nodiscard]] std::string_view word(Disposition which);
[[nodiscard]] std::string_view word(Effect which);
[[nodiscard]] std::string_view word(Exposure which);
[[nodiscard]] std::string_view word(OnLapse which);
[[nodiscard]] std::string_view word(OldKeys which);
[[nodiscard]] std::string_view word(UnknownCause which);
[[nodiscard]] std::string_view word(Timeliness which);
[[nodiscard]] std::string_view word(PolicyFaultKind which);
[[nodiscard]] std::string_view word(Rule which);
[[nodiscard]] std::string_view word(admission::Ground which);

/// The state's word: `in_progress`, `completed`, `unknown`, `tombstone`.
[[nodiscard]] std::string_view word(const State& state);

/// The enumerator that a word stands for, of any set above; nothing if it is no word of the set.
template <class Enum>
[[nodiscard]] std::optional<Enum> from_word(std::string_view text);

}  // namespace counterfoil
