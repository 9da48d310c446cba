#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "initial/initial.hpp"
#include "nest_plan.hpp"
#include "physics/declared_state.hpp"
#include "run/domain_start.hpp"
#include "settings/nests.hpp"
#include "solver/solver.hpp"

namespace squall::planner {
namespace {

constexpr int small = 12;    ///< cells in a direction; which exchanges there are does not depend on it
constexpr int covered = 4;   ///< of these, by a nest in the middle
constexpr double top = 20e3; ///< of the model where a file would tell it [m]; exchanges do not depend on it

/// The same dynamics and scalars on a small domain. What needs files is left out: columns, which exchange
/// nothing, and boundary values, which exchange the winds once a step.
Config reduced(Config config) {
    auto &d = config.domain;
    d.nx = d.nx == 1 ? 1 : small, d.ny = d.ny == 1 ? 1 : small;
    config.nests.clear();
    config.parallel = {};
    config.identity = {};
    for (Boundary *side : {&d.boundaries.west, &d.boundaries.east, &d.boundaries.south, &d.boundaries.north})
        if (*side == Boundary::specified) *side = Boundary::open;
    if (!config.initial.file.empty() || !cases().contains(config.initial.case_name)) {
        config.initial.file.clear();
        config.initial.case_name = "supercell";
        for (const CaseParameter &p : cases().at("supercell").parameters)
            config.initial.parameters[p.key] = p.value;
        if (config.physics.surface_temperature == 0) config.physics.surface_temperature = 300; // [K]
        config.physics.land = "none";
        config.vertical = VerticalConfig();
        config.vertical.top = top;
    }
    config.physics.radiation = config.physics.cumulus = "none";
    return config;
}

/// Where the ground is that of files, not flat as the cases'. The solver exchanges more there, as the base
/// pressure has a gradient.
bool is_uneven(const Config &config) {
    return !config.initial.file.empty() || !config.identity.outermost_file.empty();
}

/// Its base pressure, a little.
void make_uneven(InitialState &state) { state.grid.pb(0, 0, 0) *= real(1.001); }

/// What a solver has exchanged since.
std::vector<HaloExchange> since(const std::vector<HaloExchange> &before, const Solver &solver) {
    auto exchanges = solver.exchanges();
    for (std::size_t kind = 0; kind < before.size(); ++kind) exchanges[kind].times -= before[kind].times;
    std::erase_if(exchanges, [](const HaloExchange &e) { return e.times == 0; });
    return exchanges;
}

/// Of the second step: the first may set things up.
std::vector<HaloExchange> exchanges_of_second_step(Solver &solver, double time_step) {
    solver.set_time(0);
    solver.step();
    const auto before = solver.exchanges();
    solver.set_time(time_step);
    solver.step();
    return since(before, solver);
}

} // namespace

std::vector<HaloExchange> exchanges_of_a_step(const Config &config) {
    const Config trial = reduced(config);
    const DomainConfig &d = trial.domain;
    const Patch patch = make_patch(0, 1, 1, d.nx, d.ny, d.nz, d.boundaries);
    InitialState state = make_initial_state(trial, patch);
    if (is_uneven(config)) make_uneven(state);
    Solver solver(trial, patch, MPI_COMM_SELF, std::move(state));
    return exchanges_of_second_step(solver, trial.run.time_step);
}

NestTraffic traffic_of_a_nest(const Config &parent, const NestConfig &nest, int id) {
    NestConfig inside = nest;
    inside.i_parent_start = inside.j_parent_start = (small - covered) / 2 + 1;
    inside.nx = inside.ny = covered * nest.parent_grid_ratio;
    inside.initial_file.clear();
    const Config outer = reduced(parent);
    Config inner = nest_config(outer, inside, id);
    inner.physics.radiation = inner.physics.cumulus = "none";
    const auto whole = [](const Config &c) {
        const DomainConfig &d = c.domain;
        return make_patch(0, 1, 1, d.nx, d.ny, d.nz, d.boundaries, c.identity.parent_grid_ratio);
    };
    const Patch patch = whole(outer), own = whole(inner);
    InitialState around = make_initial_state(outer, patch);
    const VerticalGrid levels = levels_of(inside, around.grid.vertical);
    const ScalarSet scalars = scalars_of(outer);
    const LinkRules rules{.smoothing = smoothing_of(nest.smoothing)};
    const NestPlace place{inside.i_parent_start - 1, inside.j_parent_start - 1, nest.parent_grid_ratio,
                          inside.nx, inside.ny};
    NestLink link(MPI_COMM_SELF, place, patch, own, scalars, scalars.shared_with(scalars_of(inner)),
                  outer.run.time_step, LevelPair{around.grid.vertical, levels}, rules);
    InitialState begun = link.begin(inner, around);
    link.look(around.grid, around.state, outer.run.time_step, outer.run.time_step);
    link.feed_back(begun.grid, begun.state, begun.physics, around.grid, around.state, around.physics);
    NestTraffic traffic{link.traffic(), {}, {}};
    if (is_uneven(nest_config(parent, nest, id))) make_uneven(begun);
    Solver solver(inner, own, MPI_COMM_SELF, std::move(begun), link.rim());
    traffic.step = exchanges_of_second_step(solver, inner.run.time_step);
    const auto before = solver.exchanges();
    solver.prepare_rim();
    traffic.rim = since(before, solver);
    return traffic;
}

} // namespace squall::planner
