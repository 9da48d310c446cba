#include <stdexcept>

#include <fmt/format.h>

#include "initial/initial.hpp"
#include "solver/solver.hpp"
#include "step_plan.hpp"

namespace squall::sim {
namespace {

constexpr int small = 12; ///< cells in a direction; which exchanges there are does not depend on it

/// The same dynamics and scalars on a small domain. What needs files is left out: columns, which exchange
/// nothing, and boundary values, which exchange the winds once a step.
Config reduced(Config config) {
    auto &d = config.domain;
    d.nx = d.nx == 1 ? 1 : small, d.ny = d.ny == 1 ? 1 : small;
    config.nests.clear();
    config.parallel = {};
    for (Boundary *side : {&d.boundaries.west, &d.boundaries.east, &d.boundaries.south, &d.boundaries.north})
        if (*side == Boundary::specified) *side = Boundary::open;
    if (!config.initial.file.empty()) {
        config.initial.file.clear();
        config.initial.case_name = "supercell";
        for (const CaseParameter &p : cases().at("supercell").parameters)
            config.initial.parameters[p.key] = p.value;
        if (config.physics.surface_temperature == 0) config.physics.surface_temperature = 300; // [K]
        config.physics.land = "none";
    }
    config.physics.radiation = config.physics.cumulus = "none";
    return config;
}

std::int64_t times_of(const std::vector<HaloExchange> &before, std::size_t kind) {
    return kind < before.size() ? before[kind].times : 0;
}

} // namespace

std::vector<HaloExchange> exchanges_of_a_step(const Config &config) {
    const Config trial = reduced(config);
    const DomainConfig &d = trial.domain;
    const Patch patch = make_patch(0, 1, 1, d.nx, d.ny, d.nz, d.boundaries);
    Solver solver(trial, patch, MPI_COMM_SELF, make_initial_state(trial, patch));
    solver.set_time(0);
    solver.step();
    const auto before = solver.exchanges(); // the first step may set things up
    solver.set_time(trial.run.time_step);
    solver.step();
    auto exchanges = solver.exchanges();
    for (std::size_t kind = 0; kind < exchanges.size(); ++kind)
        exchanges[kind].times -= times_of(before, kind);
    std::erase_if(exchanges, [](const HaloExchange &e) { return e.times == 0; });
    return exchanges;
}

} // namespace squall::sim
