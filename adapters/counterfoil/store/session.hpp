#pragma once

#include <optional>
#include <vector>

#include "counterfoil/names.hpp"
#include "counterfoil/receipt.hpp"
#include "counterfoil/settle.hpp"

namespace counterfoil {

/// The receipts as one open transaction sees them. All that a backend has to know about receipts:
/// it finds and writes whole values, and decides nothing.
class ReceiptTable {
public:
    ReceiptTable() = default;
    ReceiptTable(const ReceiptTable&) = delete;
    ReceiptTable& operator=(const ReceiptTable&) = delete;
    virtual ~ReceiptTable() = default;

    /// The receipt of a scope, equal in every member to the one that was written.
    [[nodiscard]] virtual std::optional<Receipt> find(const Scope& scope) = 0;

    /// Writes a receipt of a scope that has none.
    ///
    /// Returns: false, and nothing is written, where somebody was first.
    [[nodiscard]] virtual bool insert(const Receipt& receipt) = 0;

    /// Writes a receipt in the place of the one of its scope whose fence is `expected`.
    ///
    /// Returns: false, and nothing is written, where there is none or its fence is another.
    [[nodiscard]] virtual bool replace(const Receipt& receipt, Fence expected) = 0;

    /// Takes away the receipt of a scope whose fence is `expected`.
    ///
    /// Returns: false, and nothing is written, where there is none or its fence is another.
    [[nodiscard]] virtual bool erase(const Scope& scope, Fence expected) = 0;
};

/// One caller's way to a store: the transactions that the protocol (protocol.hpp) needs, one after
/// the other. Writing a store means writing this; conformance.hpp of counterfoil::testing holds it
/// to what is said here.
///
/// - What find() saw stays so until the transaction ends, and a write that it led to is only made
///   if it is still so: by a lock, or by refusing (false, or StoreError busy at commit()).
/// - Writes are seen by find() in the same transaction at once, and by everybody else at commit(),
///   all of them or none.
/// - Every function may throw StoreError. Afterwards the transaction, if there was one, can only be
///   rolled back, and nothing of it is ever seen.
///
/// Threads: one at a time. Different sessions of one store are used at the same time.
class Session : public ReceiptTable {
public:
    /// The receipt of a scope as it was last committed, outside a transaction and without waiting
    /// for anybody's lock.
    [[nodiscard]] virtual std::optional<Receipt> peek(const Scope& scope) = 0;

    /// Adds an audit row, which is never changed and outlives its receipt.
    virtual void record(const ResolutionRecord& resolution) = 0;

    /// The audit rows of a scope as they were last committed, the oldest first, equal in every
    /// member to those that were recorded.
    [[nodiscard]] virtual std::vector<ResolutionRecord> resolutions(const Scope& scope) = 0;

    /// Opens a transaction that reads and then writes.
    ///
    /// Errors: StoreError busy, where its lock is not had in time.
    virtual void begin() = 0;

    /// Ends the transaction, with all its writes as durable as the store is.
    virtual void commit() = 0;

    /// Ends the transaction without its writes. There may be none any more.
    virtual void rollback() noexcept = 0;

    /// Says that the caller pauses, outside a transaction: whatever others could use meanwhile
    /// (a connection) is given back.
    virtual void rest() {}
};

}  // namespace counterfoil
