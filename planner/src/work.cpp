#include "work.hpp"

#include <algorithm>
#include <cmath>

namespace squall::planner {
namespace {

/// Of memory, for each of so many cores of a node that are busy [B/s].
double share_of_memory(const Machine &machine, int cores) {
    return std::min(machine.nodes.core_bandwidth, machine.nodes.bandwidth / std::max(1, cores));
}

/// That a rank takes for a cell.
double seconds_of_cell(const Machine &machine, const Calibration &calibration, int ranks, int threads,
                       const StepPlan &plan) {
    if (!plan.cell) return plan.cost * cell_step_seconds(machine, calibration, ranks, threads);
    return std::max(plan.cell->seconds / machine.nodes.core_speed,
                    plan.cell->bytes / share_of_memory(machine, ranks * threads)) /
           threads;
}

Work work_of(std::size_t node, int computing, const Machine &machine, const Calibration &calibration,
             int threads, const StepPlan &plan) {
    const int ranks = std::max(1, computing);
    Work work;
    work.computing = plan.cells[node] * seconds_of_cell(machine, calibration, ranks, threads, plan);
    const double copy = copy_rate(machine, calibration, ranks);
    for (const Phase &phase : plan.phases) {
        const NodePhase &mine = phase.nodes[node];
        work.inside.push_back(mine.packed / copy + mine.inside / ranks / copy +
                              2 * mine.most_messages * machine.network.overhead);
    }
    return work;
}

/// Health and signals: a tree up and down.
double agreement(const Machine &machine, const World &world) {
    const double stages = std::ceil(std::log2(static_cast<double>(world.clients.size())));
    const double between = std::ceil(std::log2(static_cast<double>(world.nodes())));
    return 2 * (stages * machine.network.overhead + between * machine.network.latency);
}

} // namespace

double cell_step_seconds(const Machine &machine, const Calibration &calibration, int ranks, int threads) {
    return calibration.bytes_per_cell_step / (share_of_memory(machine, ranks * threads) * threads);
}

double term_seconds(const Machine &machine, const Calibration &calibration, int ranks, int threads) {
    const double bytes = calibration.term * calibration.core_bandwidth;
    return bytes / (share_of_memory(machine, ranks * threads) * threads);
}

ReportTime report_time(const Machine &machine, const Calibration &calibration, const World &world,
                       const ReportPlan &plan, const StepTime &travel) {
    const auto ranks = std::ranges::max(world.computing_on_node());
    const double made = plan.first * term_seconds(machine, calibration, ranks, world.threads);
    const double last =
        plan.last * term_seconds(machine, calibration, 1, world.threads); // alone: others wait
    return {made, made + travel.seconds - travel.agreeing + last};
}

double copy_rate(const Machine &machine, const Calibration &calibration, int ranks) {
    return calibration.copy * share_of_memory(machine, ranks) / calibration.core_bandwidth;
}

std::vector<Work> work_of_nodes(const Machine &machine, const Calibration &calibration, const World &world,
                                const StepPlan &plan) {
    std::vector<Work> works;
    const auto computing = world.computing_on_node();
    for (std::size_t n = 0; n < computing.size(); ++n)
        works.push_back(work_of(n, computing[n], machine, calibration, world.threads, plan));
    return works;
}

StepTime own_time(const Machine &machine, const World &world, const StepPlan &plan,
                  const std::vector<Work> &works) {
    StepTime time;
    time.agreeing = plan.agreements * agreement(machine, world);
    for (const Work &work : works) {
        double inside = 0;
        for (std::size_t p = 0; p < plan.phases.size(); ++p)
            inside += static_cast<double>(plan.phases[p].times) * work.inside[p];
        time.computing = std::max(time.computing, work.computing);
        time.inside = std::max(time.inside, inside);
    }
    return time;
}

double making(const Machine &machine, const NodeWrites &writes) {
    return std::min(writes.making(), double(machine.nodes.cores));
}

double gathering(const Machine &machine, const FramePlan &plan, const FrameWork &work, std::size_t node) {
    const NodeWrites &w = plan.writes[node];
    const double crossing = plan.crossing[node] / work.crossing[node];
    const double copied = (plan.inside[node] - plan.crossing[node]) / work.gather[node];
    const double at_a_time = std::clamp(w.writers, 1.0, double(machine.nodes.cores));
    return (crossing + copied) / at_a_time + w.received * machine.network.overhead;
}

FrameWork frame_work(const Machine &machine, const Calibration &calibration, const World &world,
                     const FramePlan &plan) {
    FrameWork work;
    const int cores = machine.nodes.cores;
    double most_turns = 1; // in which the ranks of a node have its cores
    for (const int computing : world.computing_on_node()) {
        const int ranks = std::max(1, computing);
        const double turns = std::max(1.0, double(ranks) / cores);
        work.gather.push_back(copy_rate(machine, calibration, std::min(ranks, cores)));
        work.copy.push_back(work.gather.back() / turns);
        work.crossing.push_back(work.gather.back() * calibration.crossing / calibration.copy);
        most_turns = std::max(most_turns, turns);
    }
    const CodecRate codec = calibration.codec(plan.codec);
    work.ratio = codec.ratio;
    work.seconds_per_byte = (1 / calibration.engine(plan.engine) + (codec.rate > 0 ? 1 / codec.rate : 0)) /
                            machine.nodes.core_speed;
    const FrameCost cost = calibration.frame(plan.engine);
    // Every rank has its share of each part: to agree on it, if nothing else.
    work.fixed =
        cost.frame + plan.parts * (world.clients.size() > 1 ? most_turns * cost.together : cost.part);
    return work;
}

std::map<std::string, double> busy_parts(const Machine &machine, const Calibration &calibration,
                                         const World &world, const FramePlan &plan, const FrameWork &work,
                                         bool local) {
    std::map<std::string, double> busy;
    const auto keep = [&](const char *what, double seconds) {
        busy[what] = std::max(busy[what], seconds * plan.rounds);
    };
    std::vector<double> in(plan.writes.size(), 0);
    for (std::size_t n = 0; n < plan.writes.size(); ++n) {
        double out = 0;
        for (const Flow &flow : plan.arrivals[n])
            out += flow.bytes, in[static_cast<std::size_t>(flow.to)] += flow.bytes;
        keep("network", out / machine.network.bandwidth);
        const NodeWrites &w = plan.writes[n];
        if (w.writers == 0) continue;
        keep("messages", w.received * machine.network.overhead);
        keep("codec", w.raw / making(machine, w) * work.seconds_per_byte);
        keep("processes", local ? w.raw / work.ratio / machine.local_bandwidth
                                : w.raw / work.ratio / w.writers / machine.storage.client_bandwidth);
    }
    for (const double bytes : in) keep("network", bytes / machine.network.bandwidth);
    busy["letters"] = plan.letters * calibration.letter;
    busy["files"] = work.fixed;
    busy["copy"] = plan.staged / *std::ranges::min_element(work.copy);
    if (world.nodes() == 1) busy.erase("network");
    return busy;
}

bool stored_beside(const World &world, const FramePlan &plan) {
    return plan.placement != "inline" && (plan.placement != "servers" || !world.groups.empty());
}

} // namespace squall::planner
