/// Simulated steps: each node computes, exchanges with its neighbours, and waits for them.
#pragma once

#include "calibration.hpp"
#include "platform.hpp"
#include "step_plan.hpp"

namespace squall::sim {

struct StepTime {
    double seconds = 0;   ///< of a step
    double computing = 0; ///< of it, on the node with most to compute
    double inside = 0;    ///< of it, packing, and messages within nodes, likewise
    double agreeing = 0;  ///< of it, for what all ranks tell each other
    double waiting() const { return seconds - computing - inside - agreeing; } ///< for messages
};

/// Runs a step on the platform. Called by an actor.
StepTime simulate_step(const Platform &platform, const Machine &machine, const Calibration &calibration,
                       const World &world, const StepPlan &plan);

/// Seconds that a rank of a node with so many computing ranks takes for a cell-step. What the ranks have of
/// the memory's bandwidth decides.
double cell_step_seconds(const Machine &machine, const Calibration &calibration, int ranks, int threads);

/// B/s that a rank copies while all ranks of its node do.
double copy_rate(const Machine &machine, const Calibration &calibration, int ranks);

} // namespace squall::sim
