#include "counterfoil/sqlite/attempt_log.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>

#include "counterfoil/store/store_error.hpp"

namespace counterfoil::sqlite {

AttemptLog::AttemptLog(const AttemptSettings& settings, Clock& clock, Observer* next, Write write)
    : settings_{settings}, clock_{clock}, next_{next}, write_{std::move(write)}, thread_{[this] {
          run();
      }} {}

AttemptLog::~AttemptLog() {
    {
        const std::lock_guard lock{mutex_};
        ends_ = true;
    }
    enough_.notify_one();
    thread_.join();
}

void AttemptLog::observe(const Observation& observation) noexcept {
    try {
        keep(observation);
    } catch (...) {  // no memory for a row of the log is no reason to fail a request
        ++dropped_;
    }
    if (next_ != nullptr) next_->observe(observation);
}

void AttemptLog::keep(const Observation& observation) {
    using std::chrono::duration_cast;
    using std::chrono::microseconds;
    AttemptRow row{.tenant = observation.scope.tenant.text(),
                   .operation = observation.scope.operation.text(),
                   .key = logged_key(observation.scope.key, settings_.keys),
                   .attempt = {.at = clock_.now(),
                               .request_id = std::string{observation.request_id},
                               .call = std::string{observation.call},
                               .reply = std::string{told(observation)},
                               .duration = duration_cast<microseconds>(observation.duration)}};
    Attempt& attempt = row.attempt;
    if (observation.why != nullptr) attempt.rule = observation.why->rule;
    if (observation.attempt != 0) attempt.attempt = observation.attempt;

    std::size_t count = 0;
    {
        const std::lock_guard lock{mutex_};
        if (waiting_.size() >= settings_.most_waiting) {
            ++dropped_;
            return;
        }
        waiting_.push_back(std::move(row));
        count = waiting_.size();
    }
    if (count == settings_.batch_size) enough_.notify_one();
}

void AttemptLog::run() {
    for (bool ends = false; !ends;) {
        {
            std::unique_lock lock{mutex_};
            enough_.wait_for(lock, settings_.batch_time,
                             [&] { return ends_ || waiting_.size() >= settings_.batch_size; });
            ends = ends_;
        }
        try {
            write_waiting();
        } catch (...) {
            // They wait for the next batch. A pause, so that a file that can't be written is not
            // tried as fast as can be.
            std::unique_lock lock{mutex_};
            enough_.wait_for(lock, settings_.batch_time, [&] { return ends_; });
        }
    }
}

void AttemptLog::flush() {
    write_waiting();
}

void AttemptLog::write_waiting() {
    const std::lock_guard one_at_a_time{writing_};
    std::vector<AttemptRow> batch;
    {
        const std::lock_guard lock{mutex_};
        batch.swap(waiting_);
    }
    if (batch.empty()) return;
    try {
        write_(batch);
    } catch (...) {
        const std::lock_guard lock{mutex_};
        std::move(waiting_.begin(), waiting_.end(), std::back_inserter(batch));
        batch.swap(waiting_);
        throw;
    }
}

}  // namespace counterfoil::sqlite
