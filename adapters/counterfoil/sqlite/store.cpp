#include "counterfoil/sqlite/store.hpp"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "counterfoil/sqlite/attempt_log.hpp"
#include "counterfoil/sqlite/attempt_rows.hpp"
#include "counterfoil/sqlite/errors.hpp"
#include "counterfoil/sqlite/gate.hpp"
#include "counterfoil/sqlite/pool.hpp"
#include "counterfoil/sqlite/pooled_session.hpp"
#include "counterfoil/sqlite/sweeper.hpp"

namespace counterfoil::sqlite {

namespace {

/// Work on the connection that its session has by then. Two references are what a std::function
/// holds without allocating.
template <class AnyWork>
struct WorkOnSession {
    PooledSession& session;
    const AnyWork& work;

    Outcome operator()() const {
        SQLite::Database& database = session.connection().database();
        Transaction transaction{database, session.connection().statements()};
        Outcome outcome = work(transaction);
        expect_open_transaction(database);
        return outcome;
    }
};

template <class AnyWork>
WorkOnSession(PooledSession&, const AnyWork&) -> WorkOnSession<AnyWork>;

}  // namespace

struct Store::Parts {
    Parts(const std::filesystem::path& file, Setup setup, Settings settings)
        : pool{file, std::move(settings)}, protocol{observed(std::move(setup))} {}

    /// With the log of attempts in the observer's place, where one is asked for.
    Setup observed(Setup setup) {
        if (const std::optional<AttemptSettings>& wanted = pool.settings().attempts) {
            attempts.emplace(*wanted, *setup.clock, setup.observer,
                             [this](const std::vector<AttemptRow>& rows) { write(rows); });
            setup.observer = &*attempts;
        }
        return setup;
    }

    void write(const std::vector<AttemptRow>& rows) {
        in_transaction([&](Connection& connection) {
            for (const AttemptRow& row : rows) insert_attempt(connection.statements(), row);
        });
    }

    /// From before when calls are to be taken out of the log; nothing where they are not.
    [[nodiscard]] std::optional<Instant> attempts_end(const PurgeOptions& options) const {
        std::optional<Span> age = options.attempts_older_than;
        if (!age && pool.settings().attempts) age = pool.settings().attempts->keep;
        if (!age || options.mode == PurgeMode::dry_run) return std::nullopt;
        return protocol.setup().clock->now() - *age;
    }

    /// Runs slices until one says that there is no more, each followed by a pause for the writers.
    template <class Slice>
    static void in_slices(const PurgeOptions& options, const Slice& slice) {
        for (bool more = true; more;) {
            const auto start = std::chrono::steady_clock::now();
            more = slice();
            if (!more) return;
            std::this_thread::sleep_for(options.pause * (std::chrono::steady_clock::now() - start));
        }
    }

    template <class Run>
    void in_transaction(const Run& run) {
        PooledSession session{pool, gate};
        session.begin();
        run(session.connection());
        session.commit();
    }

    Pool pool;
    Gate gate;
    std::optional<AttemptLog> attempts;
    Protocol protocol;
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

CompleteReply Store::complete(const Permit& permit, const CompletingWork<Transaction>& work,
                              std::string_view request_id) {
    PooledSession session{parts_->pool, parts_->gate};
    return parts_->protocol.complete(session, permit, WorkOnSession{session, work}, request_id);
}

Protocol& Store::protocol() {
    return parts_->protocol;
}

void Store::with_session(const std::function<void(Session&)>& use) {
    PooledSession session{parts_->pool, parts_->gate};
    use(session);
}

void Store::write(const std::function<void(const Transaction&)>& run) {
    parts_->in_transaction([&](Connection& connection) {
        run(Transaction{connection.database(), connection.statements()});
    });
}

std::optional<Receipt> Store::find(const Scope& scope) {
    return PooledSession{parts_->pool, parts_->gate}.peek(scope);
}

PurgeReport Store::purge(const PurgeOptions& options) {
    const Setup& setup = parts_->protocol.setup();
    Sweeper sweeper{setup.policies, setup.clock->now()};
    bool stopped = false;
    Parts::in_slices(options, [&] {
        bool more = false;
        if (options.mode == PurgeMode::write) {
            parts_->in_transaction(
                [&](Connection& connection) { more = sweeper.slice(connection, options); });
        } else {
            more = sweeper.slice(*parts_->pool.lend(), options);
        }
        stopped = options.progress && !options.progress(sweeper.report());
        return more && !stopped;
    });
    PurgeReport report = sweeper.report();
    if (stopped) return report;
    if (const std::optional<Instant> before = parts_->attempts_end(options)) {
        Parts::in_slices(options, [&] {
            std::uint64_t erased = 0;
            parts_->in_transaction([&](Connection& connection) {
                erased = erase_attempts(connection.statements(), *before, options.slice_rows);
            });
            report.attempts += erased;
            return erased == static_cast<std::uint64_t>(options.slice_rows);
        });
    }
    return report;
}

void Store::flush_attempts() {
    if (parts_->attempts) parts_->attempts->flush();
}

std::uint64_t Store::dropped_attempts() const noexcept {
    return parts_->attempts ? parts_->attempts->dropped() : 0;
}

std::unique_ptr<Session> Store::session() {
    return std::make_unique<PooledSession>(parts_->pool, parts_->gate);
}

const PolicyBook& Store::policies() const noexcept {
    return parts_->protocol.setup().policies;
}

}  // namespace counterfoil::sqlite
