#include "step.hpp"

#include <algorithm>
#include <cmath>

namespace squall::sim {

namespace sg = simgrid::s4u;

namespace {

/// Of memory, for each of so many cores of a node that are busy [B/s].
double share_of_memory(const Machine &machine, int cores) {
    return std::min(machine.nodes.core_bandwidth, machine.nodes.bandwidth / std::max(1, cores));
}

/// What a node does in each phase before its messages leave [s].
struct Work {
    double computing = 0;
    std::vector<double> inside; ///< per phase
};

Work work_of(std::size_t node, int computing, const Machine &machine, const Calibration &calibration,
             int threads, const StepPlan &plan) {
    const int ranks = std::max(1, computing);
    Work work;
    work.computing = plan.cells[node] * cell_step_seconds(machine, calibration, ranks, threads);
    const double copy = copy_rate(machine, calibration, ranks);
    for (const Phase &phase : plan.phases) {
        const NodePhase &mine = phase.nodes[node];
        work.inside.push_back(mine.packed / copy + mine.inside / ranks / copy +
                              2 * mine.most_messages * machine.network.overhead);
    }
    return work;
}

/// One phase: messages leave, those of others are waited for.
void exchange(const NodePhase &mine, int node) {
    std::vector<sg::CommPtr> comms;
    std::vector<void *> received(mine.from.size());
    for (const Flow &flow : mine.out)
        comms.push_back(
            mailbox("halo", node, flow.to)->put_async(nothing(), static_cast<std::uint64_t>(flow.bytes)));
    for (std::size_t f = 0; f < mine.from.size(); ++f)
        comms.push_back(mailbox("halo", mine.from[f], node)->get_async<void>(&received[f]));
    sg::Comm::wait_all(comms);
}

/// Phases of a step come one after the other, each kind in its turn, with the computing shared out among
/// them.
void run_node(int node, const Work &work, const StepPlan &plan) {
    const double piece =
        work.computing / static_cast<double>(std::max<std::int64_t>(1, plan.phases_in_step()));
    std::vector<std::int64_t> left;
    for (const Phase &phase : plan.phases) left.push_back(phase.times);
    for (bool any = true; any;) {
        any = false;
        for (std::size_t p = 0; p < plan.phases.size(); ++p) {
            if (left[p]-- <= 0) continue;
            any = true;
            sg::this_actor::sleep_for(piece + work.inside[p]);
            exchange(plan.phases[p].nodes[static_cast<std::size_t>(node)], node);
        }
    }
    if (plan.phases.empty()) sg::this_actor::sleep_for(work.computing);
}

/// Health and signals, once a step: a tree up and down.
double agreement(const Machine &machine, const World &world) {
    const double stages = std::ceil(std::log2(static_cast<double>(world.clients.size())));
    const double between = std::ceil(std::log2(static_cast<double>(world.nodes())));
    return 2 * (stages * machine.network.overhead + between * machine.network.latency);
}

} // namespace

double cell_step_seconds(const Machine &machine, const Calibration &calibration, int ranks, int threads) {
    return calibration.bytes_per_cell_step / (share_of_memory(machine, ranks * threads) * threads);
}

double copy_rate(const Machine &machine, const Calibration &calibration, int ranks) {
    return calibration.copy * share_of_memory(machine, ranks) / calibration.core_bandwidth;
}

StepTime simulate_step(const Platform &platform, const Machine &machine, const Calibration &calibration,
                       const World &world, const StepPlan &plan) {
    StepTime time;
    time.agreeing = agreement(machine, world);
    std::vector<Work> works;
    const auto computing = world.computing_on_node();
    for (std::size_t n = 0; n < computing.size(); ++n) {
        const auto &work =
            works.emplace_back(work_of(n, computing[n], machine, calibration, world.threads, plan));
        double inside = 0;
        for (std::size_t p = 0; p < plan.phases.size(); ++p)
            inside += static_cast<double>(plan.phases[p].times) * work.inside[p];
        time.computing = std::max(time.computing, work.computing);
        time.inside = std::max(time.inside, inside);
    }
    const double begin = sg::Engine::get_clock();
    on_all_nodes(platform, [&](int n) { run_node(n, works[static_cast<std::size_t>(n)], plan); });
    time.seconds = sg::Engine::get_clock() - begin + time.agreeing;
    return time;
}

} // namespace squall::sim
