#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "counterfoil/fingerprint.hpp"

namespace counterfoil {

/// Fingerprinters for as many calls as are under way. They are for one thread each and dear to
/// make, so they are lent.
///
/// Threads: any.
class FingerprinterPool {
public:
    explicit FingerprinterPool(Secrets secrets) : secrets_{std::move(secrets)} {}

    template <class Use>
    auto with_one(Use&& use) {
        std::unique_ptr<Fingerprinter> fingerprinter = take();
        auto result = std::forward<Use>(use)(*fingerprinter);
        const std::lock_guard lock{mutex_};
        idle_.push_back(std::move(fingerprinter));
        return result;
    }

private:
    std::unique_ptr<Fingerprinter> take() {
        {
            const std::lock_guard lock{mutex_};
            if (!idle_.empty()) {
                std::unique_ptr<Fingerprinter> last = std::move(idle_.back());
                idle_.pop_back();
                return last;
            }
        }
        return std::make_unique<Fingerprinter>(secrets_);
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Fingerprinter>> idle_;
    Secrets secrets_;
};

}  // namespace counterfoil
