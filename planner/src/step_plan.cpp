#include "step_plan.hpp"

#include <algorithm>
#include <map>

namespace squall::planner {
namespace {

enum { west, east, south, north };

/// The messages of all ranks to some of their sides, node by node.
Phase plan_phase(const World &world, const HaloExchange &exchange, std::initializer_list<int> sides,
                 StepPlan &plan) {
    const auto nodes = static_cast<std::size_t>(world.nodes());
    Phase phase{std::vector<NodePhase>(nodes), exchange.times};
    std::vector<std::map<int, Flow>> out(nodes);
    for (std::size_t r = 0; r < world.patches.size(); ++r) {
        const Patch &p = world.patches[r];
        const auto bytes = message_bytes(p, exchange);
        const int peers[] = {p.west, p.east, p.south, p.north};
        const int node = world.node_of_patch(static_cast<int>(r));
        NodePhase &mine = phase.nodes[static_cast<std::size_t>(node)];
        double packed = 0;
        int messages = 0;
        for (const int side : sides) {
            if (bytes[static_cast<std::size_t>(side)] == 0) continue;
            const auto size = static_cast<double>(bytes[static_cast<std::size_t>(side)]);
            const int to = world.node_of_patch(peers[side]);
            packed += 2 * size, ++messages;
            plan.messages += exchange.times;
            plan.bytes += exchange.times * bytes[static_cast<std::size_t>(side)];
            if (to == node) {
                mine.inside += size;
                continue;
            }
            Flow &flow = out[static_cast<std::size_t>(node)][to];
            flow.to = to, flow.bytes += size, ++flow.messages;
        }
        mine.packed = std::max(mine.packed, packed);
        mine.most_messages = std::max(mine.most_messages, messages);
    }
    for (std::size_t n = 0; n < nodes; ++n)
        for (const auto &[to, flow] : out[n]) {
            phase.nodes[n].out.push_back(flow);
            phase.nodes[static_cast<std::size_t>(to)].from.push_back(static_cast<int>(n));
        }
    return phase;
}

} // namespace

std::int64_t StepPlan::phases_in_step() const {
    std::int64_t n = 0;
    for (const Phase &phase : phases) n += phase.times;
    return n;
}

StepPlan plan_step(const World &world, const std::vector<HaloExchange> &exchanges) {
    StepPlan plan;
    for (const HaloExchange &e : exchanges) {
        if (e.corners) {
            plan.phases.push_back(plan_phase(world, e, {west, east}, plan));
            plan.phases.push_back(plan_phase(world, e, {south, north}, plan));
        } else
            plan.phases.push_back(plan_phase(world, e, {west, east, south, north}, plan));
    }
    plan.cells.assign(static_cast<std::size_t>(world.nodes()), 0);
    for (std::size_t r = 0; r < world.patches.size(); ++r) {
        const Shape s = world.patches[r].shape;
        double &most = plan.cells[static_cast<std::size_t>(world.node_of_patch(static_cast<int>(r)))];
        most = std::max(most, double(s.nx) * s.ny * s.nz);
    }
    return plan;
}

} // namespace squall::planner
