#include "counterfoil/sqlite/store.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/gate.hpp"
#include "counterfoil/sqlite/pool.hpp"
#include "counterfoil/sqlite/pooled_session.hpp"
#include "counterfoil/sqlite/sweeper.hpp"

namespace counterfoil::sqlite {

namespace {

/// Work on the connection that its session has by then. Two references are what a std::function
/// holds without allocating.
struct WorkOnSession {
    PooledSession& session;
    const Work<Transaction>& work;

    Outcome operator()() const {
        SQLite::Database& database = session.connection().database();
        Transaction transaction{database, session.connection().statements()};
        Outcome outcome = work(transaction);
        expect_open_transaction(database);
        return outcome;
    }
};

}  // namespace

struct Store::Parts {
    Parts(const std::filesystem::path& file, Setup setup, Settings settings)
        : protocol{std::move(setup)}, pool{file, std::move(settings)} {}

    Protocol protocol;
    Pool pool;
    Gate gate;
};

Store::Store(const std::filesystem::path& file, Setup setup, Settings settings)
    : parts_{std::make_unique<Parts>(file, std::move(setup), std::move(settings))} {}

Store::~Store() = default;

Reply Store::once(const Submission& submission, const Work<Transaction>& work) {
    PooledSession session{parts_->pool, parts_->gate};
    return parts_->protocol.once(session, submission, WorkOnSession{session, work});
}

Reply Store::once(const Request& request, const Work<Transaction>& work,
                  std::string_view request_id) {
    PooledSession session{parts_->pool, parts_->gate};
    return parts_->protocol.once(session, request, WorkOnSession{session, work}, request_id);
}

void Store::write(const std::function<void(const Transaction&)>& run) {
    PooledSession session{parts_->pool, parts_->gate};
    session.begin();
    run(Transaction{session.connection().database(), session.connection().statements()});
    session.commit();
}

std::optional<Receipt> Store::find(const Scope& scope) {
    return PooledSession{parts_->pool, parts_->gate}.peek(scope);
}

PurgeReport Store::purge(const PurgeOptions& options) {
    const Setup& setup = parts_->protocol.setup();
    Sweeper sweeper{setup.policies, setup.clock->now()};
    for (bool more = true; more;) {
        const auto start = std::chrono::steady_clock::now();
        PooledSession session{parts_->pool, parts_->gate};
        if (options.mode == PurgeMode::write) {
            session.begin();
            more = sweeper.slice(session.connection(), options);
            session.commit();
        } else {
            more = sweeper.slice(*parts_->pool.lend(), options);
        }
        if (options.progress && !options.progress(sweeper.report())) break;
        if (more) {
            std::this_thread::sleep_for(options.pause * (std::chrono::steady_clock::now() - start));
        }
    }
    return sweeper.report();
}

std::unique_ptr<Session> Store::session() {
    return std::make_unique<PooledSession>(parts_->pool, parts_->gate);
}

const PolicyBook& Store::policies() const noexcept {
    return parts_->protocol.setup().policies;
}

}  // namespace counterfoil::sqlite
