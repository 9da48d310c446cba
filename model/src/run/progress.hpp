/// The line that a run updates while it computes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "run/monitor.hpp"

namespace squall {

/// Whether standard output is a terminal. Under mpirun every rank's looks like one: `squall run`
/// tells what it really is.
bool on_terminal();

/// Tells how far a run is: model time, share done, steps per second, time left, largest Courant
/// number, largest |w|. On a terminal one line is redrawn up to five times a second; elsewhere a
/// plain line is written at each tenth of the run and otherwise every 10 seconds. Rank 0 only.
class Progress {
  public:
    using Clock = std::function<double()>; ///< wall time [s]

    /// Counts from model time `from` to `to` [s since the run's start time].
    Progress(std::ostream &out, bool terminal, double from, double to, Clock clock = steady_seconds);

    /// After each step; writes only when a line is due. `length`: of the step, where that is worth a word
    /// [s].
    void step(double model_time, const Health &health, double length = 0);
    /// The same of another program than the model: `state` says what is worth a word of its state.
    void step(double model_time, const std::function<std::string()> &state);

    /// Before other output: takes the line off the terminal until the next step.
    void clear();

    /// Ends the line and says what the run took.
    void finish();

    static double steady_seconds();

  private:
    bool due(double now) const;
    std::string line(double now, const std::string &state) const;

    std::ostream &out_;
    bool terminal_;
    double from_, to_;
    Clock clock_;
    double began_, written_;
    int tenths_written_ = 0;
    bool drawn_ = false;
    double time_;
    std::int64_t steps_ = 0;
};

} // namespace squall
