/// A step of the outermost domain with all that is inside it.
#pragma once

#include "nest_plan.hpp"
#include "work.hpp"

namespace squall::planner {

/// Adds to `time`, of a domain's own step on the ranks of `world`, what its nests take of their own, and
/// what they and it pack for each other: of those side by side, the nest with most.
void add_nests(StepTime &time, const Machine &machine, const Calibration &calibration, const World &world,
               const std::vector<NestPlan> &nests);

/// What all ranks send in a step of the outermost domain.
struct Sent {
    std::int64_t messages = 0, bytes = 0;
};
Sent sent_in_step(const StepPlan &step, const std::vector<NestPlan> &nests);

} // namespace squall::planner
