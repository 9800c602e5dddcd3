#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "counterfoil/store/session.hpp"

// Holds a store to what counterfoil/store/session.hpp says of a Session. The oracle is the core
// over a std::map: a store is right when nobody can tell it from that.
//
// The kit knows no test framework. Call run_all(), or wrap each of rules() as a case of your own.

namespace counterfoil::testing {

/// What not every store can do. Rules that need what a store can't are skipped.
enum class Ability {
    two_sessions,  ///< two sessions are open at the same time and see each other's commits
    threads,       ///< sessions are used by several threads at the same time
    reopen,        ///< what is committed is still there when the store is closed and opened again
};

[[nodiscard]] std::string_view word(Ability ability);

/// How many sessions the kit holds at the same time.
inline constexpr std::size_t most_sessions = 8;

/// A store under test. The kit makes an empty one for each case, so that should be quick: a few
/// milliseconds.
class Subject {
public:
    Subject() = default;
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;
    virtual ~Subject() = default;

    [[nodiscard]] virtual std::vector<Ability> abilities() const = 0;

    /// Opens a store without receipts, in the place of the one that was open. No session is left
    /// when it is called.
    virtual void make_empty() = 0;

    /// A session to the store that is open. Called by any thread where the store has
    /// Ability::threads.
    [[nodiscard]] virtual std::unique_ptr<Session> session() = 0;

    /// Closes the store and opens it again with the same data. Called only where the store has
    /// Ability::reopen, when no session is left.
    virtual void reopen() {}
};

/// Something that is true of every sound store.
struct Rule {
    std::string name;      ///< words joined by underscores, fit for a test's name
    std::string sentence;  ///< in the present tense
    std::vector<Ability> needs{};
};

/// All rules, in the order in which they are best read and mended.
[[nodiscard]] const std::vector<Rule>& rules();

namespace finding {

struct Passed {};

struct Failed {
    std::string text;  ///< what differs, the smallest case that shows it, and how to repeat it
};

struct Skipped {
    std::string reason;
};

}  // namespace finding

/// What became of one rule.
using Finding = std::variant<finding::Passed, finding::Failed, finding::Skipped>;

/// Runs one rule. The environment's RC_PARAMS says seed and shrinking, as with any property of
/// rapidcheck; how many cases a rule takes is the rule's.
///
/// What the store throws where it may not is a failure of the rule.
///
/// Requires: the rule is one of rules().
[[nodiscard]] Finding run(const Rule& rule, Subject& subject);

/// What became of all rules.
struct Tally {
    std::size_t passed{};
    std::size_t failed{};
    std::size_t skipped{};
    std::size_t expected_skips{};

    /// Whether nothing failed and just as many were skipped as expected: a store that quietly loses
    /// an ability is found out.
    [[nodiscard]] bool is_good() const { return failed == 0 && skipped == expected_skips; }

    /// For main(): 0 where all is good, else 1.
    [[nodiscard]] int exit_code() const { return is_good() ? 0 : 1; }
};

/// Runs every rule and prints a line for each, what failed in full, and a line with the sum.
Tally run_all(Subject& subject, std::ostream& out, std::size_t expected_skips = 0);

}  // namespace counterfoil::testing
