#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nested.hpp"
#include "outcome.hpp"

namespace squall::planner {
namespace {

/// In which a writer compresses and sends: one travels while the next is made.
constexpr double slices = 4;

/// Of the node whose link is busiest: the bytes of flows that leave, and those that arrive [B].
double busiest_link(const std::vector<std::vector<Flow>> &out) {
    std::vector<double> leaves(out.size(), 0), arrives(out.size(), 0);
    for (std::size_t n = 0; n < out.size(); ++n)
        for (const Flow &flow : out[n])
            leaves[n] += flow.bytes, arrives[static_cast<std::size_t>(flow.to)] += flow.bytes;
    double most = 0;
    for (std::size_t n = 0; n < out.size(); ++n) most = std::max({most, leaves[n], arrives[n]});
    return most;
}

double all_bytes(const std::vector<std::vector<Flow>> &out) {
    double bytes = 0;
    for (const auto &flows : out)
        for (const Flow &flow : flows) bytes += flow.bytes;
    return bytes;
}

/// Until flows that begin together have arrived.
double travel(const Machine &machine, const std::vector<std::vector<Flow>> &out) {
    const double link = busiest_link(out);
    if (link == 0) return 0;
    const double backbone = machine.network.backbone > 0 ? all_bytes(out) / machine.network.backbone : 0;
    return machine.network.latency + std::max(link / machine.network.bandwidth, backbone);
}

/// The messages of all phases [s].
double travel(const Machine &machine, const StepPlan &step) {
    double seconds = 0;
    for (const Phase &phase : step.phases) {
        std::vector<std::vector<Flow>> out;
        for (const NodePhase &node : phase.nodes) out.push_back(node.out);
        seconds += static_cast<double>(phase.times) * travel(machine, out);
    }
    return seconds;
}

StepTime estimate_step(const Task &task, const World &world, const StepPlan &step) {
    const auto works = work_of_nodes(task.machine, task.calibration, world, step);
    StepTime time = own_time(task.machine, world, step, works);
    time.seconds = time.computing + time.inside + time.agreeing + travel(task.machine, step);
    return time;
}

/// Of a step of the domain around them, whose ranks `world` has [s].
double estimate_nests(const Task &task, const World &world, const std::vector<NestPlan> &nests) {
    double one_after_the_other = 0, longest = 0;
    const auto alone = [&](const World &where, const StepPlan &plan) {
        const StepTime time = estimate_step(task, where, plan);
        return time.seconds - time.agreeing; // once a step of the outermost
    };
    for (const NestPlan &nest : nests) {
        one_after_the_other += alone(world, nest.look) + alone(world, nest.feedback);
        const double own =
            nest.steps * (alone(nest.world, nest.step) + estimate_nests(task, nest.world, nest.nests));
        if (!side_by_side(nests)) one_after_the_other += own;
        longest = std::max(longest, own);
    }
    return one_after_the_other + (side_by_side(nests) ? longest : 0);
}

StepTime estimate_nested_step(const Task &task) {
    StepTime time = estimate_step(task, task.world, task.step);
    add_nests(time, task.machine, task.calibration, task.world, task.nests);
    time.seconds += estimate_nests(task, task.world, task.nests);
    return time;
}

/// What storing takes of the file system that all share [s].
double shared_storage(const Task &task, const FramePlan &plan, double ratio, FrameTime &time) {
    const Storage &s = task.machine.storage;
    double stored = 0, locks = 0, files = 0;
    int streams = 0;
    for (const NodeWrites &w : plan.writes)
        stored += w.raw / ratio, locks += w.locks, files += w.files, streams += w.streams;
    const int targets = std::max(1, std::min(s.targets, (plan.shared ? 1 : streams) * s.stripe_count));
    const double requests = std::ceil(stored / s.stripe_size);
    const double seeks = s.seek * std::max(0.0, 1 - double(targets) / std::max(1, streams * s.stripe_count));
    const double of_targets = (stored / s.target_bandwidth + requests * (s.request + seeks)) / targets +
                              locks * s.per_part() / (s.one_lock_manager() ? 1 : targets);
    time.busy["targets"] = of_targets * plan.rounds;
    const int creating = std::min(s.metadata_servers, std::max(1, plan.directories));
    time.busy["metadata"] = files * s.create / creating * plan.rounds;
    return std::max(of_targets, stored / (s.server_bandwidth * std::min(s.servers, targets)));
}

/// What a round takes of the node with most to write, and of what all share [s].
double store(const Task &task, const FramePlan &plan, const FrameWork &work, FrameTime &time) {
    double making = 0, link = 0;
    for (const NodeWrites &w : plan.writes) {
        if (w.writers == 0) continue;
        const double stored = w.raw / work.ratio;
        const double local = stored / std::max(1.0, task.machine.local_bandwidth);
        const double process = stored / w.writers / task.machine.storage.client_bandwidth;
        const double made = w.raw / planner::making(task.machine, w) * work.seconds_per_byte;
        making = std::max(making, made + (task.local ? local : process));
        link = std::max(link, stored / task.machine.network.bandwidth);
    }
    if (task.local) {
        time.busy["targets"] = time.busy["metadata"] = 0;
        return making;
    }
    const double beyond = std::max(link, shared_storage(task, plan, work.ratio, time));
    return time.busy["metadata"] / plan.rounds + std::max(making, beyond) + std::min(making, beyond) / slices;
}

FrameTime estimate_frame(const Task &task, const World &world, const FramePlan &plan) {
    if (task.local && task.machine.local_bandwidth == 0)
        throw std::runtime_error(task.machine.name + " has no node-local disks ([local] in its file)");
    const FrameWork work = frame_work(task.machine, task.calibration, world, plan);
    FrameTime time;
    time.busy = busy_parts(task.machine, task.calibration, world, plan, work, task.local);
    const double copied = plan.staged / *std::ranges::min_element(work.copy);
    double gathered = 0;
    for (std::size_t n = 0; n < plan.writes.size(); ++n)
        gathered = std::max(gathered, gathering(task.machine, plan, work, n));
    const double round = travel(task.machine, plan.arrivals) + gathered + store(task, plan, work, time);
    time.drain = copied + plan.rounds * round + time.busy["letters"] + work.fixed;
    time.perceived = stored_beside(world, plan) ? copied : time.drain;
    time.stored = plan.bytes / work.ratio;
    return time;
}

} // namespace

Outcome estimate(const Task &task) {
    Outcome outcome{estimate_nested_step(task), {}, {}};
    for (std::size_t f = 0; f < task.frames.size(); ++f)
        outcome.frames.push_back(estimate_frame(task, task.world_of_frame(f), task.frames[f]));
    for (const ReportPlan &report : task.reports)
        outcome.reports.push_back(report_time(task.machine, task.calibration, task.world, report,
                                              estimate_step(task, task.world, report.travel)));
    return outcome;
}

} // namespace squall::planner
