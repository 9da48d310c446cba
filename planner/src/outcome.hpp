/// A planned step and planned frames carried out on a machine: simulated, or by closed forms.
#pragma once

#include <vector>

#include "nest_plan.hpp"
#include "reports.hpp"
#include "work.hpp"

namespace squall::planner {

/// What there is to carry out. `local`: frames go to the disks of the nodes.
struct Task {
    const Machine &machine;
    const Calibration &calibration;
    const World &world;
    const StepPlan &step;
    std::vector<FramePlan> frames;
    bool local = false;
    std::vector<ReportPlan> reports = {};
    int most_apart = 128; ///< nodes of a star that are simulated one by one; of more, some together
    std::vector<NestPlan> nests = {};          ///< inside the domain of `world` and `step`
    std::vector<const World *> of_frames = {}; ///< those of the frames' domains; empty: `world` is of all
    const World &world_of_frame(std::size_t n) const { return of_frames.empty() ? world : *of_frames[n]; }
};

struct Outcome {
    StepTime step;                   ///< of the outermost domain, with its nests
    std::vector<FrameTime> frames;   ///< as those of the task
    std::vector<ReportTime> reports; ///< likewise
};

/// Whether this build has SimGrid.
bool simulates();

/// Actors of SimGrid carry it out, with contention for links and targets. Once in a process. Throws
/// std::runtime_error where the build has no SimGrid, or the machine lacks a part.
Outcome simulate(const Task &task);

/// Bytes over bandwidths and messages times latencies, of the busiest node, link and target: no contention
/// but for these, nobody waits for a neighbour that is late.
Outcome estimate(const Task &task);

} // namespace squall::planner
