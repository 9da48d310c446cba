#include "physics/tracers/tracers.hpp"

#include <algorithm>
#include <cmath>

#include <omp.h>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall {
namespace {

bool changes(const TracerConfig &t) {
    return !t.source.empty() || t.half_life > 0 || t.convective_mixing || t.smoke > 0;
}

real share_kept(double half_life, double dt) {
    return half_life > 0 ? static_cast<real>(std::exp2(-dt / half_life)) : real(1);
}

/// Into the lowest layer, so that its mass grows by that of the fuel.
void give_off_smoke(Range columns, const GridView &g, const State &state, const Array2 &burnt, double smoke,
                    Field3 q) {
    for_each_column(columns, [&](int i, int j) {
        if (burnt(i, j) == 0) return;
        const double air =
            -(double(g.c1h[0]) * (double(g.mub(i, j)) + state.mu(i, j)) + g.c2h[0]) * g.dnw[0] / constants::g;
        q(i, 0, j) = real(q(i, 0, j) + smoke * burnt(i, j) / air);
    });
}

} // namespace

bool Tracers::wanted(const Config &config) { return std::ranges::any_of(config.tracers, changes); }

Tracers::Tracers(const Config &config, const ScalarSet &scalars, const Patch &patch, MPI_Comm comm,
                 const Grid &grid)
    : vapour_(scalars.vapour), moist_theta_(config.dynamics.moist_theta && scalars.vapour >= 0),
      dt_(config.run.time_step) {
    auto scalar = static_cast<std::size_t>(scalars.first_tracer);
    for (const TracerConfig &t : config.tracers) {
        if (changes(t))
            processes_.push_back({scalar, t.half_life, share_kept(t.half_life, dt_), {}, t.smoke});
        if (!t.source.empty()) processes_.back().source.emplace(config, t, patch, comm, grid);
        if (t.convective_mixing) mixed_.push_back(scalar);
        ++scalar;
    }
    const int nz = grid.shape.nz, threads = mixes() ? omp_get_max_threads() : 0;
    for (int thread = 0; thread < threads; ++thread)
        workers_.push_back({AirColumn(nz), ConvectiveMatrix(nz)});
}

void Tracers::set_time_step(double dt) {
    dt_ = dt;
    for (Process &process : processes_) process.kept = share_kept(process.half_life, dt);
}

void Tracers::advance(Range columns, const GridView &grid, State &state, ConstField3 p, double seconds,
                      const FireState &fire) {
    for (const Process &process : processes_) {
        const Field3 q = state.scalars[process.scalar].view();
        if (process.kept < 1)
            for_each_row(columns.with_k(0, grid.nz), [=, kept = process.kept](int k, int j) {
                return [q = q.row(k, j), kept](int i) { q[i] *= kept; };
            });
        if (process.smoke > 0 && fire.burnt_mass.bytes() > 0)
            give_off_smoke(columns, grid, state, fire.burnt_mass, process.smoke, q);
        if (process.source) process.source->emit(columns, grid, state, seconds, dt_, q);
    }
    if (mixes()) mix(columns, grid, state, p);
}

void Tracers::mix(Range columns, const GridView &grid, State &state, ConstField3 p) {
    Worker &worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; ++i) {
            take_air(i, j, grid, state, p, worker.air);
            const Plume plume = find_plume(worker.air);
            if (plume.flux <= 0) continue;
            worker.matrix.factor(worker.air, plume, dt_);
            for (const std::size_t n : mixed_) {
                const Field3 q = state.scalars[n].view();
                worker.matrix.apply(&q(i, 0, j), q.sk);
            }
        }
}

void Tracers::take_air(int i, int j, const GridView &grid, const State &state, ConstField3 p,
                       AirColumn &air) const {
    using namespace constants;
    const auto geopotential = [&](int k) { return double(state.ph(i, k, j)) + grid.phb(i, k, j); };
    const double column = double(grid.mub(i, j)) + state.mu(i, j);
    for (int k = 0; k < grid.nz; ++k) {
        const real pressure = p(i, k, j) + grid.pb(i, k, j);
        const double q = vapour_ < 0 ? 0 : state.scalars[static_cast<std::size_t>(vapour_)](i, k, j);
        const double theta = double(theta0) + state.theta(i, k, j);
        air.pressure[k] = pressure;
        air.vapour[k] = q;
        air.temperature[k] =
            theta / (moist_theta_ ? 1 + double(rv_over_rd) * q : 1) * double(power(pressure / p0, kappa));
        const double bottom = geopotential(k) / constants::g, top = geopotential(k + 1) / constants::g;
        air.height[k] = 0.5 * (bottom + top);
        air.depth[k] = top - bottom;
        air.mass[k] = -(grid.c1h[k] * column + grid.c2h[k]) * grid.dnw[k] / constants::g;
    }
}

} // namespace squall
