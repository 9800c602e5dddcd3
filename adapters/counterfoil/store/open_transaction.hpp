#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "counterfoil/store/session.hpp"
#include "counterfoil/store/store_error.hpp"

namespace counterfoil {

/// An open transaction; ends without its writes unless it is committed.
class OpenTransaction {
public:
    explicit OpenTransaction(Session& session) : session_{session} { session_.begin(); }

    ~OpenTransaction() {
        if (open_) session_.rollback();
    }

    OpenTransaction(const OpenTransaction&) = delete;
    OpenTransaction& operator=(const OpenTransaction&) = delete;

    void commit() {
        session_.commit();
        open_ = false;
    }

private:
    Session& session_;
    bool open_{true};
};

/// Runs an attempt until it gives something; it gives nothing where a race for its scope was lost.
///
/// Errors: StoreError busy, where too many races in a row were lost.
template <class Attempt>
auto until_won(std::string_view call, Attempt&& attempt) {
    constexpr int max_lost_races = 8;
    for (int race = 0; race < max_lost_races; ++race) {
        if (auto won = attempt()) return *std::move(won);
    }
    throw StoreError{StoreFault::busy, std::string{call} + ": lost the race for its scope " +
                                           std::to_string(max_lost_races) + " times in a row"};
}

}  // namespace counterfoil
