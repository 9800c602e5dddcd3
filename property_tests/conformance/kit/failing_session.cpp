#include "failing_session.hpp"

#include "counterfoil/store/store_error.hpp"

namespace counterfoil::testing {

bool Fuse::counts_down() {
    if (blown_) return extent_ == Extent::for_good;
    blown_ = --left_ == 0;
    return blown_;
}

void Fuse::fail() {
    throw StoreError{StoreFault::unavailable, "the kit makes this call fail"};
}

std::optional<Receipt> FailingSession::peek(const Scope& scope) {
    return fuse_.through(false, [&] { return inner_->peek(scope); });
}

void FailingSession::begin() {
    bool has_begun = false;
    try {
        fuse_.through(false, [&] {
            inner_->begin();
            has_begun = true;
            return true;
        });
    } catch (...) {
        // Its caller takes it for not begun.
        if (has_begun) inner_->rollback();
        throw;
    }
}

void FailingSession::commit() {
    fuse_.through(true, [&] {
        inner_->commit();
        return true;
    });
}

void FailingSession::rollback() noexcept {
    inner_->rollback();
}

std::optional<Receipt> FailingSession::find(const Scope& scope) {
    return fuse_.through(false, [&] { return inner_->find(scope); });
}

bool FailingSession::insert(const Receipt& receipt) {
    return fuse_.through(false, [&] { return inner_->insert(receipt); });
}

bool FailingSession::replace(const Receipt& receipt, Fence expected) {
    return fuse_.through(false, [&] { return inner_->replace(receipt, expected); });
}

bool FailingSession::erase(const Scope& scope, Fence expected) {
    return fuse_.through(false, [&] { return inner_->erase(scope, expected); });
}

void FailingSession::record(const ResolutionRecord& resolution) {
    fuse_.through(false, [&] {
        inner_->record(resolution);
        return true;
    });
}

std::vector<ResolutionRecord> FailingSession::resolutions(const Scope& scope) {
    return fuse_.through(false, [&] { return inner_->resolutions(scope); });
}

std::optional<Receipt> OvertakenSession::peek(const Scope& scope) {
    return inner_->peek(scope);
}

void OvertakenSession::begin() {
    inner_->begin();
}

void OvertakenSession::commit() {
    inner_->commit();
}

void OvertakenSession::rollback() noexcept {
    inner_->rollback();
}

std::optional<Receipt> OvertakenSession::find(const Scope& scope) {
    return inner_->find(scope);
}

bool OvertakenSession::insert(const Receipt& receipt) {
    let_the_rival_in();
    return inner_->insert(receipt);
}

bool OvertakenSession::replace(const Receipt& receipt, Fence expected) {
    let_the_rival_in();
    return inner_->replace(receipt, expected);
}

bool OvertakenSession::erase(const Scope& scope, Fence expected) {
    let_the_rival_in();
    return inner_->erase(scope, expected);
}

void OvertakenSession::record(const ResolutionRecord& resolution) {
    inner_->record(resolution);
}

std::vector<ResolutionRecord> OvertakenSession::resolutions(const Scope& scope) {
    return inner_->resolutions(scope);
}

void OvertakenSession::let_the_rival_in() {
    if (!rival_) return;
    inner_->rollback();
    std::exchange(rival_, {})();
    inner_->begin();
}

}  // namespace counterfoil::testing
