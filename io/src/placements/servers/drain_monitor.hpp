/// Between a server and the thread that drains.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/clock.hpp"
#include "drain/outcome.hpp"
#include "squall/io.hpp"

namespace squall::io::servers {

/// What a server shares with the thread that drains, which may be within a write when the server gives up,
/// and so outlives it.
class DrainMonitor {
  public:
    DrainMonitor(int rank, double deadline) : rank_(rank), deadline_(deadline) {}

    /// The server looks at its messages. Throws Error if it stood still for so long that others can no longer
    /// rely on it.
    void look() {
        const double before = awake_, time = steady_now();
        awake_ = time;
        if (before == 0 || !too_long(time - before)) return;
        lapsed_ = time - before;
        throw stood_still(lapsed_);
    }
    double looked() const { return awake_; }
    /// The server has given up: nobody looks any more.
    void leave() { left_ = true; }

    /// Computing ranks may use their memory for something else, and others write what this server has not
    /// published, as soon as they take it for lost. Called on the thread that drains.
    void require_trust() const {
        if (left_)
            throw Error(fmt::format("I/O server rank {} has given up, and others may write this", rank_));
        const double slept = std::max(lapsed_.load(), steady_now() - awake_);
        if (too_long(slept)) throw stood_still(slept);
    }

    /// Called on the thread that drains.
    void keep(int stream, const Outcome &outcome) {
        const std::lock_guard lock(mutex_);
        outcomes_.push_back({stream, outcome});
    }
    /// By stream: what became of frames since this was asked last.
    std::vector<std::pair<int, Outcome>> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(outcomes_, {});
    }

  private:
    bool too_long(double seconds) const { return deadline_ > 0 && seconds > deadline_ / 2; }
    /// Which thread notices it first is chance: both say the same.
    Error stood_still(double seconds) const {
        return Error(
            fmt::format("I/O server rank {} was suspended for {:.1f} s, and other ranks may take it for lost",
                        rank_, seconds));
    }

    const int rank_;
    const double deadline_;          ///< seconds; 0: none
    std::atomic<double> awake_ = 0;  ///< when the server last looked at its messages
    std::atomic<double> lapsed_ = 0; ///< seconds that it did not, when that was too long
    std::atomic<bool> left_ = false;
    std::mutex mutex_;
    std::vector<std::pair<int, Outcome>> outcomes_; ///< to be told
};

} // namespace squall::io::servers
