/// Simulated frames: from the copy on each rank to the last byte on disk.
#pragma once

#include <map>
#include <string>

#include "frame_plan.hpp"
#include "step.hpp"

namespace squall::sim {

struct FrameTime {
    double perceived =
        0; ///< what the computing ranks lose [s], if storing takes less than the time between frames
    double drain = 0;  ///< from the start of the frame until it is durable [s]
    double stored = 0; ///< bytes on disk
    /// How long each part of the machine was busy, the busiest of its kind [s]: copy, network, letters,
    /// codec, processes, targets, metadata.
    std::map<std::string, double> busy;
};

/// Stores one frame. Called by an actor. `local`: on the disks of the nodes.
FrameTime simulate_frame(const Platform &platform, const Machine &machine, const Calibration &calibration,
                         const World &world, const FramePlan &plan, bool local);

} // namespace squall::sim
