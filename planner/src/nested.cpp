#include "nested.hpp"

namespace squall::planner {
namespace {

void add(StepTime &time, const StepTime &other, int times = 1) {
    time.computing += times * other.computing, time.inside += times * other.inside;
}

StepTime own(const Machine &machine, const Calibration &calibration, const World &world,
             const StepPlan &plan) {
    return own_time(machine, world, plan, work_of_nodes(machine, calibration, world, plan));
}

} // namespace

void add_nests(StepTime &time, const Machine &machine, const Calibration &calibration, const World &world,
               const std::vector<NestPlan> &nests) {
    const bool beside = side_by_side(nests);
    StepTime longest;
    for (const NestPlan &nest : nests) {
        add(time, own(machine, calibration, world, nest.look));
        add(time, own(machine, calibration, world, nest.feedback));
        StepTime inner = own(machine, calibration, nest.world, nest.step);
        add_nests(inner, machine, calibration, nest.world, nest.nests);
        StepTime all;
        add(all, inner, nest.steps);
        if (!beside)
            add(time, all);
        else if (all.computing + all.inside > longest.computing + longest.inside)
            longest = all;
    }
    add(time, longest);
}

Sent sent_in_step(const StepPlan &step, const std::vector<NestPlan> &nests) {
    Sent sent{step.messages, step.bytes};
    for (const NestPlan &nest : nests) {
        const Sent inner = sent_in_step(nest.step, nest.nests);
        sent.messages += nest.look.messages + nest.feedback.messages + nest.steps * inner.messages;
        sent.bytes += nest.look.bytes + nest.feedback.bytes + nest.steps * inner.bytes;
    }
    return sent;
}

} // namespace squall::planner
