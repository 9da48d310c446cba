/// Simulated steps: each node computes, exchanges with its neighbours, and waits for them.
#pragma once

#include "nest_plan.hpp"
#include "platform.hpp"
#include "work.hpp"

namespace squall::planner {

/// Runs a step on the platform, `together` nodes to each of its hosts. Called by an actor.
StepTime simulate_step(const Platform &platform, const Machine &machine, const Calibration &calibration,
                       const World &world, const StepPlan &plan, int together);

/// The same with nests, node by node: siblings step one after the other or side by side, and nobody waits
/// for a nest of which he has no cells but for what it gives back.
StepTime simulate_nested_step(const Platform &platform, const Machine &machine,
                              const Calibration &calibration, const World &world, const StepPlan &plan,
                              const std::vector<NestPlan> &nests);

} // namespace squall::planner
