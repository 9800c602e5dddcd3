#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "counterfoil/policy.hpp"
#include "counterfoil/request.hpp"
#include "counterfoil/store/admitter.hpp"
#include "counterfoil/store/clock.hpp"
#include "counterfoil/store/decisions.hpp"
#include "counterfoil/store/open_transaction.hpp"
#include "counterfoil/store/reply.hpp"
#include "counterfoil/store/session.hpp"

namespace counterfoil {

/// A request, and how to compare it with a receipt under another scheme than its own.
struct Question {
    const Request& request;
    std::function<void(const SchemeName&)> compare_under{};

    void prepare_for(const std::optional<Receipt>& found) const {
        if (!found || !compare_under) return;
        if (found->fingerprint.scheme != request.fingerprint.scheme) {
            compare_under(found->fingerprint.scheme);
        }
    }
};

/// Who is asked, and on what grounds.
struct Bench {
    const Decisions& decisions;
    const Policy& policy;
    Clock& clock;
    Admitter* admitter;
};

/// What judge() gave leave for: the receipt to write, and the one that it takes the place of.
struct Leave {
    Receipt receipt;
    std::optional<Fence> replaces;
    bool takes_over{};
    Why why;

    /// Writes a receipt where judge() saw nothing, or another one; false where that has changed.
    [[nodiscard]] bool put(ReceiptTable& table, const Receipt& written) const {
        return replaces ? table.replace(written, *replaces) : table.insert(written);
    }
};

/// One call for a request, from the question to the reply: what once() and claim() have in common.
///
/// `Reply` holds every verdict that gives no leave. `act` gets the open transaction (to commit or
/// to give up) and the Leave, and gives the reply, or nothing where the race for the scope was
/// lost.
template <class Reply>
class JudgedCall {
public:
    JudgedCall(std::string_view name, Session& session, const Question& question,
               const Bench& bench)
        : name_{name}, session_{session}, question_{question}, bench_{bench} {}

    template <class Act>
    Reply run(Act&& act) {
        // A completed receipt never changes until it is forgotten, so a plain read may answer it,
        // and so may it answer whatever else needs no write.
        Verdict verdict = judged(session_.peek(scope()));
        if (!asks_for_a_write(verdict)) return told(std::move(verdict));
        if (gives_leave(verdict)) {
            if (auto refused = refused_admission()) return *std::move(refused);
        }
        return until_won(name_, [&] { return under_lock(act); });
    }

private:
    [[nodiscard]] const Scope& scope() const { return question_.request.scope; }

    Verdict judged(std::optional<Receipt> found) {
        question_.prepare_for(found);
        return bench_.decisions.judge(question_.request, std::move(found), bench_.clock.now(),
                                      bench_.policy);
    }

    static bool asks_for_a_write(const Verdict& verdict) {
        if (const auto* unknown = std::get_if<verdict::Unknown>(&verdict)) {
            return unknown->write.has_value();
        }
        return gives_leave(verdict);
    }

    static bool gives_leave(const Verdict& verdict) {
        return std::holds_alternative<verdict::Create>(verdict) ||
               std::holds_alternative<verdict::TakeOver>(verdict);
    }

    /// Asks whether the request may run, once a call. Requires: no transaction of ours is open.
    std::optional<Reply> refused_admission() {
        if (asked_) return std::nullopt;
        asked_ = true;
        if (bench_.admitter == nullptr) return std::nullopt;
        session_.rest();
        const auto refused = bench_.admitter->refusal_of(question_.request);
        if (!refused) return std::nullopt;
        return reply::NotAdmitted{*refused};
    }

    /// The reply of a verdict that gives no leave.
    static Reply told(Verdict&& verdict) {
        return std::visit(
            []<class Told>(Told& told) -> Reply {
                if constexpr (std::is_constructible_v<Reply, Told&&>) {
                    return std::move(told);
                } else {
                    throw std::logic_error{"leave was taken for a refusal"};
                }
            },
            verdict);
    }

    /// One transaction; nothing where the race for the scope was lost.
    template <class Act>
    std::optional<Reply> under_lock(Act& act) {
        std::optional<OpenTransaction> transaction{std::in_place, session_};
        Verdict verdict = judged(session_.find(scope()));
        if (gives_leave(verdict) && !asked_) {
            // What gave no leave outside the lock does so under it. To ask here would keep
            // everybody else waiting; judged again with the answer.
            transaction.reset();
            return refused_admission();
        }
        if (auto* create = std::get_if<verdict::Create>(&verdict)) {
            return act(transaction, {.receipt = std::move(create->receipt),
                                     .replaces = create->replaces,
                                     .takes_over = false,
                                     .why = create->why});
        }
        if (auto* take_over = std::get_if<verdict::TakeOver>(&verdict)) {
            return act(transaction, {.receipt = std::move(take_over->receipt),
                                     .replaces = take_over->replaces,
                                     .takes_over = true,
                                     .why = take_over->why});
        }
        if (auto* unknown = std::get_if<verdict::Unknown>(&verdict);
            unknown != nullptr && unknown->write) {
            if (!session_.replace(unknown->write->receipt, unknown->write->expected)) {
                return std::nullopt;
            }
            transaction->commit();
            return std::move(*unknown);
        }
        return told(std::move(verdict));
    }

    std::string_view name_;
    Session& session_;
    const Question& question_;
    Bench bench_;
    bool asked_{false};
};

}  // namespace counterfoil
