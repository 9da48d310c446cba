#include "physics/convection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <omp.h>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "core/interval.hpp"
#include "physics/column_batch.hpp"

namespace squall {
namespace {

/// From call to call [s]: whole steps of run.time_step; 0: every step.
double interval_of(const Config &config) {
    const double step = config.run.time_step, steps = std::round(config.physics.cumulus_interval / step);
    return steps > 1 ? steps * step : 0;
}

/// Fields of a batch that the driver holds.
enum Stored {
    pressure,
    temperature,
    exner,
    density,
    depth,
    u,
    v,
    forced_theta,
    forced_vapour,
    mixed_theta,
    mixed_vapour,
    weight_above,
    stored_fields
};

} // namespace

/// Neighbouring columns of a row and what they are part of.
struct Convection::Batch : ColumnBatch {
    const Surroundings &around;
    PhysicsState &physics;
};

Convection::Convection(const Config &config, const ScalarSet &scalars, int nz)
    : scalars_(scalars), nz_(nz), dt_(static_cast<real>(config.run.time_step)),
      interval_(interval_of(config)), moist_theta_(config.dynamics.moist_theta), as_wrf_(config.run.as_wrf()),
      sees_forcing_(cumulus_scheme(config.physics.cumulus).sees_forcing) {
    const std::vector<real> values(columns_at_a_time);
    for (int thread = 0; thread < omp_get_max_threads(); ++thread)
        workers_.push_back({cumulus_scheme(config.physics.cumulus).make(nz),
                            ColumnStorage(stored_fields, nz + 1), values, values, values});
}

bool Convection::due(double seconds) const {
    return interval_ == 0 || falls_due(seconds, double(dt_), interval_);
}

void Convection::follow(Range columns, bool due, const State &state, ConvectionState &convection) const {
    if (as_wrf_ && !due) return;
    const auto weight = static_cast<real>(double(dt_) / (2 * std::max(interval_, double(dt_))));
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int k = 0; k < nz_; ++k)
            for_each_i(columns.i0, columns.i1,
                       [weight, mean = convection.updraught.view().row(k, j), w = state.w.view().row(k, j),
                        above = state.w.view().row(k + 1, j)](int i) {
                           mean[i] += weight * (real(0.5) * (w[i] + above[i]) - mean[i]);
                       });
}

void Convection::advance(Range columns, const GridView &grid, const State &state, const Surroundings &around,
                         PhysicsState &physics) {
    Worker &worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    for_each_batch(columns, [&](int i0, int n, int j) {
        const Batch batch{{i0, n, j, grid, state, around.p, around.al}, around, physics};
        prepare(batch, worker);
        if (sees_forcing_) prepare_forcing(batch, worker);
        worker.scheme->convect(columns_of(batch, worker));
    });
}

/// The air as the scheme sees it.
void Convection::prepare(const Batch &b, Worker &worker) const {
    using namespace constants;
    const auto field = [&](Stored f) { return worker.storage.field(f); };
    const ConstColumns q = b.species(scalars_.vapour), weight = field(weight_above);
    std::fill_n(worker.spacing.data(), b.n, b.grid.dx);
    find_weight(b, nz_, scalars_.waters, field(weight_above));
    for (int k = 0; k < nz_; ++k) {
        const real *ph = b.row(b.state.ph.view(), k), *ph_above = b.row(b.state.ph.view(), k + 1);
        const real *phb = b.row(b.grid.phb, k), *phb_above = b.row(b.grid.phb, k + 1);
        const real *p = b.row(b.p, k), *pb = b.row(b.grid.pb, k);
        const real *al = b.row(b.al, k), *alb = b.row(b.grid.alb, k);
        const real *theta = b.row(b.state.theta.view(), k);
        for_each_i(0, b.n,
                   [=, pi = field(exner).row(k)](int i) { pi[i] = power((p[i] + pb[i]) / p0, kappa); });
        for_each_i(0, b.n,
                   [=, rv = vapours_part(), q = q.row(k), weight_below = weight.row(k),
                    weight_above = weight.row(k + 1), to_pressure = field(pressure).row(k),
                    pi = field(exner).row(k), to_temperature = field(temperature).row(k),
                    to_density = field(density).row(k), to_depth = field(depth).row(k)](int i) {
                       const real dry = (theta[i] + theta0) / (1 + rv * q[i]);
                       to_pressure[i] = real(0.5) * (weight_above[i] + weight_below[i]);
                       to_temperature[i] = dry * pi[i];
                       to_density[i] = (1 + q[i]) / (al[i] + alb[i]);
                       to_depth[i] = (ph_above[i] + phb_above[i]) / g - (ph[i] + phb[i]) / g;
                   });
        find_wind(b, k, field(u).row(k), field(v).row(k));
    }
}

