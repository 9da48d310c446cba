/// Nodes that are simulated as one, where there are many: some that follow each other, whose link is as wide
/// as the busiest of them needs to take the time that it takes alone. What a lump sends to itself takes its
/// link, too.
#pragma once

#include <vector>

#include "work.hpp"

namespace squall::planner {

/// How many links of a node a lump's links are, so that the bytes of all take as long as those of the
/// busiest.
struct Widths {
    std::vector<double> out, in;
};

/// A step, node by node.
struct StepOfNodes {
    StepPlan plan;
    std::vector<Work> works;
    Widths widths; ///< empty: each node is by itself
};

/// A frame, or a round of it, likewise.
struct FrameOfNodes {
    std::vector<std::vector<Flow>> arrivals;
    std::vector<NodeWrites> writes;
    std::vector<double> copied, gathered; ///< seconds: into the stage, and within nodes to their writers
    Widths widths;
};

/// Nodes that a lump has, so that there are at most `most` lumps of `nodes` nodes.
int together(int nodes, int most);

StepOfNodes lumped(StepOfNodes step, int together);
FrameOfNodes lumped(FrameOfNodes frame, int together);

} // namespace squall::planner
