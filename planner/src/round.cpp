#include "round.hpp"

#include <algorithm>

namespace squall::planner {

Round::Round(const World &world)
    : world_(world), out_(static_cast<std::size_t>(world.nodes())),
      loads_(world.clients.size()), phase_{std::vector<NodePhase>(static_cast<std::size_t>(world.nodes())),
                                           1} {}

void Round::send(int from, int to, double bytes, int messages, StepPlan &plan) {
    const int source = world_.node_of_patch(from), target = world_.node_of_patch(to);
    load(from).packed += bytes, load(from).sent += messages;
    load(to).packed += bytes, load(to).heard += messages;
    plan.bytes += static_cast<std::int64_t>(bytes), plan.messages += messages;
    if (source == target) return;
    Flow &flow = out_[static_cast<std::size_t>(source)][target];
    flow.to = target, flow.bytes += bytes, flow.messages += messages;
}

void Round::copy(int rank, double bytes) { load(rank).packed += bytes; }

Phase Round::done() {
    for (int r = 0; r < std::ssize(loads_); ++r) {
        NodePhase &node = phase_.nodes[static_cast<std::size_t>(world_.node_of_patch(r))];
        node.packed = std::max(node.packed, load(r).packed);
        node.most_messages = std::max({node.most_messages, load(r).sent, load(r).heard});
    }
    for (std::size_t n = 0; n < out_.size(); ++n)
        for (const auto &[to, flow] : out_[n]) {
            phase_.nodes[n].out.push_back(flow);
            phase_.nodes[static_cast<std::size_t>(to)].from.push_back(static_cast<int>(n));
        }
    return std::move(phase_);
}

} // namespace squall::planner