/// Dry potential temperature and vapour by advection, in centred differences, turbulence and radiation; and
/// the surface's fluxes, which are what turbulence brings into the column.
void Convection::prepare_forcing(const Batch &b, Worker &worker) const {
    for (int k = 0; k < nz_; ++k) {
        add_advection(b, k, worker);
        const auto row = [&](Stored f) { return worker.storage.field(f).row(k); };
        if (b.around.radiative.origin)
            for_each_i(0, b.n, [rate = row(forced_theta), heating = b.row(b.around.radiative, k)](int i) {
                rate[i] += heating[i];
            });
    }
    std::fill_n(worker.heat_flux.data(), b.n, real(0));
    std::fill_n(worker.vapour_flux.data(), b.n, real(0));
    for (int k = 0; k < nz_ && b.around.theta.origin; ++k) add_turbulence(b, k, worker);
}

/// Sets rates of layer k.
void Convection::add_advection(const Batch &b, int k, Worker &worker) const {
    struct Rows {
        const real *theta, *q;
    };
    const GridView &g = b.grid;
    const ConstField3 theta = b.state.theta.view();
    const ConstField3 q = b.state.scalars[static_cast<std::size_t>(scalars_.vapour)].view();
    const auto rows = [&](int at, int j) { return Rows{theta.row(at, j) + b.i0, q.row(at, j) + b.i0}; };
    const auto row = [&](Stored f) { return worker.storage.field(f).row(k); };
    const Rows here = rows(k, b.j), south = rows(k, b.j - 1), north = rows(k, b.j + 1);
    const Rows under = rows(std::max(k - 1, 0), b.j), over = rows(std::min(k + 1, nz_ - 1), b.j);
    const auto dry = [rv = vapours_part()](const Rows &r, int i) {
        return (r.theta[i] + constants::theta0) / (1 + rv * r.q[i]);
    };
    const auto vapour = [](const Rows &r, int i) { return r.q[i]; };
    for_each_i(0, b.n,
               [=, rdx = g.rdx, rdy = g.rdy, c1 = g.c1h[k], c2 = g.c2h[k],
                per_depth_below = k > 0 ? g.rdn[k] : real(0),
                per_depth_above = k + 1 < nz_ ? g.rdn[k + 1] : real(0), mub = b.row(g.mub),
                mu = b.row(std::as_const(b.state.mu).view()), omega = b.row(b.around.omega, k),
                omega_above = b.row(b.around.omega, k + 1), mx = b.row(g.msftx), my = b.row(g.msfty),
                u = row(Stored::u), v = row(Stored::v), theta_rate = row(forced_theta),
                vapour_rate = row(forced_vapour)](int i) {
                   const real mass = c1 * (mub[i] + mu[i]) + c2;
                   const auto advection = [&](auto f) {
                       const real east = (f(here, i + 1) - f(here, i - 1)) * rdx / 2 * mx[i];
                       const real northward = (f(north, i) - f(south, i)) * rdy / 2 * my[i];
                       const real below = omega[i] * per_depth_below * (f(here, i) - f(under, i));
                       const real above = omega_above[i] * per_depth_above * (f(over, i) - f(here, i));
                       return -(u[i] * east + v[i] * northward) - my[i] / mass * (below + above) / 2;
                   };
                   theta_rate[i] = advection(dry);
                   vapour_rate[i] = advection(vapour);
               });
}

