#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "counterfoil/policy.hpp"
#include "counterfoil/retention.hpp"
#include "counterfoil/sqlite/connection.hpp"
#include "counterfoil/sqlite/purge.hpp"

namespace counterfoil::sqlite {

/// Goes through the receipts that are due at an instant, in the order in which they became so, and
/// does what sweep() says of each.
class Sweeper {
public:
    Sweeper(const PolicyBook& policies, Instant now) : policies_{policies}, now_{now} {}

    /// Does the next slice, inside an open transaction of the connection (dry_run needs none).
    ///
    /// Returns: whether there may be more.
    /// Errors:  StoreError.
    bool slice(Connection& connection, const PurgeOptions& options);

    [[nodiscard]] const PurgeReport& report() const noexcept { return report_; }

private:
    /// A row that is due, and its receipt where that can be read.
    struct Due {
        std::int64_t due_at_us{std::numeric_limits<std::int64_t>::min()};
        std::int64_t row{std::numeric_limits<std::int64_t>::min()};
        std::optional<Receipt> receipt{};
    };

    std::vector<Due> next(StatementCache& statements, int rows);
    void look_at(Connection& connection, const Due& due, PurgeMode mode);
    bool erase_forgotten(StatementCache& statements, const retention::Purge& purge) const;

    const PolicyBook& policies_;
    Instant now_;
    PurgeReport report_;
    Due reached_;  // the row that was looked at last
};

}  // namespace counterfoil::sqlite
