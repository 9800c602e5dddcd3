#include "counterfoil/memory/store.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "counterfoil/store/store_error.hpp"

namespace counterfoil::memory {

namespace {

/// What is committed, and who may change it.
struct Shelf {
    std::shared_mutex reading;          // guards `receipts`
    std::map<Scope, Receipt> receipts;  // as they were last committed, and so
    std::vector<ResolutionRecord> resolutions;
    std::mutex writing;  // held for the length of a transaction
    std::atomic<std::thread::id> writer{};
};

class MapSession final : public Session {
public:
    explicit MapSession(Shelf& shelf) : shelf_{shelf} {}

    ~MapSession() override { end(); }

    MapSession(const MapSession&) = delete;
    MapSession& operator=(const MapSession&) = delete;

    [[nodiscard]] std::optional<Receipt> peek(const Scope& scope) override {
        const std::shared_lock lock{shelf_.reading};
        const auto found = shelf_.receipts.find(scope);
        if (found == shelf_.receipts.end()) return std::nullopt;
        return found->second;
    }

    void begin() override {
        if (shelf_.writer.load() == std::this_thread::get_id()) {
            throw StoreError{StoreFault::refused,
                             "the store was called from the work of another call"};
        }
        writing_ = std::unique_lock{shelf_.writing};
        shelf_.writer = std::this_thread::get_id();
    }

    void commit() override {
        {
            const std::lock_guard lock{shelf_.reading};
            for (auto& [scope, receipt] : changed_) {
                if (receipt) {
                    shelf_.receipts.insert_or_assign(scope, *std::move(receipt));
                } else {
                    shelf_.receipts.erase(scope);
                }
            }
            for (ResolutionRecord& resolution : recorded_) {
                shelf_.resolutions.push_back(std::move(resolution));
            }
        }
        undo_.clear();
        end();
    }

    void rollback() noexcept override { end(); }

    [[nodiscard]] std::optional<Receipt> find(const Scope& scope) override {
        const auto changed = changed_.find(scope);
        return changed != changed_.end() ? changed->second : peek(scope);
    }

    [[nodiscard]] bool insert(const Receipt& receipt) override {
        if (find(receipt.scope)) return false;
        changed_.insert_or_assign(receipt.scope, receipt);
        return true;
    }

    [[nodiscard]] bool replace(const Receipt& receipt, Fence expected) override {
        if (!is_at(receipt.scope, expected)) return false;
        changed_.insert_or_assign(receipt.scope, receipt);
        return true;
    }

    [[nodiscard]] bool erase(const Scope& scope, Fence expected) override {
        if (!is_at(scope, expected)) return false;
        changed_.insert_or_assign(scope, std::nullopt);
        return true;
    }

    void record(const ResolutionRecord& resolution) override { recorded_.push_back(resolution); }

    [[nodiscard]] std::vector<ResolutionRecord> resolutions(const Scope& scope) override {
        const std::shared_lock lock{shelf_.reading};
        std::vector<ResolutionRecord> of_scope;
        std::copy_if(shelf_.resolutions.begin(), shelf_.resolutions.end(),
                     std::back_inserter(of_scope),
                     [&](const ResolutionRecord& record) { return record.scope == scope; });
        return of_scope;
    }

    [[nodiscard]] std::vector<Transaction::Undo>& undo() { return undo_; }

private:
    [[nodiscard]] bool is_at(const Scope& scope, Fence expected) {
        const std::optional<Receipt> found = find(scope);
        return found && found->fence == expected;
    }

    void end() noexcept {
        for (; !undo_.empty(); undo_.pop_back()) undo_.back()();
        changed_.clear();
        recorded_.clear();
        if (!writing_.owns_lock()) return;
        shelf_.writer = std::thread::id{};
        writing_.unlock();
    }

    Shelf& shelf_;
    std::unique_lock<std::mutex> writing_;
    std::map<Scope, std::optional<Receipt>> changed_;  // nothing: erased
    std::vector<ResolutionRecord> recorded_;
    std::vector<Transaction::Undo> undo_;
};

}  // namespace

struct Store::Parts {
    explicit Parts(Setup setup) : protocol{std::move(setup)} {}

    Protocol protocol;
    Shelf shelf;
};

Store::Store(Setup setup) : parts_{std::make_unique<Parts>(std::move(setup))} {}

Store::~Store() = default;

Reply Store::once(const Submission& submission, const Work<Transaction>& work) {
    MapSession session{parts_->shelf};
    Transaction transaction{session.undo()};
    return parts_->protocol.once(session, submission, [&] { return work(transaction); });
}

Reply Store::once(const Request& request, const Work<Transaction>& work,
                  std::string_view request_id) {
    MapSession session{parts_->shelf};
    Transaction transaction{session.undo()};
    return parts_->protocol.once(
        session, request, [&] { return work(transaction); }, request_id);
}

CompleteReply Store::complete(const Permit& permit, const CompletingWork<Transaction>& work,
                              std::string_view request_id) {
    MapSession session{parts_->shelf};
    Transaction transaction{session.undo()};
    return parts_->protocol.complete(
        session, permit, [&] { return work(transaction); }, request_id);
}

Protocol& Store::protocol() {
    return parts_->protocol;
}

void Store::with_session(const std::function<void(Session&)>& use) {
    MapSession session{parts_->shelf};
    use(session);
}

std::optional<Receipt> Store::find(const Scope& scope) {
    return MapSession{parts_->shelf}.peek(scope);
}

std::unique_ptr<Session> Store::session() {
    return std::make_unique<MapSession>(parts_->shelf);
}

const PolicyBook& Store::policies() const noexcept {
    return parts_->protocol.setup().policies;
}

}  // namespace counterfoil::memory
