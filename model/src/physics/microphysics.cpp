#include "physics/microphysics.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <omp.h>

#include "parallel/launch.hpp"
#include "physics/moist_patch.hpp"

namespace squall {
namespace {

std::vector<int> indices_of(const ScalarSet &scalars, const std::vector<Water> &waters,
                            const std::string &scheme) {
    const std::vector<int> of_run{scalars.vapour, scalars.cloud, scalars.rain,
                                  scalars.ice,    scalars.snow,  scalars.graupel};
    std::vector<int> used(of_run.size(), -1);
    for (const Water water : waters) {
        const auto n = static_cast<std::size_t>(water);
        if (of_run[n] < 0)
            throw std::runtime_error(
                fmt::format("microphysics \"{}\" needs a species that the run does not transport", scheme));
        used[n] = of_run[n];
    }
    return used;
}

} // namespace

bool Microphysics::wanted(const PhysicsConfig &config) {
    return config.microphysics != "none" && config.microphysics != "vapour";
}

Microphysics::Microphysics(const Config &config, const ScalarSet &scalars, int nz)
    : dt_(static_cast<real>(config.run.time_step)), moist_theta_(config.dynamics.moist_theta),
      as_wrf_(config.run.as_wrf()) {
    const std::string &name = config.physics.microphysics;
    const MicrophysicsEntry &scheme = microphysics_scheme(name);
    waters_ = indices_of(scalars, scheme.waters, name);
    for (const Number number : all_numbers) numbers_.push_back(index_of(number, scheme, scalars));
    launch_ = scheme.launch;
    for (int thread = 0; thread < omp_get_max_threads(); ++thread) {
        memory_.emplace_back(MoistPatch::scratch_rows(nz) + scheme.scratch_rows(nz), columns_at_a_time);
        if (!launch_) workers_.push_back(scheme.make(nz));
    }
}

MoistPatch Microphysics::view(const GridView &grid, State &state, ConstField3 p, ConstField3 al,
                              PhysicsState &physics, const Ground &ground) const {
    MoistPatch patch{.grid = grid,
                     .dt = dt_,
                     .moist_theta = moist_theta_,
                     .as_wrf = as_wrf_,
                     .waters = {},
                     .numbers = {},
                     .theta = state.theta.view(),
                     .heating = physics.heating.view(),
                     .w = state.w.view(),
                     .ph = state.ph.view(),
                     .p = p,
                     .al = al,
                     .mu = state.mu.view(),
                     .rain = physics.rain.view(),
                     .snow = physics.snow.view(),
                     .graupel = physics.graupel.view()};
    const auto scalar = [&](int n) {
        return n < 0 ? Field3{} : state.scalars[static_cast<std::size_t>(n)].view();
    };
    std::ranges::transform(waters_, patch.waters.begin(), scalar);
    std::ranges::transform(numbers_, patch.numbers.begin(), scalar);
    if (physics.surface.has_land_water()) {
        patch.precipitation = physics.surface.land_water.precipitation.view();
        patch.frozen_precipitation = physics.surface.land_water.frozen_precipitation.view();
    }
    if (ground.land.bytes() > 0) patch.land = ground.land.view();
    if (ground.aerosol_source.bytes() > 0) patch.aerosol_source = ground.aerosol_source.view();
    return patch;
}

void Microphysics::advance(const std::vector<Range> &tiles, const GridView &grid, State &state, ConstField3 p,
                           ConstField3 al, PhysicsState &physics, const Ground &ground) {
    const MoistPatch patch = view(grid, state, p, al, physics, ground);
    if (launch_) return launch_(patch, tiles, memory_);
    launch_columns(tiles, memory_,
                   [patch, schemes = workers_.data()](const Range &columns, const Scratch &scratch) {
                       const MoistColumns c = patch.prepare(columns, scratch);
                       schemes[omp_get_thread_num()]->advance(c);
                       patch.finish(columns, c, scratch);
                   });
}

} // namespace squall
