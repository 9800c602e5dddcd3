#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "counterfoil/instant.hpp"
#include "counterfoil/names.hpp"
#include "counterfoil/receipt.hpp"
#include "counterfoil/settle.hpp"
#include "counterfoil/sqlite/attempts.hpp"

namespace counterfoil::sqlite {

/// Which receipts are listed: those that fit all that is set.
struct ReceiptFilter {
    std::optional<Tenant> tenant{};
    std::optional<Operation> operation{};
    std::string key_prefix{};
    std::optional<std::string> state{};       ///< a word of word(State)
    std::optional<Instant> created_from{};    ///< inclusive
    std::optional<Instant> created_before{};  ///< exclusive
    std::optional<Instant> lapsed_at{};       ///< in progress, and the lease over at this instant
};

/// A row of a listing, or why it can't be read.
struct ListedReceipt {
    std::int64_t row{};  ///< rises in the order in which receipts were first written
    std::optional<Receipt> receipt{};
    std::string fault{};
};

/// What a file holds, at a glance.
struct FileStats {
    std::map<std::string, std::uint64_t> states{};  ///< receipts by the state's word
    std::optional<Instant> oldest_created{};
    std::optional<Instant> newest_created{};
    std::uint64_t lapsed{};                      ///< in progress with the lease over
    std::optional<Instant> oldest_unresolved{};  ///< since when the oldest unknown one is so
    std::uint64_t due{};                         ///< receipts that a purge would look at
    std::optional<Instant> oldest_due{};         ///< since when the first of them is due
    std::uint64_t held{};                        ///< receipts on hold
    std::uint64_t body_bytes{};                  ///< of the answers that are kept
    std::uint64_t file_bytes{};
    std::uint64_t log_bytes{};            ///< of the write-ahead log
    std::vector<std::uint64_t> by_age{};  ///< receipts by age, as age_limits() bounds them

    [[nodiscard]] std::uint64_t receipts() const;
};

/// The upper bounds of the ages in FileStats::by_age, exclusive; what is older comes last.
[[nodiscard]] const std::vector<Span>& age_limits();

/// Looks at a file of receipts and can't change it. Each call is a short read of its own, so that
/// no writer is kept from emptying the write-ahead log.
///
/// Threads: one at a time.
class Reader {
public:
    /// Opens a file that is there, read-only.
    ///
    /// Errors: StoreError: refused for a file that holds no receipts, of another application, or of
    ///         another schema version, and for a folder; corrupt for what is no database;
    ///         unavailable where there is no file, or no permission; busy.
    explicit Reader(const std::filesystem::path& file,
                    std::chrono::milliseconds busy_timeout = std::chrono::seconds{5});
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Errors: StoreError, corrupt where the row can't be read.
    [[nodiscard]] std::optional<Receipt> find(const Scope& scope);

    /// The last calls for a scope that the log of attempts has (Settings::attempts), the oldest
    /// first, whether it keeps keys plain or hashed. They are looked for from the end of the log
    /// on, so that takes the longer the fewer there are.
    ///
    /// Errors: StoreError, corrupt where one can't be read.
    [[nodiscard]] std::vector<Attempt> attempts(const Scope& scope, int limit);

    /// Tells every call from an instant (inclusive) to another (exclusive), the oldest first.
    ///
    /// Errors: StoreError, corrupt where one can't be read.
    void for_each_attempt(Instant from, Instant before,
                          const std::function<void(const Attempt&)>& tell);

    /// The audit rows of a scope, the oldest first.
    ///
    /// Errors: StoreError, corrupt where one can't be read.
    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope);

    /// The next receipts that fit, the newest first: all if `below` is nothing, else those of lower
    /// rows. Fewer than `limit` are the last. A tenant's are found by reading all: an index on
    /// (tenant) is an operator's to add.
    ///
    /// Errors: StoreError. A row that can't be read is told and doesn't end the listing.
    [[nodiscard]] std::vector<ListedReceipt> list(const ReceiptFilter& filter,
                                                  std::optional<std::int64_t> below, int limit);

    /// Errors: StoreError.
    [[nodiscard]] FileStats stats(Instant now);

    /// Has SQLite check the file, reads every row, and tells every fault.
    ///
    /// Returns: how many receipts were read.
    /// Errors:  StoreError.
    std::uint64_t verify(const std::function<void(const std::string& fault)>& tell);

private:
    /// Reads every receipt and tells of those that it can't; counts as it goes.
    void read_all(const std::function<void(const std::string& fault)>& tell, std::uint64_t& read);

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace counterfoil::sqlite
