#include "outcome.hpp"

#include <exception>
#include <string>

#include "frame.hpp"
#include "step.hpp"

namespace squall::planner {

namespace sg = simgrid::s4u;

namespace {

void configure() {
    sg::Engine::set_config("network/crosstraffic:0");
    sg::Engine::set_config("contexts/stack-size:64");
    sg::Engine::set_config("network/TCP-gamma:0");
    // A machine's file has what messages find; SimGrid's own factors are those of TCP on its authors'
    // cluster.
    sg::Engine::set_config("network/latency-factor:1");
    sg::Engine::set_config("network/bandwidth-factor:1");
}

} // namespace

bool simulates() { return true; }

Outcome simulate(const Task &task) {
    std::string name = "squall-planner", quiet = "--log=root.thresh:error"; // of SimGrid's own words
    std::vector<char *> words{name.data(), quiet.data(), nullptr};
    int count = 2;
    sg::Engine engine(&count, words.data());
    configure();
    const int nodes = task.world.nodes();
    const bool lumps = task.machine.network.topology == "star" && task.nests.empty();
    const int lump = lumps ? together(nodes, task.most_apart) : 1;
    const Platform platform(task.machine, (nodes + lump - 1) / lump, nodes);
    Outcome outcome;
    std::exception_ptr failure; // an actor's would end the process
    sg::Actor::create("run", platform.nodes.front(), [&] {
        try {
            outcome.step = task.nests.empty() ? simulate_step(platform, task.machine, task.calibration,
                                                              task.world, task.step, lump)
                                              : simulate_nested_step(platform, task.machine, task.calibration,
                                                                     task.world, task.step, task.nests);
            for (std::size_t f = 0; f < task.frames.size(); ++f)
                outcome.frames.push_back(simulate_frame(platform, task.machine, task.calibration,
                                                        task.world_of_frame(f), task.frames[f], task.local,
                                                        lump));
            for (const ReportPlan &report : task.reports) {
                const auto travel =
                    simulate_step(platform, task.machine, task.calibration, task.world, report.travel, lump);
                outcome.reports.push_back(
                    report_time(task.machine, task.calibration, task.world, report, travel));
            }
        } catch (const simgrid::ForcefulKillException &) {
            throw;
        } catch (...) {
            failure = std::current_exception();
        }
    });
    engine.run();
    if (failure) std::rethrow_exception(failure);
    return outcome;
}

} // namespace squall::planner
