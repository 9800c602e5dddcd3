#pragma once

#include <memory>
#include <string>
#include <vector>

#include "counterfoil/testing/conformance.hpp"

// A store over a map that can be broken on purpose in one way: how it is known that the kit catches
// what it says it catches.

namespace counterfoil::testing {

/// One thing that is wrong with a store, and nothing else is.
enum class Defect {
    none,
    hold_is_lost,
    field_digests_are_lost,
    attempt_is_always_one,
    checkpoint_is_lost,
    instants_are_rounded_to_milliseconds,
    scheme_is_lost,
    replace_keeps_the_hold,
    replace_keeps_the_field_digests,
    body_ends_at_a_nul,
    long_body_is_cut,
    header_value_is_trimmed,
    header_name_is_lowercased,
    reference_is_cut,
    empty_body_is_none,
    omitted_body_is_none,
    empty_reference_is_none,
    instants_are_nanoseconds,
    fence_has_32_bits,
    tenant_is_left_out,
    operation_is_left_out,
    key_is_left_out,
    scope_is_run_together,
    scope_ignores_case,
    key_is_cut,
    erase_takes_the_whole_tenant,
    replace_writes_to_the_whole_tenant,
    insert_overwrites,
    insert_claims_to_have_written,
    replace_ignores_the_fence,
    replace_inserts,
    replace_takes_an_older_fence,
    erase_ignores_the_fence,
    erase_of_nothing_is_true,
    own_writes_are_not_found,
    commit_loses_the_last_write,
    commit_loses_erasures,
    rollback_keeps,
    rollback_leaves_the_writes_to_the_session,
    gone_session_commits,
    gone_session_keeps_the_lock,
    writes_are_seen_before_the_commit,
    commit_is_piecemeal,
    peek_is_stale,
    peek_waits_for_the_writer,
    reopening_forgets,
    reopening_brings_back_what_was_erased,
    find_is_stale,
    nobody_locks,
    commit_writes_back_the_whole_map,
    audit_rows_are_lost,
    audit_rows_survive_a_rollback,
    audit_rows_are_everybodys,
    evidence_is_cut,
};

/// A defect as the tests and docs/adapters.md tell of it.
struct DefectRecord {
    Defect defect{};
    std::string name;                    ///< the enumerator's
    std::vector<std::string> caught_by;  ///< names of rules, each of which catches it
};

/// All of them but none.
[[nodiscard]] const std::vector<DefectRecord>& defects();

/// A store over a map, with every ability. With Defect::none it is sound.
[[nodiscard]] std::unique_ptr<Subject> map_store(Defect defect = Defect::none);

}  // namespace counterfoil::testing
