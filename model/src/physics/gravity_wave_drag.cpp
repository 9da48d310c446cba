#include "physics/gravity_wave_drag.hpp"

#include <algorithm>
#include <array>

#include <omp.h>

#include "core/constants.hpp"
#include "physics/column_batch.hpp"

namespace squall {
namespace {

/// From components along x and y to eastward and northward ones, and back (`sign` -1).
void turn(const GridView &g, int i0, int n, int j, real sign, real *x, real *y) {
    const real *sina = g.sina.row(j) + i0, *cosa = g.cosa.row(j) + i0;
    for_each_i(0, n, [=](int i) {
        const real east = x[i] * cosa[i] - sign * y[i] * sina[i];
        y[i] = sign * x[i] * sina[i] + y[i] * cosa[i];
        x[i] = east;
    });
}

/// Over ground without mountains.
void leave_alone(const OrographicColumns &c) {
    for (int k = 0; k < c.nz; ++k)
        for (const Columns &rate : {c.du, c.dv, c.heating}) std::fill_n(rate.row(k), c.n, real(0));
    for (real *stress : {c.stress_u, c.stress_v}) std::fill_n(stress, c.n, real(0));
}

} // namespace

/// Neighbouring columns of a row and what they are part of.
struct GravityWaveDrag::Batch : ColumnBatch {
    const SubgridOrography &orography;
    GravityWaveState &result;
};

GravityWaveDrag::GravityWaveDrag(const Config &config, const ScalarSet &scalars, int nz)
    : scalars_(scalars), nz_(nz), dt_(static_cast<real>(config.run.time_step)),
      moist_theta_(config.dynamics.moist_theta && scalars.vapour >= 0) {
    for (int thread = 0; thread < omp_get_max_threads(); ++thread)
        workers_.push_back({gravity_wave_drag_scheme(config.physics.gravity_wave_drag).make(nz),
                            ColumnStorage(static_cast<int>(OrographicAir::fields), nz + 1)});
}

void GravityWaveDrag::advance(Range columns, const GridView &grid, const State &state, ConstField3 p,
                              ConstField3 al, const SubgridOrography &orography, GravityWaveState &result) {
    Worker &worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    for_each_batch(columns, [&](int i0, int n, int j) {
        const Batch b{{i0, n, j, grid, state, p, al}, orography, result};
        const OrographicColumns c = columns_of(b, worker);
        if (std::none_of(c.deviation, c.deviation + n, [](real height) { return height > 0; }))
            return leave_alone(c);
        find_weight(b, nz_, scalars_.waters, worker.storage.field(static_cast<int>(OrographicAir::weight)));
        prepare(b, worker);
        worker.scheme->drag(c);
        for (int k = 0; k < nz_; ++k) turn(grid, i0, n, j, -1, c.du.row(k), c.dv.row(k));
        turn(grid, i0, n, j, -1, c.stress_u, c.stress_v);
    });
}

void GravityWaveDrag::prepare(const Batch &b, Worker &worker) const {
    using namespace constants;
    using enum OrographicAir;
    static constexpr std::array<real, columns_at_a_time> none{};
    const auto to = [&](OrographicAir f, int k) { return worker.storage.field(static_cast<int>(f)).row(k); };
    const ConstColumns q = b.species(scalars_.vapour);
    for (int k = 0; k < nz_; ++k) {
        const real *ph = b.row(b.state.ph.view(), k), *ph_above = b.row(b.state.ph.view(), k + 1);
        const real *phb = b.row(b.grid.phb, k), *phb_above = b.row(b.grid.phb, k + 1);
        const real *p = b.row(b.p, k), *pb = b.row(b.grid.pb, k);
        const real *al = b.row(b.al, k), *alb = b.row(b.grid.alb, k);
        const real *perturbation = b.row(b.state.theta.view(), k);
        const real *vapour = q.origin ? q.row(k) : none.data();
        real *to_theta = to(theta, k), *to_exner = to(exner, k), *to_density = to(density, k);
        real *to_depth = to(depth, k), *to_u = to(u, k), *to_v = to(v, k);
        const bool moist_theta = moist_theta_;
        for_each_i(0, b.n, [=](int i) {
            const real full = perturbation[i] + theta0;
            const real moist = moist_theta ? full : full * (1 + constants::rv_over_rd * vapour[i]);
            const real volume = al[i] + alb[i]; // of dry air [m3 kg-1]
            to_theta[i] = moist / (1 + vapour[i]);
            to_density[i] = (1 + vapour[i]) / volume;
            to_exner[i] = (p[i] + pb[i]) * volume / (r_d * moist); // by the gas law, without a power
            to_depth[i] = ((ph_above[i] + phb_above[i]) - (ph[i] + phb[i])) / g;
        });
        find_wind(b, k, to_u, to_v);
        turn(b.grid, b.i0, b.n, b.j, 1, to_u, to_v);
    }
}

OrographicColumns GravityWaveDrag::columns_of(const Batch &b, Worker &worker) const {
    const auto plane = [&](const Array2 &f) { return b.of(f); };
    const auto rates = [&](Array3 &f) { return columns_at(f.view(), b.i0, b.j); };
    OrographicColumns c{.n = b.n,
                        .nz = nz_,
                        .dt = dt_,
                        .spacing = plane(b.orography.spacing),
                        .deviation = plane(b.orography.deviation),
                        .convexity = plane(b.orography.convexity),
                        .du = rates(b.result.u),
                        .dv = rates(b.result.v),
                        .heating = rates(b.result.heating),
                        .stress_u = b.of(b.result.stress_u),
                        .stress_v = b.of(b.result.stress_v)};
    take_air(c, worker.storage);
    for (std::size_t n = 0; n < SubgridOrography::directions; ++n) {
        c.asymmetry[n] = plane(b.orography.asymmetry[n]);
        c.length[n] = plane(b.orography.length[n]);
    }
    return c;
}

} // namespace squall
