#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "counterfoil/store/claim_reply.hpp"
#include "counterfoil/store/store_error.hpp"

namespace counterfoil {

/// A claim that can't be forgotten: one that goes out of scope without an end is abandoned.
///
/// Abandoning says what the policy's table says of a 500: the key is free again where the effect
/// had surely not begun, and else the receipt is marked unknown, as it is in a claim that was taken
/// over. It may have begun from the moment at which downstream_key() was called or effect_begins()
/// said so. The store's Observer hears of it as the call `abandon`. Where that can't be written,
/// the lease runs out, and what the policy says of that happens.
///
/// `Store` is any store that has Claims.
///
/// Requires: the store outlives it.
/// Threads:  one at a time.
template <class Store>
class HeldClaim {
public:
    /// `request_id` is the embedder's name for this attempt, for the Observer.
    HeldClaim(Store& store, reply::Claimed claimed, std::string_view request_id = {})
        : store_{&store}, claimed_{std::move(claimed)}, request_id_{request_id} {}

    HeldClaim(HeldClaim&& other) noexcept
        : store_{std::exchange(other.store_, nullptr)},
          claimed_{std::move(other.claimed_)},
          request_id_{std::move(other.request_id_)},
          effect_{other.effect_} {}

    HeldClaim(const HeldClaim&) = delete;
    HeldClaim& operator=(const HeldClaim&) = delete;
    HeldClaim& operator=(HeldClaim&&) = delete;

    ~HeldClaim() {
        if (!is_held()) return;
        try {
            static_cast<void>(store_->abandon(claimed_.permit, effect_, request_id_));
        } catch (...) {  // NOLINT(bugprone-empty-catch): the lease runs out
        }
    }

    /// What was claimed. Permit and attempt stay; lease_end is as the last renew() left it.
    [[nodiscard]] const reply::Claimed& claimed() const noexcept { return claimed_; }

    /// Whether it still has to end.
    [[nodiscard]] bool is_held() const noexcept { return store_ != nullptr; }

    /// The key for a provider (Claimed::downstream_key). Whoever asks for it is about to act: from
    /// now on the effect may have begun.
    [[nodiscard]] std::string downstream_key(std::string_view step) {
        effect_begins();
        return claimed_.downstream_key(step);
    }

    [[nodiscard]] std::string downstream_key() {
        effect_begins();
        return claimed_.downstream_key();
    }

    /// From now on the effect may have begun.
    void effect_begins() noexcept { effect_ = Effect::may_have_begun; }

    // Each is the store's function of the same name, under this permit. A claim that has ended, or
    // whose permit is refused, is held no more; one whose call throws still is.
    //
    // Requires: is_held().

    /// `answer` is an Outcome, or work that writes rows and gives one.
    template <class AnswerOrWork>
    [[nodiscard]] CompleteReply complete(AnswerOrWork&& answer) {
        return ended(
            store_->complete(claimed_.permit, std::forward<AnswerOrWork>(answer), request_id_));
    }

    [[nodiscard]] Release release() { return ended(store_->release(claimed_.permit, request_id_)); }

    [[nodiscard]] Marking mark_unknown() {
        return ended(store_->mark_unknown(claimed_.permit, request_id_));
    }

    [[nodiscard]] Renewal renew() {
        Renewal renewal = kept(store_->renew(claimed_.permit, request_id_));
        if (const auto* renewed = std::get_if<settled::Renewed>(&renewal)) {
            claimed_.lease_end =
                std::get<state::InProgress>(renewed->write.receipt.state).lease_end;
        }
        return renewal;
    }

    [[nodiscard]] Checkpointing checkpoint(const Checkpoint& reached) {
        return kept(store_->checkpoint(claimed_.permit, reached, request_id_));
    }

    /// Leaves it to its lease, on purpose: the next equal request takes over when that is over, if
    /// the policy lets it.
    void leave_to_lapse() noexcept { store_ = nullptr; }

private:
    template <class Transition>
    Transition ended(Transition transition) {
        store_ = nullptr;
        return transition;
    }

    /// The first alternative says that it went well.
    template <class Transition>
    Transition kept(Transition transition) {
        if (transition.index() != 0) store_ = nullptr;
        return transition;
    }

    Store* store_;
    reply::Claimed claimed_;
    std::string request_id_;
    Effect effect_{Effect::not_begun};
};

}  // namespace counterfoil
