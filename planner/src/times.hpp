/// What steps and frames take on a machine.
#pragma once

#include <algorithm>
#include <map>
#include <string>

namespace squall::planner {

struct StepTime {
    double seconds = 0;   ///< of a step
    double computing = 0; ///< of it, on the node with most to compute
    double inside = 0;    ///< of it, packing, and messages within nodes, likewise
    double agreeing = 0;  ///< of it, for what all ranks tell each other
    /// For messages. Of nested domains, whose busiest nodes are others each time, what is left may be
    /// nothing.
    double waiting() const { return std::max(0.0, seconds - computing - inside - agreeing); }
};

/// Of diagnostics of a frame.
struct ReportTime {
    double made = 0;    ///< that the rank with most takes before anything travels [s]
    double seconds = 0; ///< until rank 0 has all of them
};

struct FrameTime {
    double perceived =
        0; ///< what the computing ranks lose [s], if storing takes less than the time between frames
    double drain = 0;  ///< from the start of the frame until it is durable [s]
    double stored = 0; ///< bytes on disk
    /// How long each part of the machine was busy, the busiest of its kind [s]: copy, network, letters,
    /// codec, processes, targets, metadata.
    std::map<std::string, double> busy;
};

} // namespace squall::planner