/// Adds rates of layer k, and what they bring into the column.
void Convection::add_turbulence(const Batch &b, int k, Worker &worker) const {
    using namespace constants;
    const auto row = [&](Stored f) { return worker.storage.field(f).row(k); };
    for_each_i(0, b.n,
               [rv = vapours_part(), theta = b.row(b.state.theta.view(), k),
                q = b.species(scalars_.vapour).row(k), by_theta = b.row(b.around.theta, k),
                by_vapour = b.row(b.around.vapour, k), theta_rate = row(forced_theta),
                vapour_rate = row(forced_vapour), to_theta = row(mixed_theta), to_vapour = row(mixed_vapour),
                rho = row(density), dz = row(depth), pi = row(exner), heat = worker.heat_flux.data(),
                vapour = worker.vapour_flux.data()](int i) {
                   const real dq = by_vapour[i];
                   const real dry = (theta[i] + theta0) / (1 + rv * q[i]);
                   const real dtheta = (by_theta[i] - rv * dry * dq) / (1 + rv * q[i]);
                   theta_rate[i] += dtheta;
                   vapour_rate[i] += dq;
                   to_theta[i] = dtheta;
                   to_vapour[i] = dq;
                   const real layer = rho[i] / (1 + q[i]) * dz[i];
                   heat[i] += layer * c_p * pi[i] * dtheta;
                   vapour[i] += layer * dq;
               });
}

ConvectiveColumns Convection::columns_of(const Batch &b, Worker &worker) const {
    ConvectionState &c = b.physics.convection;
    const Array2 &height = b.physics.surface.boundary_layer_height;
    const auto field = [&](Stored f) { return worker.storage.field(f); };
    const auto rates = [&](Array3 &f) { return f.bytes() > 0 ? columns_at(f.view(), b.i0, b.j) : Columns{}; };
    const bool mixed = b.around.theta.origin != nullptr;
    const auto forcing = [&](Stored f) { return sees_forcing_ ? ConstColumns(field(f)) : ConstColumns{}; };
    return {.n = b.n,
            .nz = nz_,
            .dt = dt_,
            .interval = interval_ > 0 ? static_cast<real>(interval_) : dt_,
            .as_wrf = as_wrf_,
            .has_ice = scalars_.ice >= 0,
            .has_snow = scalars_.snow >= 0,
            .pressure = field(pressure),
            .temperature = field(temperature),
            .exner = field(exner),
            .vapour = b.species(scalars_.vapour),
            .density = field(density),
            .depth = field(depth),
            .u = field(u),
            .v = field(v),
            .updraught = columns_at(std::as_const(c.updraught).view(), b.i0, b.j),
            .spacing = worker.spacing.data(),
            .heating = rates(c.heating),
            .dvapour = rates(c.vapour),
            .dcloud = rates(c.cloud),
            .drain = rates(c.rain),
            .dice = rates(c.ice),
            .dsnow = rates(c.snow),
            .remaining = b.of(c.remaining),
            .rate = b.of(c.rate),
            .forced_theta = forcing(forced_theta),
            .forced_vapour = forcing(forced_vapour),
            .heat_flux = sees_forcing_ ? worker.heat_flux.data() : nullptr,
            .vapour_flux = sees_forcing_ ? worker.vapour_flux.data() : nullptr,
            .land = b.around.land.origin ? b.row(b.around.land) : nullptr,
            .du = rates(c.u),
            .dv = rates(c.v),
            .w = columns_at(b.state.w.view(), b.i0, b.j),
            .ground = b.grid.phb.row(0, b.j) + b.i0,
            .boundary_layer = height.bytes() > 0 ? b.of(height) : nullptr,
            .mixed_theta = mixed ? forcing(mixed_theta) : ConstColumns{},
            .mixed_vapour = mixed ? forcing(mixed_vapour) : ConstColumns{}};
}

void Convection::finish(Range columns, PhysicsState &physics) const {
    ConvectionState &c = physics.convection;
    const bool to_land = physics.surface.has_land_water();
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; ++i) {
            if (c.remaining(i, j) <= 0) continue;
            const real fell = c.rate(i, j) * dt_;
            c.accumulated(i, j) += fell;
            if (to_land) physics.surface.land_water.precipitation(i, j) += fell;
            c.remaining(i, j) -= dt_;
            if (c.remaining(i, j) >= real(0.5) * dt_) continue;
            c.remaining(i, j) = 0;
            for (Array3 *f : {&c.heating, &c.vapour, &c.cloud, &c.rain, &c.ice, &c.snow, &c.u, &c.v})
                for (int k = 0; k < nz_ && f->bytes() > 0; ++k) (*f)(i, k, j) = 0;
        }
}

} // namespace squall
