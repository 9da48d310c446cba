/// What a step of the model does on each node: cells to compute, messages to send.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parallel/halo.hpp"
#include "world.hpp"

namespace squall::planner {

/// Messages from one node to another in one phase.
struct Flow {
    int to = 0;
    double bytes = 0;
    int messages = 0;
};

/// One phase on one node: who has corners exchanges in two.
struct NodePhase {
    std::vector<Flow> out; ///< to other nodes
    std::vector<int> from; ///< nodes that send to this one
    double packed = 0;     ///< bytes that the rank with most packs and unpacks
    int most_messages = 0; ///< that a rank sends and receives
    double inside = 0;     ///< bytes between ranks of the node
};

struct Phase {
    std::vector<NodePhase> nodes;
    std::int64_t times = 0; ///< in a step
};

/// What a cell takes in a step: the later of computing and memory counts.
struct CellWork {
    double seconds = 0; ///< of the calibration's core
    double bytes = 0;   ///< from and to memory
};

struct StepPlan {
    std::vector<Phase> phases;
    std::vector<double> cells;         ///< per node: of its rank with most
    double cost = 1;                   ///< of a cell-step, over one as calibrated
    std::optional<CellWork> cell = {}; ///< in place of that
    int agreements = 1;                ///< of all ranks, in a step
    std::int64_t phases_in_step() const;
    std::int64_t messages = 0, bytes = 0; ///< that all ranks send in a step
};

/// The exchanges of one step: the model is asked, by a step of a small domain with the same settings.
/// Collective over nobody; needs MPI initialised. Throws as the model.
std::vector<HaloExchange> exchanges_of_a_step(const Config &config);

StepPlan plan_step(const World &world, const std::vector<HaloExchange> &exchanges);

} // namespace squall::planner
