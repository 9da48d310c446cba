#include "frame.hpp"

#include <algorithm>
#include <stdexcept>

#include "storage.hpp"

namespace squall::planner {

namespace sg = simgrid::s4u;

namespace {

constexpr int slices = 4;      ///< in which a writer compresses and sends
constexpr int rounds_seen = 4; ///< of rounds that are alike; the others take as long as the last of these

struct Stage {
    const Machine &machine;
    const FrameOfNodes frame;
    bool shared, local; ///< one file for all; on the disks of the nodes
    FileSystem &files;
    const FrameWork work;
    std::vector<std::vector<int>> from; ///< per node: nodes that send to it
};

/// Points travel to the nodes of their writers.
void exchange(const Stage &stage, int node) {
    std::vector<sg::CommPtr> comms;
    const auto n = static_cast<std::size_t>(node);
    std::vector<void *> received(stage.from[n].size());
    for (const Flow &flow : stage.frame.arrivals[n])
        comms.push_back(
            mailbox("points", node, flow.to)->put_async(nothing(), static_cast<std::uint64_t>(flow.bytes)));
    for (std::size_t f = 0; f < stage.from[n].size(); ++f)
        comms.push_back(mailbox("points", stage.from[n][f], node)->get_async<void>(&received[f]));
    sg::Comm::wait_all(comms);
}

/// What the writers of a node compress and write, slice by slice: a slice travels while the next is made.
void write(Stage &stage, int node) {
    const NodeWrites &w = stage.frame.writes[static_cast<std::size_t>(node)];
    if (w.writers == 0) return;
    const double raw = w.raw / slices, stored = raw / stage.work.ratio;
    const double making = raw / w.making() * stage.work.seconds_per_byte;
    if (stage.local) {
        sg::this_actor::sleep_for(slices * (making + stored / stage.machine.local_bandwidth / w.nodes));
        return;
    }
    stage.files.create(w.files);
    const auto done = sg::Semaphore::create(0);
    int sent = 0;
    for (int s = 0; s < slices; ++s) {
        sg::this_actor::sleep_for(making + stored / w.writers / stage.machine.storage.client_bandwidth);
        const int locks = w.locks * (s + 1) / slices - w.locks * s / slices;
        sent += stage.files.send(node, {stored, w.streams, locks, stage.shared, w.nodes}, done);
    }
    for (int m = 0; m < sent; ++m) done->acquire();
}

FrameOfNodes of_nodes(const Machine &machine, const FramePlan &plan, const FrameWork &work) {
    FrameOfNodes frame{plan.arrivals, plan.writes, {}, {}, {}};
    for (std::size_t n = 0; n < plan.writes.size(); ++n) {
        frame.copied.push_back(plan.staged / work.copy[n]);
        frame.gathered.push_back(gathering(machine, plan, work, n));
        frame.writes[n].makers = making(machine, plan.writes[n]);
    }
    return frame;
}

Stage make_stage(const Machine &machine, const FramePlan &plan, const FrameWork &work, bool local,
                 FileSystem &files, int together) {
    Stage stage{machine, lumped(of_nodes(machine, plan, work), together), plan.shared, local, files, work,
                {}};
    stage.from.resize(stage.frame.arrivals.size());
    for (std::size_t n = 0; n < stage.frame.arrivals.size(); ++n)
        for (const Flow &flow : stage.frame.arrivals[n])
            stage.from[static_cast<std::size_t>(flow.to)].push_back(static_cast<int>(n));
    return stage;
}

} // namespace

FrameTime simulate_frame(const Platform &platform, const Machine &machine, const Calibration &calibration,
                         const World &world, const FramePlan &plan, bool local, int together) {
    if (local && machine.local_bandwidth == 0)
        throw std::runtime_error(machine.name + " has no node-local disks ([local] in its file)");
    int streams = 0;
    for (const NodeWrites &w : plan.writes) streams += w.streams;
    FileSystem files(platform, machine.storage, streams, plan.directories);
    const FrameWork work = frame_work(machine, calibration, world, plan);
    Stage stage = make_stage(machine, plan, work, local, files, together);
    platform.widen(stage.frame.widths);
    const int rounds = std::min(plan.rounds, rounds_seen);
    const auto barrier = sg::Barrier::create(static_cast<unsigned>(platform.nodes.size()));
    const double begin = sg::Engine::get_clock();
    std::vector<double> ended(static_cast<std::size_t>(rounds) + 1, 0);
    on_all_nodes(platform, [&](int node) {
        const auto n = static_cast<std::size_t>(node);
        sg::this_actor::sleep_for(stage.frame.copied[n]);
        ended[0] = std::max(ended[0], sg::Engine::get_clock() - begin);
        for (int round = 0; round < rounds; ++round) {
            if (plan.rounds > 1) barrier->wait();
            exchange(stage, node);
            sg::this_actor::sleep_for(stage.frame.gathered[n]);
            write(stage, node);
            auto &end = ended[static_cast<std::size_t>(round) + 1];
            end = std::max(end, sg::Engine::get_clock() - begin);
        }
    });
    FrameTime time;
    time.busy = busy_parts(machine, calibration, world, plan, work, local);
    const double more = plan.rounds > rounds ? ended.back() - ended[ended.size() - 2] : 0;
    time.drain = ended.back() + more * (plan.rounds - rounds) + time.busy["letters"] + work.fixed;
    time.perceived = stored_beside(world, plan) ? ended[0] : time.drain;
    time.stored = plan.bytes / stage.work.ratio;
    const double scale = double(plan.rounds) / rounds;
    time.busy["targets"] = local ? 0 : scale * *std::ranges::max_element(files.busy().targets);
    time.busy["metadata"] = scale * files.busy().metadata;
    return time;
}

} // namespace squall::planner
