/// What a node does by itself, whoever works out how messages travel: computing, packing, copying,
/// compressing.
#pragma once

#include <string>
#include <vector>

#include "calibration.hpp"
#include "frame_plan.hpp"
#include "reports.hpp"
#include "step_plan.hpp"
#include "times.hpp"

namespace squall::planner {

/// What a node does in each phase of a step before its messages leave [s].
struct Work {
    double computing = 0;       ///< of the whole step
    std::vector<double> inside; ///< per phase
};

/// Of every node.
std::vector<Work> work_of_nodes(const Machine &machine, const Calibration &calibration, const World &world,
                                const StepPlan &plan);

/// The time of the node with most to do, without what is waited for; `seconds` is left at 0.
StepTime own_time(const Machine &machine, const World &world, const StepPlan &plan,
                  const std::vector<Work> &works);

/// Seconds that a rank of a node with so many computing ranks takes for a cell-step as calibrated. What the
/// ranks have of the memory's bandwidth decides.
double cell_step_seconds(const Machine &machine, const Calibration &calibration, int ranks, int threads);

/// Seconds that a rank of such a node takes for a term of a sum, all of its threads together.
double term_seconds(const Machine &machine, const Calibration &calibration, int ranks, int threads);

/// Diagnostics, of which `travel` is the time of what is sent.
ReportTime report_time(const Machine &machine, const Calibration &calibration, const World &world,
                       const ReportPlan &plan, const StepTime &travel);

/// B/s that a rank copies while all ranks of its node do.
double copy_rate(const Machine &machine, const Calibration &calibration, int ranks);

/// What of a frame's time is nobody else's.
struct FrameWork {
    std::vector<double> copy;     ///< per node: rate of a rank, while all ranks of the node copy [B/s]
    std::vector<double> gather;   ///< likewise, of those that have a core at the moment [B/s]
    std::vector<double> crossing; ///< of these, of what other ranks of the node send them [B/s]
    double ratio = 1;             ///< bytes that become one
    double seconds_per_byte = 0;  ///< of serialising and compressing
    double fixed = 0;             ///< that a frame takes whatever its size [s]
};

/// How many of the processes that serialise and compress do so at a time: a node has no more than its cores.
double making(const Machine &machine, const NodeWrites &writes);

/// Seconds, in each round, until the writers of a node have what comes from its own ranks, and have taken
/// all messages.
double gathering(const Machine &machine, const FramePlan &plan, const FrameWork &work, std::size_t node);

FrameWork frame_work(const Machine &machine, const Calibration &calibration, const World &world,
                     const FramePlan &plan);

/// How long each part of the machine is busy with a frame, but for the storage: the busiest of its kind [s].
std::map<std::string, double> busy_parts(const Machine &machine, const Calibration &calibration,
                                         const World &world, const FramePlan &plan, const FrameWork &work,
                                         bool local);

/// Whether ranks go on computing while the frame is stored.
bool stored_beside(const World &world, const FramePlan &plan);

} // namespace squall::planner
