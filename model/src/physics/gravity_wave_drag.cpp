#include "physics/gravity_wave_drag.hpp"

#include <algorithm>
#include <array>

#include <omp.h>

#include "core/constants.hpp"

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
struct GravityWaveDrag::Batch {
    int i0, n, j;
    const GridView &grid;
    const State &state;
    ConstField3 p, al;
    const SubgridOrography &orography;
    GravityWaveState &result;

    ConstColumns species(int index) const {
        return index < 0 ? ConstColumns{}
                         : columns_at(state.scalars[static_cast<std::size_t>(index)].view(), i0, j);
    }
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
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i0 = columns.i0; i0 < columns.i1; i0 += columns_at_a_time) {
            const Batch b{
                i0, std::min(columns_at_a_time, columns.i1 - i0), j, grid, state, p, al, orography, result};
            const OrographicColumns c = columns_of(b, worker);
            if (std::none_of(c.deviation, c.deviation + b.n, [](real height) { return height > 0; })) {
                leave_alone(c);
                continue;
            }
            weigh(b, worker);
            prepare(b, worker);
            worker.scheme->drag(c);
            for (int k = 0; k < nz_; ++k) turn(grid, i0, b.n, j, -1, c.du.row(k), c.dv.row(k));
            turn(grid, i0, b.n, j, -1, c.stress_u, c.stress_v);
        }
}

void GravityWaveDrag::weigh(const Batch &b, Worker &worker) const {
    const Columns to = worker.storage.field(static_cast<int>(OrographicAir::weight));
    const real *mub = b.grid.mub.row(b.j) + b.i0, *mu = b.state.mu.view().row(b.j) + b.i0;
    std::array<real, columns_at_a_time> water;
    std::fill_n(to.row(nz_), b.n, b.grid.p_top);
    for (int k = nz_ - 1; k >= 0; --k) {
        water.fill(0);
        for (int n = 0; n < scalars_.waters; ++n)
            for_each_i(0, b.n, [&, q = b.species(n)](int i) { water[i] += q(i, k); });
        const real dnw = b.grid.dnw[k], c1 = b.grid.c1h[k], c2 = b.grid.c2h[k];
        for_each_i(0, b.n, [&](int i) {
            to(i, k) = to(i, k + 1) - (1 + water[i]) * (c1 * (mub[i] + mu[i]) + c2) * dnw;
        });
    }
}

void GravityWaveDrag::prepare(const Batch &b, Worker &worker) const {
    using namespace constants;
    using enum OrographicAir;
    static constexpr std::array<real, columns_at_a_time> none{};
    const auto to = [&](OrographicAir f, int k) { return worker.storage.field(static_cast<int>(f)).row(k); };
    const ConstColumns q = b.species(scalars_.vapour);
    for (int k = 0; k < nz_; ++k) {
        const auto row = [&](ConstField3 f, int level) { return f.row(level, b.j) + b.i0; };
        const real *ph = row(b.state.ph.view(), k), *ph_above = row(b.state.ph.view(), k + 1);
        const real *phb = row(b.grid.phb, k), *phb_above = row(b.grid.phb, k + 1);
        const real *p = row(b.p, k), *pb = row(b.grid.pb, k);
        const real *al = row(b.al, k), *alb = row(b.grid.alb, k);
        const real *perturbation = row(b.state.theta.view(), k), *u_face = row(b.state.u.view(), k);
        const real *v_face = row(b.state.v.view(), k), *v_north = b.state.v.view().row(k, b.j + 1) + b.i0;
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
            to_u[i] = real(0.5) * (u_face[i] + u_face[i + 1]);
            to_v[i] = real(0.5) * (v_face[i] + v_north[i]);
        });
        turn(b.grid, b.i0, b.n, b.j, 1, to_u, to_v);
    }
}

OrographicColumns GravityWaveDrag::columns_of(const Batch &b, Worker &worker) const {
    const auto plane = [&](const Array2 &f) { return f.view().row(b.j) + b.i0; };
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
                        .stress_u = b.result.stress_u.view().row(b.j) + b.i0,
                        .stress_v = b.result.stress_v.view().row(b.j) + b.i0};
    take_air(c, worker.storage);
    for (std::size_t n = 0; n < SubgridOrography::directions; ++n) {
        c.asymmetry[n] = plane(b.orography.asymmetry[n]);
        c.length[n] = plane(b.orography.length[n]);
    }
    return c;
}

} // namespace squall
