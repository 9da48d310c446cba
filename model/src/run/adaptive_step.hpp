/// The time step that follows the Courant numbers (WRF's use_adaptive_time_step).
///
/// With C the largest Courant number of the last step and T its target, horizontal and vertical, the next
/// step is at most the last one times T / C where C <= T, and times (T - (C - T) / 2) / C, at least 1/2,
/// where C > T; at most 1 + max_step_increase times what was possible before; and between the bounds of the
/// run file. Up to the next time at which something is due, steps are equal parts of what is left, so that
/// one ends there exactly. All of it is the same on any ranks, and through a restart.
#pragma once

#include <vector>

#include "run/monitor.hpp"
#include "run/stability.hpp"
#include "settings/config.hpp"

namespace squall {

class AdaptiveStep {
  public:
    /// Of the outermost domain of a run: `config`.
    explicit AdaptiveStep(const Config &config);

    /// When the step that begins at `seconds` ends; `change`: when its boundary has news [s since run.start].
    double end_of_step(double seconds, double change) const;

    /// After a step of `step` seconds during which Courant numbers were `health`'s.
    void adapt(const Health &health, double step);

    /// Where the run file sets no bound: no more than sound permits in the outermost domain's smallest cells.
    void bound_by_sound(const Stepping &here);

    /// How long the next step may be [s]: what a restart goes on with.
    double longest() const { return longest_; }
    void set_longest(double step) { longest_ = step; }

    double most() const { return most_; } ///< it may ever be [s]

  private:
    double next_event(double seconds, double change) const;

    double target_horizontal_, target_vertical_, increase_;
    double least_, most_, longest_;
    bool bound_given_;
    std::vector<double> intervals_; ///< of what comes again [s]
    std::vector<double> times_;     ///< of what comes once [s]
};

} // namespace squall
