#include "table_model.hpp"

#include <algorithm>

#include <rapidcheck.h>

#include "access.hpp"
#include "counterfoil/describe.hpp"

namespace counterfoil::testing {

Found Committed::at(std::size_t state, const Scope& scope) const {
    const auto found = states_.at(state).find(scope);
    if (found == states_.at(state).end()) return std::nullopt;
    return found->second;
}

void Committed::append(const std::map<Scope, Found>& writes) {
    std::map<Scope, Receipt> next = states_.back();
    for (const auto& [scope, written] : writes) {
        if (written) {
            next.insert_or_assign(scope, *written);
        } else {
            next.erase(scope);
        }
    }
    states_.push_back(std::move(next));
}

std::vector<Found> TransactionModel::candidates(const Scope& scope) const {
    const auto seen = seen_.find(scope);
    if (seen != seen_.end()) return {seen->second};
    std::vector<Found> all;
    for (std::size_t state = began_; state <= committed_.latest(); ++state) {
        all.push_back(committed_.at(state, scope));
    }
    return all;
}

Found TransactionModel::view(const Scope& scope) const {
    const auto written = written_.find(scope);
    return written != written_.end() ? written->second : candidates(scope).back();
}

void TransactionModel::found(const Scope& scope, const Found& answer) {
    if (written_.count(scope) != 0) {
        expect_equal(answer, written_.at(scope), "found, what its transaction has written");
        return;
    }
    const std::vector<Found> possible = candidates(scope);
    if (std::find(possible.begin(), possible.end(), answer) == possible.end()) {
        expect_equal(answer, possible.back(), "found");
    }
    seen_.insert_or_assign(scope, answer);
}

void TransactionModel::wrote(const Scope& scope, const std::function<bool(const Found&)>& fits,
                             const Found& written, bool answer) {
    std::vector<Found> possible = candidates(scope);
    if (written_.count(scope) != 0) {
        possible = {written_.at(scope)};
    } else if (!answer && was_overtaken()) {
        possible.push_back(committed_.now(scope));  // refused, for what was seen is not so any more
    }
    const auto reason = std::find_if(possible.begin(), possible.end(),
                                     [&](const Found& there) { return fits(there) == answer; });
    if (reason == possible.end()) {
        RC_FAIL("a write of " + describe(scope) + " returned " + (answer ? "true" : "false") +
                " where there was " + (possible.back() ? describe(*possible.back()) : "nothing"));
    }
    if (!answer) return;
    seen_.emplace(scope, *reason);
    written_.insert_or_assign(scope, written);
}

void TransactionModel::committed() const {
    for (const auto& [scope, written] : written_) {
        expect_equal(committed_.now(scope), seen_.at(scope),
                     "committed, though somebody had come in between; `expected` is what the write "
                     "stood on");
    }
}

}  // namespace counterfoil::testing
