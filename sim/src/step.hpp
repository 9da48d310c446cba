/// Simulated steps: each node computes, exchanges with its neighbours, and waits for them.
#pragma once

#include "platform.hpp"
#include "work.hpp"

namespace squall::sim {

/// Runs a step on the platform, `together` nodes to each of its hosts. Called by an actor.
StepTime simulate_step(const Platform &platform, const Machine &machine, const Calibration &calibration,
                       const World &world, const StepPlan &plan, int together);

} // namespace squall::sim
