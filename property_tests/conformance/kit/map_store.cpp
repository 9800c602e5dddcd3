#include "counterfoil/testing/map_store.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "counterfoil/store/store_error.hpp"
#include "damage.hpp"

namespace counterfoil::testing {

namespace {

/// A scope as the store tells it from others.
using Label = std::tuple<std::string, std::string, std::string>;

std::string lowercased(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

Label label_of(const Scope& scope, Defect defect) {
    constexpr std::size_t cut = 128;
    std::string tenant = scope.tenant.text();
    std::string operation = scope.operation.text();
    std::string key = scope.key.text();
    switch (defect) {
        case Defect::tenant_is_left_out: return {"", operation, key};
        case Defect::operation_is_left_out: return {tenant, "", key};
        case Defect::key_is_left_out: return {tenant, operation, ""};
        case Defect::scope_is_run_together: return {tenant + operation + key, "", ""};
        case Defect::scope_ignores_case:
            return {lowercased(tenant), lowercased(operation), lowercased(key)};
        case Defect::key_is_cut: return {tenant, operation, key.substr(0, cut)};
        default: return {tenant, operation, key};
    }
}

using Receipts = std::map<Label, Receipt>;
using Writes = std::vector<std::pair<Label, std::optional<Receipt>>>;  // nothing: erased

void apply_all(const Writes& writes, Receipts& receipts) {
    for (const auto& [label, receipt] : writes) {
        if (receipt) {
            receipts.insert_or_assign(label, *receipt);
        } else {
            receipts.erase(label);
        }
    }
}

/// What is committed, what would be read again from the disk, and the lock of whoever writes.
class Shelf {
public:
    explicit Shelf(Defect defect) : defect_{defect} {}

    [[nodiscard]] bool has(Defect defect) const { return defect_ == defect; }

    [[nodiscard]] Defect defect() const { return defect_; }

    void lock() {
        constexpr std::chrono::seconds patience{5};
        std::unique_lock guard{mutex_};
        const auto me = std::this_thread::get_id();
        const bool had = writer_ != me && left_.wait_for(guard, patience, [&] {
            return writer_ == std::thread::id{};
        });
        if (!had) throw StoreError{StoreFault::busy, "another transaction is open"};
        writer_ = me;
    }

    void unlock() {
        const std::lock_guard guard{mutex_};
        writer_ = {};
        left_.notify_all();
    }

    void wait_for_writer() {
        std::unique_lock guard{mutex_};
        left_.wait(guard, [&] {
            return writer_ == std::thread::id{} || writer_ == std::this_thread::get_id();
        });
    }

    [[nodiscard]] Receipts receipts() {
        const std::lock_guard guard{mutex_};
        return receipts_;
    }

    [[nodiscard]] std::optional<Receipt> find(const Label& label) {
        const std::lock_guard guard{mutex_};
        const auto found = receipts_.find(label);
        if (found == receipts_.end()) return std::nullopt;
        return found->second;
    }

    void write(const Writes& writes) {
        const std::lock_guard guard{mutex_};
        apply_all(writes, receipts_);
        if (has(Defect::reopening_brings_back_what_was_erased)) {
            for (const auto& [label, receipt] : writes) {
                if (receipt) durable_.insert_or_assign(label, *receipt);
            }
        } else if (!has(Defect::reopening_forgets)) {
            durable_ = receipts_;
        }
    }

    void record(const std::vector<ResolutionRecord>& resolutions) {
        const std::lock_guard guard{mutex_};
        resolutions_.insert(resolutions_.end(), resolutions.begin(), resolutions.end());
    }

    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope) {
        const std::lock_guard guard{mutex_};
        std::vector<ResolutionRecord> of_scope;
        std::copy_if(resolutions_.begin(), resolutions_.end(), std::back_inserter(of_scope),
                     [&](const ResolutionRecord& one) {
                         return has(Defect::audit_rows_are_everybodys) || one.scope == scope;
                     });
        return of_scope;
    }

    void replace_all(Receipts receipts) {
        const std::lock_guard guard{mutex_};
        receipts_ = std::move(receipts);
    }

    void reopen() {
        const std::lock_guard guard{mutex_};
        receipts_ = durable_;
    }

private:
    Defect defect_;
    std::mutex mutex_;
    std::condition_variable left_;
    std::thread::id writer_;
    Receipts receipts_;
    Receipts durable_;
    std::vector<ResolutionRecord> resolutions_;
};

class MapSession final : public Session {
public:
    explicit MapSession(Shelf& shelf) : shelf_{shelf}, at_start_{shelf.receipts()} {}

    ~MapSession() override {
        if (!open_) return;
        if (has(Defect::gone_session_keeps_the_lock)) return;
        if (has(Defect::gone_session_commits)) shelf_.write(writes_);
        end();
    }

    MapSession(const MapSession&) = delete;
    MapSession& operator=(const MapSession&) = delete;

    [[nodiscard]] std::optional<Receipt> peek(const Scope& scope) override {
        if (has(Defect::peek_waits_for_the_writer)) shelf_.wait_for_writer();
        if (has(Defect::peek_is_stale)) return found_in(at_start_, scope);
        return shelf_.find(label(scope));
    }

    void begin() override {
        if (locks()) shelf_.lock();
        open_ = true;
        if (has(Defect::commit_writes_back_the_whole_map)) at_start_ = shelf_.receipts();
    }

    void commit() override {
        if (has(Defect::commit_loses_the_last_write) && !writes_.empty()) writes_.pop_back();
        if (has(Defect::commit_loses_erasures)) {
            std::erase_if(writes_, [](const auto& write) { return !write.second; });
        }
        if (has(Defect::commit_is_piecemeal)) {
            for (const auto& write : writes_) {
                shelf_.write({write});
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
            }
        } else if (has(Defect::commit_writes_back_the_whole_map)) {
            apply_all(writes_, at_start_);
            shelf_.replace_all(at_start_);
        } else {
            shelf_.write(writes_);
        }
        shelf_.record(recorded_);
        writes_.clear();
        recorded_.clear();
        end();
    }

