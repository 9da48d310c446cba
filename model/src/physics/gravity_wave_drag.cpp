#include "physics/gravity_wave_drag.hpp"

#include <algorithm>

#include <omp.h>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall {
namespace {

constexpr real vapour_factor = constants::r_v / constants::r_d;

/// Fields of a batch that the driver holds.
enum Stored { weight, density, depth, theta, exner, u, v, stored_fields };

/// From components along x and y to eastward and northward ones, and back (`sign` -1).
void turn(const GridView &g, int i0, int n, int j, real sign, real *x, real *y) {
    const real *sina = g.sina.row(j) + i0, *cosa = g.cosa.row(j) + i0;
    for (int i = 0; i < n; ++i) {
        const real east = x[i] * cosa[i] - sign * y[i] * sina[i];
        y[i] = sign * x[i] * sina[i] + y[i] * cosa[i];
        x[i] = east;
    }
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
                            ColumnStorage(stored_fields, nz + 1)});
}

void GravityWaveDrag::advance(Range columns, const GridView &grid, const State &state, ConstField3 p,
                              ConstField3 al, const SubgridOrography &orography, GravityWaveState &result) {
    Worker &worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i0 = columns.i0; i0 < columns.i1; i0 += columns_at_a_time) {
            const Batch b{
                i0, std::min(columns_at_a_time, columns.i1 - i0), j, grid, state, p, al, orography, result};
            weigh(b, worker);
            prepare(b, worker);
            const OrographicColumns c = columns_of(b, worker);
            worker.scheme->drag(c);
            for (int k = 0; k < nz_; ++k) turn(grid, i0, b.n, j, -1, c.du.row(k), c.dv.row(k));
            turn(grid, i0, b.n, j, -1, c.stress_u, c.stress_v);
        }
}

void GravityWaveDrag::weigh(const Batch &b, Worker &worker) const {
    const Columns to = worker.storage.field(weight);
    const real *mub = b.grid.mub.row(b.j) + b.i0, *mu = b.state.mu.view().row(b.j) + b.i0;
    for (int i = 0; i < b.n; ++i) {
        to(i, nz_) = b.grid.p_top;
        for (int k = nz_ - 1; k >= 0; --k) {
            real water = 0;
            for (int n = 0; n < scalars_.waters; ++n) water += b.species(n)(i, k);
            to(i, k) = to(i, k + 1) -
                       (1 + water) * (b.grid.c1h[k] * (mub[i] + mu[i]) + b.grid.c2h[k]) * b.grid.dnw[k];
        }
    }
}

void GravityWaveDrag::prepare(const Batch &b, Worker &worker) const {
    using namespace constants;
    const auto field = [&](Stored f) { return worker.storage.field(f); };
    const ConstColumns q = b.species(scalars_.vapour);
    for (int k = 0; k < nz_; ++k) {
        const auto row = [&](ConstField3 f, int level) { return f.row(level, b.j) + b.i0; };
        const real *ph = row(b.state.ph.view(), k), *ph_above = row(b.state.ph.view(), k + 1);
        const real *phb = row(b.grid.phb, k), *phb_above = row(b.grid.phb, k + 1);
        const real *p = row(b.p, k), *pb = row(b.grid.pb, k);
        const real *al = row(b.al, k), *alb = row(b.grid.alb, k);
        const real *perturbation = row(b.state.theta.view(), k), *u_face = row(b.state.u.view(), k);
        const real *v_face = row(b.state.v.view(), k), *v_north = b.state.v.view().row(k, b.j + 1) + b.i0;
        for (int i = 0; i < b.n; ++i) {
            const real vapour = q.origin ? q(i, k) : real(0), full = perturbation[i] + theta0;
            const real moist = moist_theta_ ? full : full * (1 + vapour_factor * vapour);
            field(theta)(i, k) = moist / (1 + vapour);
            field(exner)(i, k) = power((p[i] + pb[i]) / p0, kappa);
            field(density)(i, k) = (1 + vapour) / (al[i] + alb[i]);
            field(depth)(i, k) = (ph_above[i] + phb_above[i]) / g - (ph[i] + phb[i]) / g;
            field(u)(i, k) = real(0.5) * (u_face[i] + u_face[i + 1]);
            field(v)(i, k) = real(0.5) * (v_face[i] + v_north[i]);
        }
        turn(b.grid, b.i0, b.n, b.j, 1, field(u).row(k), field(v).row(k));
    }
}

OrographicColumns GravityWaveDrag::columns_of(const Batch &b, Worker &worker) const {
    const auto field = [&](Stored f) { return ConstColumns(worker.storage.field(f)); };
    const auto plane = [&](const Array2 &f) { return f.view().row(b.j) + b.i0; };
    const auto rates = [&](Array3 &f) { return columns_at(f.view(), b.i0, b.j); };
    OrographicColumns c{.n = b.n,
                        .nz = nz_,
                        .dt = dt_,
                        .weight = field(weight),
                        .density = field(density),
                        .depth = field(depth),
                        .theta = field(theta),
                        .exner = field(exner),
                        .u = field(u),
                        .v = field(v),
                        .spacing = plane(b.orography.spacing),
                        .deviation = plane(b.orography.deviation),
                        .convexity = plane(b.orography.convexity),
                        .asymmetry = {},
                        .length = {},
                        .du = rates(b.result.u),
                        .dv = rates(b.result.v),
                        .heating = rates(b.result.heating),
                        .stress_u = b.result.stress_u.view().row(b.j) + b.i0,
                        .stress_v = b.result.stress_v.view().row(b.j) + b.i0};
    for (std::size_t n = 0; n < SubgridOrography::directions; ++n) {
        c.asymmetry[n] = plane(b.orography.asymmetry[n]);
        c.length[n] = plane(b.orography.length[n]);
    }
    return c;
}

} // namespace squall
