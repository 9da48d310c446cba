/// Simulated frames: from the copy on each rank to the last byte on disk.
#pragma once

#include "platform.hpp"
#include "work.hpp"

namespace squall::planner {

/// Stores one frame, with `together` nodes to each host of the platform. Called by an actor. `local`: on the
/// disks of the nodes.
FrameTime simulate_frame(const Platform &platform, const Machine &machine, const Calibration &calibration,
                         const World &world, const FramePlan &plan, bool local, int together);

} // namespace squall::planner