    void rollback() noexcept override {
        if (!open_) return;
        if (has(Defect::rollback_keeps)) shelf_.write(writes_);
        if (!has(Defect::rollback_leaves_the_writes_to_the_session)) writes_.clear();
        recorded_.clear();
        end();
    }

    void record(const ResolutionRecord& resolution) override {
        constexpr std::size_t cut = 128;
        if (has(Defect::audit_rows_are_lost)) return;
        recorded_.push_back(resolution);
        if (has(Defect::evidence_is_cut))
            recorded_.back().evidence.resize(std::min(cut, resolution.evidence.size()));
        if (has(Defect::audit_rows_survive_a_rollback)) {
            shelf_.record(recorded_);
            recorded_.clear();
        }
    }

    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope) override {
        return shelf_.resolutions(scope);
    }

    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) override {
        if (has(Defect::own_writes_are_not_found)) return shelf_.find(label(scope));
        return view(scope);
    }

    [[nodiscard]] bool insert(const Receipt& receipt) override {
        if (view(receipt.scope)) {
            if (has(Defect::insert_claims_to_have_written)) return true;
            if (!has(Defect::insert_overwrites)) return false;
        }
        put(receipt.scope, stored(receipt, shelf_.defect()));
        return true;
    }

    [[nodiscard]] bool replace(const Receipt& receipt, Fence expected) override {
        const std::optional<Receipt> there = view(receipt.scope);
        if (!there && !has(Defect::replace_inserts)) return false;
        if (there && !may_replace(*there, expected)) return false;
        Receipt written = stored(receipt, shelf_.defect());
        if (there && has(Defect::replace_keeps_the_hold)) written.hold = there->hold;
        if (there && has(Defect::replace_keeps_the_field_digests)) written.fields = there->fields;
        if (has(Defect::replace_writes_to_the_whole_tenant)) {
            for (const Scope& scope : scopes_of(receipt.scope.tenant)) put(scope, written);
        }
        put(receipt.scope, std::move(written));
        return true;
    }

    [[nodiscard]] bool erase(const Scope& scope, Fence expected) override {
        const std::optional<Receipt> there = view(scope);
        if (!there) return has(Defect::erase_of_nothing_is_true);
        if (there->fence != expected && !has(Defect::erase_ignores_the_fence)) return false;
        if (has(Defect::erase_takes_the_whole_tenant)) {
            for (const Scope& other : scopes_of(scope.tenant)) put(other, std::nullopt);
        }
        put(scope, std::nullopt);
        return true;
    }

private:
    [[nodiscard]] bool has(Defect defect) const { return shelf_.has(defect); }

    [[nodiscard]] bool locks() const {
        return !has(Defect::nobody_locks) && !has(Defect::commit_writes_back_the_whole_map);
    }

    [[nodiscard]] Label label(const Scope& scope) const { return label_of(scope, shelf_.defect()); }

    [[nodiscard]] bool may_replace(const Receipt& there, Fence expected) const {
        if (has(Defect::replace_ignores_the_fence)) return true;
        if (has(Defect::replace_takes_an_older_fence)) return expected <= there.fence;
        return expected == there.fence;
    }

    std::optional<Receipt> found_in(const Receipts& receipts, const Scope& scope) const {
        const auto found = receipts.find(label(scope));
        if (found == receipts.end()) return std::nullopt;
        return found->second;
    }

    /// What the transaction takes for so.
    std::optional<Receipt> view(const Scope& scope) {
        const Label wanted = label(scope);
        const auto last = std::find_if(writes_.rbegin(), writes_.rend(),
                                       [&](const auto& write) { return write.first == wanted; });
        if (last != writes_.rend()) return last->second;
        if (has(Defect::find_is_stale)) return found_in(at_start_, scope);
        return shelf_.find(wanted);
    }

    [[nodiscard]] std::vector<Scope> scopes_of(const Tenant& tenant) {
        std::vector<Scope> scopes;
        for (const auto& [label, receipt] : shelf_.receipts()) {
            if (receipt.scope.tenant == tenant) scopes.push_back(receipt.scope);
        }
        return scopes;
    }

    void put(const Scope& scope, std::optional<Receipt> receipt) {
        if (receipt) receipt->scope = scope;
        if (has(Defect::writes_are_seen_before_the_commit)) {
            shelf_.write({{label(scope), receipt}});
        }
        writes_.emplace_back(label(scope), std::move(receipt));
    }

    void end() {
        open_ = false;
        if (locks()) shelf_.unlock();
    }

    Shelf& shelf_;
    Receipts at_start_;
    bool open_{false};
    Writes writes_;
    std::vector<ResolutionRecord> recorded_;
};

class MapSubject final : public Subject {
public:
    explicit MapSubject(Defect defect) : defect_{defect} { open(); }

    [[nodiscard]] std::vector<Ability> abilities() const override {
        return {Ability::two_sessions, Ability::threads, Ability::reopen};
    }

    void make_empty() override { open(); }

    [[nodiscard]] std::unique_ptr<Session> session() override {
        return std::make_unique<MapSession>(*shelf_);
    }

    void reopen() override { shelf_->reopen(); }

private:
    void open() { shelf_ = std::make_unique<Shelf>(defect_); }

    Defect defect_;
    std::unique_ptr<Shelf> shelf_;
};

}  // namespace

std::unique_ptr<Subject> map_store(Defect defect) {
    return std::make_unique<MapSubject>(defect);
}

}  // namespace counterfoil::testing
