#include "counterfoil/sqlite/pooled_session.hpp"

#include "counterfoil/sqlite/resolution_rows.hpp"
#include "counterfoil/store/store_error.hpp"

namespace counterfoil::sqlite {

Connection& PooledSession::leased() {
    if (!lease_) {
        lease_ = pool_.lend();
        absent_.reset();  // what another connection knew of the file's state says nothing here
    }
    return *lease_;
}

std::optional<Receipt> PooledSession::peek(const Scope& scope) {
    Connection& connection = leased();
    std::optional<Receipt> found = connection.rows().find(scope);
    if (!found) absent_ = Absence{scope, connection.data_version()};
    return found;
}

void PooledSession::begin() {
    if (gate_.is_inside()) {
        throw StoreError{StoreFault::refused,
                         "the store was called from the work of another call: use the "
                         "transaction that the work was given"};
    }
    if (!gate_.try_enter()) {
        lease_ = {};
        if (!gate_.enter(pool_.settings().busy_timeout)) {
            throw StoreError{StoreFault::busy,
                             "waiting to write: other threads of this process were first"};
        }
    }
    try {
        leased().begin();
    } catch (...) {
        gate_.leave();
        throw;
    }
    inside_ = true;
}

void PooledSession::commit() {
    lease_->commit();
    inside_ = false;
    gate_.leave();
}

void PooledSession::rollback() noexcept {
    if (!inside_) return;
    lease_->rollback();
    inside_ = false;
    gate_.leave();
}

std::optional<Receipt> PooledSession::find(const Scope& scope) {
    // The number was read after the file was; it is the same still if nobody has committed since.
    if (absent_ && absent_->scope == scope && absent_->data_version == lease_->data_version()) {
        return std::nullopt;
    }
    return lease_->rows().find(scope);
}

void PooledSession::rest() {
    if (!inside_) lease_ = {};
}

bool PooledSession::insert(const Receipt& receipt) {
    absent_.reset();
    return lease_->rows().insert(receipt);
}

bool PooledSession::replace(const Receipt& receipt, Fence expected) {
    return lease_->rows().replace(receipt, expected);
}

bool PooledSession::erase(const Scope& scope, Fence expected) {
    return lease_->rows().erase(scope, expected);
}

void PooledSession::record(const ResolutionRecord& resolution) {
    insert_resolution(lease_->statements(), resolution);
}

std::vector<ResolutionRecord> PooledSession::resolutions(const Scope& scope) {
    return find_resolutions(leased().statements(), scope);
}

}  // namespace counterfoil::sqlite
