#include "step.hpp"

#include <fmt/format.h>

#include "nested.hpp"

namespace squall::planner {

namespace sg = simgrid::s4u;

namespace {

/// One phase: messages leave, those of others are waited for. `mail`: of one kind of message alone, so that
/// domains that step at a time do not get each other's.
void exchange(const NodePhase &mine, int node, const std::string &mail) {
    std::vector<sg::CommPtr> comms;
    std::vector<void *> received(mine.from.size());
    for (const Flow &flow : mine.out)
        comms.push_back(
            mailbox(mail, node, flow.to)->put_async(nothing(), static_cast<std::uint64_t>(flow.bytes)));
    for (std::size_t f = 0; f < mine.from.size(); ++f)
        comms.push_back(mailbox(mail, mine.from[f], node)->get_async<void>(&received[f]));
    sg::Comm::wait_all(comms);
}

/// Phases of a step come one after the other, each kind in its turn, with the computing shared out among
/// them.
void run_node(int node, const Work &work, const StepPlan &plan, const std::string &mail = "halo") {
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
            exchange(plan.phases[p].nodes[static_cast<std::size_t>(node)], node, mail);
        }
    }
    if (plan.phases.empty()) sg::this_actor::sleep_for(work.computing);
}

/// What a step of a domain, or what passes around it, is on all nodes.
struct Part {
    const StepPlan &plan;
    std::vector<Work> works;
    std::string mail;
    void run(int node) const { run_node(node, works[static_cast<std::size_t>(node)], plan, mail); }
};

/// A nest, and those inside it.
struct NestParts {
    const NestPlan &plan;
    Part look, step, feedback;
    std::vector<NestParts> nests;
    bool is_on(int node) const { return plan.step.cells[static_cast<std::size_t>(node)] > 0; }
};

std::vector<NestParts> parts_of(const Machine &machine, const Calibration &calibration, const World &world,
                                const std::vector<NestPlan> &nests) {
    std::vector<NestParts> parts;
    for (const NestPlan &nest : nests) {
        const auto part = [&](const World &where, const StepPlan &plan, const char *what) {
            return Part{plan, work_of_nodes(machine, calibration, where, plan),
                        fmt::format("{} {}", what, nest.config.identity.id)};
        };
        parts.push_back({nest, part(world, nest.look, "look"), part(nest.world, nest.step, "halo"),
                         part(world, nest.feedback, "feedback"),
                         parts_of(machine, calibration, nest.world, nest.nests)});
    }
    return parts;
}

void run_inside(int node, const std::vector<NestParts> &nests, bool beside);

/// Steps of a nest in one of its parent's.
void run_nest(int node, const NestParts &nest) {
    for (int n = 0; n < nest.plan.steps; ++n) {
        nest.step.run(node);
        run_inside(node, nest.nests, side_by_side(nest.plan.nests));
    }
}

/// After a step of a domain, its nests'.
void run_inside(int node, const std::vector<NestParts> &nests, bool beside) {
    for (const NestParts &nest : nests) nest.look.run(node);
    std::vector<sg::ActorPtr> others; // of this node, whose ranks have other nests
    for (const NestParts &nest : nests) {
        if (!nest.is_on(node)) continue;
        if (beside)
            others.push_back(sg::Actor::create("nest", sg::this_actor::get_host(),
                                               [&nest, node] { run_nest(node, nest); }));
        else
            run_nest(node, nest);
    }
    for (const auto &actor : others) actor->join();
    for (const NestParts &nest : nests) nest.feedback.run(node);
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

StepTime simulate_nested_step(const Platform &platform, const Machine &machine,
                              const Calibration &calibration, const World &world, const StepPlan &plan,
                              const std::vector<NestPlan> &nests) {
    const Part outer{plan, work_of_nodes(machine, calibration, world, plan), "halo"};
    const auto inside = parts_of(machine, calibration, world, nests);
    StepTime time = own_time(machine, world, plan, outer.works);
    add_nests(time, machine, calibration, world, nests);
    const double begin = sg::Engine::get_clock();
    on_all_nodes(platform, [&](int n) {
        outer.run(n);
        run_inside(n, inside, side_by_side(nests));
    });
    time.seconds = sg::Engine::get_clock() - begin + time.agreeing;
    return time;
}

} // namespace squall::planner
