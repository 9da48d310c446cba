#include "step.hpp"

namespace squall::sim {

namespace sg = simgrid::s4u;

namespace {

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

} // namespace

StepTime simulate_step(const Platform &platform, const Machine &machine, const Calibration &calibration,
                       const World &world, const StepPlan &plan, int together) {
    auto works = work_of_nodes(machine, calibration, world, plan);
    StepTime time = own_time(machine, world, plan, works);
    const StepOfNodes step = lumped({plan, std::move(works), {}}, together);
    platform.widen(step.widths);
    const double begin = sg::Engine::get_clock();
    on_all_nodes(platform, [&](int n) { run_node(n, step.works[static_cast<std::size_t>(n)], step.plan); });
    time.seconds = sg::Engine::get_clock() - begin + time.agreeing;
    return time;
}

} // namespace squall::sim
